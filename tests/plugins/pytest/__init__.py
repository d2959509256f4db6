"""Tests of `grader.plugins.pytest`."""
