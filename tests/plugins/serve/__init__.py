"""Tests of `grader.plugins.serve`."""
