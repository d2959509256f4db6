"""Reads and writes CSV cells so that spreadsheets never treat them as formulas.

A spreadsheet evaluates a cell that begins with `=`, `+`, `-`, `@`, tab or carriage return, even in quotes (OWASP, "CSV
Injection"). A leading apostrophe turns it into text. A cell that already begins with apostrophes and such a character
gets one more, so that reading restores exactly what was written.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from grader.text.escape import escape_controls

SEPARATORS = ",;\t"
_MAX_OF_A_HEADER = 10_000
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MADE_SAFE = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


def separator_of(text: str) -> str:
    """Guess the separator of a CSV file, which in spreadsheets depends on the country.

    The separator that splits the first line into the most cells is chosen.
    """
    header = next(iter(text[:_MAX_OF_A_HEADER].splitlines()), "")
    return max(SEPARATORS, key=lambda separator: len(next(csv.reader([header], delimiter=separator), [])))


def safe_cell(text: str) -> str:
    """Return `text` as a cell that is not a formula; `plain_cell` is the inverse."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain_cell(cell: str) -> str:
    """Undo `safe_cell`."""
    return cell[1:] if _MADE_SAFE.match(cell) else cell


def readable_cell(text: str) -> str:
    """Return `text` as a safe cell with marks instead of control characters, such as changes of text direction."""
    return safe_cell(escape_controls(text))


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return `rows` as CSV (RFC 4180)."""
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()
