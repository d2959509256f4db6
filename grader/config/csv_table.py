"""Reads CSV files written by people, with the location of every cell."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

from grader.config.yaml_reader import KeyPath, YamlData, YamlDocument
from grader.errors import Problem, SourceLocation, SpecError
from grader.files.digest import read_named_file
from grader.text.csv_cells import SEPARATORS, plain_cell, separator_of


def read_rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-blank rows of `file` with their line numbers; spaces around cells are stripped.

    Spreadsheets omit empty cells at the end of a row, so a row may be shorter than the header. Raises SpecError if the
    file cannot be read, or a row does not match the columns of the header.
    """
    text = _text(file)
    separator = separator_of(text)
    rows = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    width = 0
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                width = width or len(row)
                _check_width(SourceLocation(file, rows.line_num, 1), row, width, separator)
                yield rows.line_num, [plain_cell(cell.strip()) for cell in row]
    except csv.Error as error:
        raise SpecError([Problem(SourceLocation(file, rows.line_num, 1), f"this is no CSV: {error}")]) from None


def _text(file: Path) -> str:
    try:
        return read_named_file(file).decode("utf-8-sig")
    except OSError as error:
        problem = f"the file cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        problem = "expected UTF-8 text (save the file as UTF-8)"
    raise SpecError([Problem(SourceLocation(file, 1, 1), problem)])


def _check_width(place: SourceLocation, row: list[str], width: int, separator: str) -> None:
    """Raise SpecError for a row whose cells would end up in the wrong columns."""
    if any(cell.strip() for cell in row[width:]):
        message = (
            f"this row has {len(row)} cells, the header has {width}; expected a cell for each column "
            f"(put a cell that contains `{separator}` into quotes, or write 7.5 for 7,5)"
        )
        raise SpecError([Problem(replace(place, column=width + 1), message)])
    others = [mark for mark in SEPARATORS if mark != separator and mark in row[0]]
    if len(row) == 1 and width > 1 and others:
        message = f"this row is divided by {_named(others[0])}; expected {_named(separator)}, as in the header"
        raise SpecError([Problem(place, message)])


def _named(separator: str) -> str:
    return "tabs" if separator == "\t" else f"`{separator}`"


def read_table(file: Path, key: str) -> YamlDocument:
    """Return the table in `file` as if it were YAML: a list called `key` with a mapping per row, without empty cells.

    Raises SpecError if the file cannot be read, or a column's name is missing or repeated.
    """
    rows = read_rows(file)
    _, header = next(rows, (1, []))
    _check_header(file, header)
    values: dict[KeyPath, SourceLocation] = {(): SourceLocation(file, 1, 1), (key,): SourceLocation(file, 1, 1)}
    keys: dict[KeyPath, SourceLocation] = {}
    entries: list[YamlData] = []
    for index, (line, cells) in enumerate(rows):
        entry: dict[str, YamlData] = {}
        values[(key, index)] = SourceLocation(file, line, 1)
        for column, (name, cell) in enumerate(zip(header, cells, strict=False), 1):
            if cell:
                entry[name] = cell
                values[(key, index, name)] = SourceLocation(file, line, column)
                keys[(key, index, name)] = SourceLocation(file, 1, column)
        entries.append(entry)
    return YamlDocument(file, {"format": "1", key: entries}, values, keys)


def _check_header(file: Path, header: list[str]) -> None:
    for column, name in enumerate(header, 1):
        if not name or name in header[: column - 1]:
            fault = f"the column `{name}` is given twice" if name else "a column has no name"
            raise SpecError([Problem(SourceLocation(file, 1, column), f"{fault}; expected a name of its own for each")])
