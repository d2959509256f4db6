"""Tests of `grader.plugins.fuzzing`."""
