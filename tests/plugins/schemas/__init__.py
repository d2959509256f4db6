"""Tests of `grader.plugins.explaining`."""
