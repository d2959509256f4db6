"""Finds programs of a class that have much in common, for `grader similar` and `grader report --similar`.

`fingerprints` finds the passages that two programs share, `pages` shows two programs side by side, and `remarks` marks
shared passages on the pages of students.
"""
