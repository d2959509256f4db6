"""Runs programs on systems without terminals."""
