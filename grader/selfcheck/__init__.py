"""Runs self-checks on a student's machine."""
