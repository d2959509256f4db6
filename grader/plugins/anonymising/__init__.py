"""Copies a class with numbers in place of names, so that it can be shown or passed on.

`anonymous_class` writes the copy, using `grader.intake.identity_words` to replace words.
"""
