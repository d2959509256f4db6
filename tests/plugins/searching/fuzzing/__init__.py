"""Tests of `grader.plugins.searching.fuzzing`."""
