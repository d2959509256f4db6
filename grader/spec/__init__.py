"""Reads assignment.yaml and tests/*.yaml into an Assignment, and checks it as a whole."""
