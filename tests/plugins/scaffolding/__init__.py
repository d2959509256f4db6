"""Tests of `grader.plugins.scaffolding`."""
