"""Finds the shortest session in which a program still fails a test: the option `--shortest`."""
