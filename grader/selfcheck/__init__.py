"""Runs self-checks on a student's machine, and reads the bundle with their tests."""
