"""Runs self-checks on a student's machine, and reads the bundle for them."""
