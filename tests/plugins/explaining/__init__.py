"""Tests of `grader.plugins.github`."""
