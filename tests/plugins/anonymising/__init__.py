"""Tests of `grader.plugins.anonymising`."""
