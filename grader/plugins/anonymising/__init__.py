"""Copies a class with numbers instead of names, so that it can be shared.

`anonymous_class` writes the copy, using `grader.intake.identity_words` to replace words.
"""
