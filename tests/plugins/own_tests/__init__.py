"""Tests of `grader.plugins.own_tests`."""
