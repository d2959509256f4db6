"""Tests of `grader.plugins.interactors`."""
