"""Tests of `grader.plugins.insight`."""
