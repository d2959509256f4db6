"""Cells of CSV files that spreadsheets do not take for formulas.

A spreadsheet evaluates a cell that begins with `=`, `+`, `-`, `@`, tab or carriage return, also when it was quoted
(OWASP, "CSV Injection"). An apostrophe before it makes it text. A cell that already begins with apostrophes and such a
character gets one more, so that reading gives back exactly what was written.
"""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MADE_SAFE = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


def safe_cell(text: str) -> str:
    """`text` as a cell that is no formula; `plain_cell` undoes it."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain_cell(cell: str) -> str:
    """What `safe_cell` made `cell` of."""
    return cell[1:] if _MADE_SAFE.match(cell) else cell
