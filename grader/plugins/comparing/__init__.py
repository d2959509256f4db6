"""Compares the marks of two runs, and lists the marks that a student was given.

`results_reader` reads results.json back, and `comparison` says what differs. The history is in the audit log.
"""
