"""Finds texts that Python takes long to put in normal form: the square of the number of marks in a row."""

import unicodedata

MOST_MARKS = 500
"""So many marks on one letter are in no language."""


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
