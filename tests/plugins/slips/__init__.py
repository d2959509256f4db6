"""Tests of `grader.plugins.slips`."""
