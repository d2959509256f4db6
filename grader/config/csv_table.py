"""CSV files that people write, with the place of every cell."""

import csv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from grader.config.yaml_reader import Data, Document, Steps
from grader.errors import Place, Problem, SpecError
from grader.text.csv_cells import plain_cell, separator_of


def read_rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of `file` that are not blank, with the line of each. Raises SpecError when it cannot be read."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SpecError([Problem(Place(file, 1, 1), f"the file cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError:
        raise SpecError([Problem(Place(file, 1, 1), "expected UTF-8 text (save the file as UTF-8)")]) from None
    rows = csv.reader(StringIO(text, newline=""), delimiter=separator_of(text))
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield rows.line_num, [plain_cell(cell) for cell in row]
    except csv.Error as error:
        raise SpecError([Problem(Place(file, rows.line_num, 1), f"this is no CSV: {error}")]) from None


def read_table(file: Path, key: str) -> Document:
    """The table in `file` as if it were YAML: a list called `key` with a mapping per row, without empty cells.

    Raises SpecError when it cannot be read or a column has no name or the name of another.
    """
    rows = read_rows(file)
    _, header = next(rows, (1, []))
    _check_header(file, header)
    values: dict[Steps, Place] = {(): Place(file, 1, 1), (key,): Place(file, 1, 1)}
    keys: dict[Steps, Place] = {}
    entries: list[Data] = []
    for index, (line, cells) in enumerate(rows):
        if any(cells[len(header) :]):
            raise SpecError([Problem(Place(file, line, len(header) + 1), "this row has more cells than the header")])
        entry: dict[str, Data] = {}
        values[(key, index)] = Place(file, line, 1)
        for column, (name, cell) in enumerate(zip(header, cells, strict=False), 1):
            if cell:
                entry[name] = cell
                values[(key, index, name)] = Place(file, line, column)
                keys[(key, index, name)] = Place(file, 1, column)
        entries.append(entry)
    return Document(file, {"format": "1", key: entries}, values, keys)


def _check_header(file: Path, header: list[str]) -> None:
    for column, name in enumerate(header, 1):
        if not name or name in header[: column - 1]:
            found = f"the column `{name}` is given twice" if name else "a column has no name"
            raise SpecError([Problem(Place(file, 1, column), f"{found}; expected a name of its own for each")])
