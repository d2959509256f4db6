"""Finds text that Python normalizes slowly, in quadratic time in the number of consecutive combining marks."""

import unicodedata
from itertools import groupby

MAX_MARKS = 500
"""The maximum number of marks on a letter; real languages use fewer."""


def has_many_marks(text: str) -> bool:
    """Return whether there are more than `MAX_MARKS` consecutive combining characters."""
    runs = () if text.isascii() else groupby(map(unicodedata.combining, text), key=bool)
    return any(are_marks and len(list(marks)) > MAX_MARKS for are_marks, marks in runs)
