"""A platform's gradebook: a CSV file in which single cells are replaced and every other byte stays the same.

The csv module forgets which cells were quoted, how lines ended and whether there was a byte order mark, so the text of
each cell is kept as it is in the file.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property

from grader.errors import reported_as
from grader.model.assignment import Assignment
from grader.platforms.platform import ExportError, ExportOptions
from grader.text.csv_cells import separator_of
from grader.text.words import format_decimal

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


@dataclass(frozen=True)
class GradebookRow:
    """A row of cells, each with its original text, and the line end (empty in the last row)."""

    raw: tuple[str, ...]
    end: str

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Return the text of each cell."""
        return tuple(_unquoted(cell) for cell in self.raw)


@dataclass(frozen=True)
class GradebookFile:
    """A CSV file; the first record names the columns."""

    records: tuple[GradebookRow, ...]
    separator: str
    encoding: str
    mark: bytes

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(cell.strip() for cell in self.records[0].cells)

    def column(self, *names: str) -> int | None:
        """Find the first column that has one of `names` in any case, or None."""
        folded = {name.casefold() for name in names}
        return next((place for place, name in enumerate(self.columns) if name.casefold() in folded), None)

    def cell(self, record: int, column: int | None) -> str:
        """Return the text of a cell, or an empty string if the column does not exist or the record is too short."""
        cells = self.records[record].cells
        return cells[column].strip() if column is not None and column < len(cells) else ""

    def filled(self, cells: Mapping[tuple[int, int], str]) -> "GradebookFile":
        """Return the sheet with new text in some `cells`, by record and column. A cell that was quoted stays quoted."""
        records = list(self.records)
        for (record, column), text in cells.items():
            raw = list(records[record].raw)
            raw += [""] * (column + 1 - len(raw))
            raw[column] = _written(text, self.separator, quoted=raw[column].startswith('"'))
            records[record] = replace(records[record], raw=tuple(raw))
        return replace(self, records=tuple(records))

    def to_bytes(self) -> bytes:
        """Return the content of the file. Raises ExportError if its encoding cannot hold a new text."""
        text = "".join(self.separator.join(record.raw) + record.end for record in self.records)
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise ExportError(f"{error.object[error.start]!r} cannot be written in {self.encoding}.") from None


def read_gradebook_file(content: bytes, name: str, encoding: str | None = None) -> GradebookFile:
    """Read a sheet, decoded by its byte order mark or `encoding` (by default UTF-8). `name` is for messages.

    Raises ExportError if it has a different encoding.
    """
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    encoding = _MARKS.get(mark) or encoding or "utf-8"
    try:
        text = content[len(mark) :].decode(encoding)
        lossless = text.encode(encoding) == content[len(mark) :]
    except (UnicodeError, LookupError):
        lossless = False
    if not lossless:
        raise ExportError(f"{name} cannot be read as {encoding}: say which encoding it has with --encoding.")
    separator = separator_of(text)
    return GradebookFile(tuple(_records(text, separator)), separator, encoding, mark)


def given_sheet(options: ExportOptions) -> GradebookFile | None:
    """Read the sheet given by the user, or return None without a sheet. Raises ExportError if it cannot be read."""
    if options.sheet is None:
        return None
    with reported_as(ExportError, f"{options.sheet} cannot be read"):
        return read_gradebook_file(options.sheet.read_bytes(), str(options.sheet), options.encoding)


def needed_sheet(options: ExportOptions, what: str) -> GradebookFile:
    """Read the sheet given by the user. Raises ExportError without a sheet; `what` describes it."""
    sheet = given_sheet(options)
    if sheet is None:
        raise ExportError(f"Name {what} with --sheet.")
    return sheet


def number_in(cell: str) -> Decimal | None:
    """Read the number in a cell, with a decimal point or comma, or None if the cell holds no number."""
    try:
        return Decimal(cell.replace(",", "."))
    except InvalidOperation:
        return None


def written_like(value: Decimal, cell: str) -> str:
    """Write `value` with a decimal comma if the number in `cell` has one: platforms use the language of the user."""
    return format_decimal(value).replace(".", ",") if "," in cell else format_decimal(value)


def assignment_column(
    sheet: GradebookFile, pattern: re.Pattern[str], assignment: Assignment, column: str | None, like: str
) -> int:
    """Find the column called `column`, by default the one with the title of the assignment.

    Columns of assignments match `pattern`, whose first group is the title. `like` is the full name of a column as the
    platform writes it, with TITLE for the title. Raises ExportError unless exactly one column fits.
    """
    titles = {place: match[1] for place, name in enumerate(sheet.columns) if (match := pattern.fullmatch(name))}
    full_name = column or like.replace("TITLE", assignment.title)
    title = column or assignment.title
    fitting = [place for place, name in enumerate(sheet.columns) if name == column or titles.get(place) == title]
    if len(fitting) == 1:
        return fitting[0]
    candidates = "; ".join(sheet.columns[place] for place in titles) or "none"
    raise ExportError(
        f"{len(fitting)} columns of the gradebook are called `{full_name}`; expected one. "
        f"Name it with --column: {candidates}"
    )


def check_points_possible(points: str, assignment: Assignment, platform: str) -> None:
    """Raise ExportError unless `points`, the points possible on the platform, are the full mark."""
    if number_in(points) != assignment.marks:
        raise ExportError(
            f"The points possible on {platform} are {points or 'missing'}, the marks of {assignment.id} are "
            f"{format_decimal(assignment.marks)}. Set the points on {platform} to that, and export again."
        )


def _records(text: str, separator: str) -> list[GradebookRow]:
    pattern = re.compile(rf'("(?:[^"]|"")*"(?=[{separator}\r\n]|\Z)|[^{separator}\r\n]*)({separator}|\r\n|\n|\r|\Z)')
    records: list[GradebookRow] = []
    raw: list[str] = []
    for match in pattern.finditer(text):
        raw.append(match[1])
        if match[2] == separator:
            continue
        records.append(GradebookRow(tuple(raw), match[2]))
        raw = []
        if match.end() == len(text):
            break
    return records


def _unquoted(raw: str) -> str:
    return raw[1:-1].replace('""', '"') if len(raw) > 1 and raw[0] == raw[-1] == '"' else raw


def _written(text: str, separator: str, *, quoted: bool) -> str:
    if quoted or text != text.strip() or any(character in text for character in (separator, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
