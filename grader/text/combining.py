"""Finds texts that take Python long to normalize: quadratic time in the number of consecutive marks."""

import unicodedata

MOST_MARKS = 500
"""The most marks on one letter; no language uses as many."""


def has_many_marks(text: str) -> bool:
    """Say whether more than `MOST_MARKS` combining characters follow each other."""
    if text.isascii():
        return False
    length = 0
    for character in text:
        length = length + 1 if unicodedata.combining(character) else 0
        if length > MOST_MARKS:
            return True
    return False
