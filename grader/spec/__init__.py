"""Reads assignment.yaml and tests/*.yaml into an Assignment, and checks that they are consistent."""
