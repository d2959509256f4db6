"""Tests of `grader.cluster`."""
