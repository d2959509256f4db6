"""Tests of `grader.plugins.exporting`."""
