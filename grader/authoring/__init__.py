"""Generates the expected files of tests from references, and adds tests to files."""
