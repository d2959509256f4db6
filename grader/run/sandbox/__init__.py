"""Isolates submissions from the machine and from each other."""
