"""Tests of `grader.plugins.cluster`."""
