"""Tests of `grader.plugins.demo`."""
