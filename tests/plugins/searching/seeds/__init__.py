"""Tests of `grader.plugins.searching.seeds`."""
