"""Tests of `grader.plugins.serve.editing`."""
