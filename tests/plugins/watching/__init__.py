"""Tests of `grader.plugins.requests`."""
