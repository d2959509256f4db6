"""Tests of `grader.plugins.searching`."""
