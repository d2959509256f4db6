"""Tests of `grader.plugins.postgres`."""
