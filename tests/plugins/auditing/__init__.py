"""Tests of `grader.plugins.auditing`."""
