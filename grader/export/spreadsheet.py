"""CSV files that a spreadsheet opens without running anything in them."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """CSV (RFC 4180) of `rows`."""
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def no_formula(text: str) -> str:
    """`text`, with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_BEGIN_FORMULAS) else text
