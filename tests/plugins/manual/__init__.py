"""Tests of `grader.plugins.manual`."""
