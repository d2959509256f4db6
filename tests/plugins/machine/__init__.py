"""Tests of `grader.plugins.machine`."""
