"""Makes the first files of a course and of an assignment, which work at once.

`scaffold` fills in the templates, and never overwrites a file.
"""
