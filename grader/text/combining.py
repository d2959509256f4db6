"""Finds texts that Python takes long to normalize: quadratic time in the number of consecutive combining marks."""

import unicodedata
from itertools import groupby

MOST_MARKS = 500
"""The most marks on one letter; no language uses as many."""


def has_many_marks(text: str) -> bool:
    """Return whether more than `MOST_MARKS` combining characters follow each other."""
    runs = () if text.isascii() else groupby(map(unicodedata.combining, text), key=bool)
    return any(are_marks and len(list(marks)) > MOST_MARKS for are_marks, marks in runs)
