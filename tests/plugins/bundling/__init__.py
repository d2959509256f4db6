"""Tests of `grader.plugins.bundling`."""
