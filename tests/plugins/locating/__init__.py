"""Tests of `grader.plugins.locating`."""
