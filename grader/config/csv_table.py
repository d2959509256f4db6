"""CSV files that people write, with the place of every cell."""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from grader.config.yaml_reader import KeyPath, YamlData, YamlDocument
from grader.errors import Problem, SourceLocation, SpecError
from grader.text.csv_cells import plain_cell, separator_of


def read_rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of `file` that are not blank, with the line of each. Raises SpecError when it cannot be read."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SpecError([Problem(SourceLocation(file, 1, 1), f"the file cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError:
        raise SpecError([Problem(SourceLocation(file, 1, 1), "expected UTF-8 text (save the file as UTF-8)")]) from None
    rows = csv.reader(StringIO(text, newline=""), delimiter=separator_of(text))
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield rows.line_num, [plain_cell(cell) for cell in row]
    except csv.Error as error:
        raise SpecError([Problem(SourceLocation(file, rows.line_num, 1), f"this is no CSV: {error}")]) from None


def read_table(file: Path, key: str) -> YamlDocument:
    """The table in `file` as if it were YAML: a list called `key` with a mapping per row, without empty cells.

    Raises SpecError when it cannot be read or a column has no name or the name of another.
    """
    rows = read_rows(file)
    _, header = next(rows, (1, []))
    _check_header(file, header)
    values: dict[KeyPath, SourceLocation] = {(): SourceLocation(file, 1, 1), (key,): SourceLocation(file, 1, 1)}
    keys: dict[KeyPath, SourceLocation] = {}
    entries: list[YamlData] = []
    for index, (line, cells) in enumerate(rows):
        if any(cells[len(header) :]):
            raise SpecError(
                [Problem(SourceLocation(file, line, len(header) + 1), "this row has more cells than the header")]
            )
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
            found = f"the column `{name}` is given twice" if name else "a column has no name"
            raise SpecError([Problem(SourceLocation(file, 1, column), f"{found}; expected a name of its own for each")])
