"""Tests of `grader.plugins.web.pages`."""
