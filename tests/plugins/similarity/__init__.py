"""Tests of `grader.plugins.similarity`."""
