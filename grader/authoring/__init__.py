"""Generates expected files from references, and adds tests to tests files."""
