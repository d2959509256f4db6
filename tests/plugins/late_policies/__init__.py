"""Tests of `grader.plugins.late_policies`."""
