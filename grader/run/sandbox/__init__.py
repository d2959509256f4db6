"""Keeps submissions away from the machine and from each other."""
