"""Tests of `grader.plugins.recording`."""
