"""Reads marks.yaml or marks.csv: points given by hand, and confirmed or waived penalties for broken rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from grader.class_files.student_entries import notes_on_unknown
from grader.config.csv_table import read_rows
from grader.config.scalars import FormatOne, Points, StudentName
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SourceLocation, SpecError, nearest, quoted, unexpected
from grader.model.assignment import Assignment
from grader.model.mark import ManualMarks, MarkedByHand
from grader.text.names import student_key

FILE_NAMES = ("marks.yaml", "marks.csv")
_MAX_PLACES = 4


class _StudentEntry(SpecModel):
    """A student's marks, and the rules that you confirmed or waived."""

    student: StudentName
    """The student's name, as in extensions.yaml."""
    points: Mapping[str, Points] = {}
    """Points for each manual item. Items that are not listed are not yet marked."""
    confirm: tuple[str, ...] = ()
    """Broken rules with `deduct` or `zero_mark` whose penalty you confirm."""
    waive: tuple[str, ...] = ()
    """Broken rules with `deduct` or `zero_mark` whose penalty you waive."""


class MarksFile(SpecModel):
    """Marks given by a person.

    The file can also be a table, marks.csv, with a column `student`, a column for each manual item that contains
    its points or is empty, and a column for each rule that contains `confirm` or `waive` or is empty.
    """

    format: FormatOne
    """Version of this format: `1`."""
    marks: tuple[_StudentEntry, ...]
    """The students. The list can be empty."""


@dataclass(frozen=True)
class _MarkEntry:
    """A value in a marks file and its location: the student, an item or rule, and points or a decision."""

    place: SourceLocation
    student: str
    key: str
    value: Decimal | str


def read_manual_marks(file: Path, assignment: Assignment, students: Iterable[str]) -> MarkedByHand:
    """Return the marks in `file`, which is YAML or CSV according to its name.

    Raises SpecError if the file is faulty, mentions an unknown item or rule, gives more points than an item has, or
    repeats an entry. A name that is not among `students` becomes a note.
    """
    if file.suffix == ".csv":
        return _marked(*_read_csv(file, assignment), assignment, students)
    return manual_marks_in(read_document(file), assignment, students)


def manual_marks_in(document: YamlDocument, assignment: Assignment, students: Iterable[str]) -> MarkedByHand:
    """Return the marks in a document. Raises SpecError as `read_manual_marks` does."""
    return _marked(*_read_yaml(document), assignment, students)


def _marked(
    entries: Sequence[_MarkEntry], places: Mapping[str, SourceLocation], assignment: Assignment, students: Iterable[str]
) -> MarkedByHand:
    problems = [problem for entry in entries for problem in _problems(entry, assignment)]
    problems += _repeated(entries)
    if problems:
        raise SpecError(problems)
    notes = notes_on_unknown(((place, student, None) for student, place in places.items()), students)
    by_student: dict[str, list[_MarkEntry]] = {student: [] for student in places}
    for word in entries:
        by_student[word.student].append(word)
    return MarkedByHand({student: _marks(words) for student, words in by_student.items()}, notes)


def _marks(words: Sequence[_MarkEntry]) -> ManualMarks:
    return ManualMarks(
        {word.key: word.value for word in words if isinstance(word.value, Decimal)},
        frozenset(word.key for word in words if word.value == "confirm"),
        frozenset(word.key for word in words if word.value == "waive"),
    )


def _read_yaml(document: YamlDocument) -> tuple[list[_MarkEntry], dict[str, SourceLocation]]:
    words: list[_MarkEntry] = []
    places: dict[str, SourceLocation] = {}
    for index, entry in enumerate(validate(document, MarksFile).content.marks):
        places.setdefault(entry.student, document.place(("marks", index, "student")))
        for item, points in entry.points.items():
            words.append(_MarkEntry(document.key_place(("marks", index, "points", item)), entry.student, item, points))
        for decision, rules in (("confirm", entry.confirm), ("waive", entry.waive)):
            for number, rule in enumerate(rules):
                place = document.place(("marks", index, decision, number))
                words.append(_MarkEntry(place, entry.student, rule, decision))
    return words, places


def _read_csv(file: Path, assignment: Assignment) -> tuple[list[_MarkEntry], dict[str, SourceLocation]]:
    rows = read_rows(file)
    _, header = next(rows, (1, []))
    if header[:1] != ["student"]:
        heading = quoted(header[0]) if header else "nothing"
        raise SpecError(
            [Problem(SourceLocation(file, 1, 1), f"found {heading}; expected the columns `student` and the items")]
        )
    words: list[_MarkEntry] = []
    places: dict[str, SourceLocation] = {}
    for line, row in rows:
        student = student_key(row[0])
        places.setdefault(student, SourceLocation(file, line, 1))
        for column, (key, cell) in enumerate(zip(header[1:], row[1:], strict=False), 2):
            if cell:
                place = SourceLocation(file, line, column)
                words.append(_MarkEntry(place, student, key, _cell(place, cell, key, assignment)))
    return words, places


def _cell(place: SourceLocation, cell: str, key: str, assignment: Assignment) -> Decimal | str:
    """Return the points in a cell, or the word `confirm` or `waive`. Raises SpecError."""
    if cell in ("confirm", "waive"):
        return cell
    try:
        points = Decimal(cell if cell.isascii() else "")
        exponent = points.as_tuple().exponent
        if isinstance(exponent, int) and points >= 0 and exponent >= -_MAX_PLACES:
            return points
    except InvalidOperation:
        pass
    is_rule = any(rule.id == key for rule in assignment.rules)
    expected = "`confirm` or `waive`" if is_rule else "points such as 1.5, or nothing"
    raise SpecError([Problem(place, str(unexpected(cell, expected)))])


def _problems(word: _MarkEntry, assignment: Assignment) -> Iterator[Problem]:
    if isinstance(word.value, Decimal):
        items = {item.id: item for item in assignment.manual}
        if word.key not in items:
            yield Problem(word.place, f"there is no manual item {quoted(word.key)}{nearest(word.key, items)}")
        elif word.value > items[word.key].marks:
            message = f"found {word.value} points for {quoted(word.key)}; expected at most {items[word.key].marks}"
            yield Problem(word.place, message)
    else:
        rules = [rule.id for rule in assignment.rules if rule.asks]
        if word.key not in rules:
            message = f"there is no rule {quoted(word.key)} that asks to be confirmed{nearest(word.key, rules)}"
            yield Problem(word.place, message)


def _repeated(words: Sequence[_MarkEntry]) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for word in words:
        if (word.student, word.key) in seen:
            yield Problem(word.place, f"{quoted(word.key)} of {quoted(word.student)} is given twice")
        seen.add((word.student, word.key))
