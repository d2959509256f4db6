"""Tests of `grader.plugins.web`."""
