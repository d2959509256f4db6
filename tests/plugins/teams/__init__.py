"""Tests of `grader.plugins.teams`."""
