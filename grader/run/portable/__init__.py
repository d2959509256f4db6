"""Runs programs on systems that have no terminals."""
