"""Compares the marks of two runs, and lists all marks that a student was given.

`results_reader` reads results.json back, and `comparison` finds the differences. The history is in the audit log.
"""
