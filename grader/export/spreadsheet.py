"""CSV as text."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """CSV (RFC 4180) of `rows`."""
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()
