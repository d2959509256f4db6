"""Tests of `grader.plugins.comparing`."""
