"""Tests of `grader.plugins.hand_in_times`."""
