"""Converts durations, counts, exact numbers and lists of names to words."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from grader.text.sentence import Sentence, joined, say

_EXACT_PLACES, _ROUNDED_PLACES = 12, 4

_CONTEXT = Context(prec=100)

_CACHE_SIZE = 4096
"""The size of the caches; students of a class often have the same amounts and times."""


@lru_cache(_CACHE_SIZE)
def lateness_words(late: timedelta) -> Sentence:
    """Return a phrase such as `on time`, `20 min late` or `1 d 3 h late`, in whole minutes or, if shorter, seconds."""
    return say("{duration} late", duration=duration_words(late)) if late else say("on time")


def duration_words(duration: timedelta) -> Sentence:
    """Return a phrase such as `20 min` or `1 d 3 h`, rounded down to the minute, or in seconds below one minute."""
    minutes, seconds = divmod(int(duration.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = [
        (days, say("{number} d", number=days)),
        (hours, say("{number} h", number=hours)),
        (minutes, say("{number} min", number=minutes)),
    ]
    parts = [words for count, words in units if count]
    return joined(" ", parts) if parts else say("{number} s", number=seconds)


def pluralize(number: int, unit: str) -> str:
    """Return a phrase such as `1 day` or `2 days`."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def some_of(names: Sequence[str], most: int) -> Sentence:
    """Return a phrase such as `a, b and 3 more`, with up to `most` of the names and the number of remaining ones."""
    more = len(names) - most
    listed = ", ".join(names[:most])
    return say("{names} and {more} more", names=listed, more=more) if more > 0 else say("{names}", names=listed)


@lru_cache(_CACHE_SIZE)
def format_decimal(value: Decimal | Fraction) -> str:
    """Return `value` without trailing zeros or exponent: 11.70 is `11.7`, 10 is `10`, -0 is `0`.

    A number with too many decimal places is rounded to four, so a third is `0.3333`.
    """
    return f"{shortened(value).normalize() + 0:f}"


def shortened(value: Decimal | Fraction) -> Decimal:
    """Return `value`, rounded to four places if it has more than twelve."""
    exact = _CONTEXT.divide(value.numerator, value.denominator) if isinstance(value, Fraction) else value
    exponent = exact.normalize(_CONTEXT).as_tuple().exponent
    if isinstance(exponent, str) or -exponent <= _EXACT_PLACES:
        return exact
    return exact.quantize(Decimal(1).scaleb(-_ROUNDED_PLACES), context=_CONTEXT)
