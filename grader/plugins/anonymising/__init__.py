"""Copies a class with numbers for names, to show it or hand it on.

`anonymous_class` writes the copy, with the words of `grader.intake.identity_words` replaced.
"""
