"""Tests of `grader.plugins.seeds`."""
