"""Tests of `grader.plugins.web.serve`."""
