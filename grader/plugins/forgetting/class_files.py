"""Entries about a student in the files that people write. Everything else, including comments, stays unchanged."""

import csv
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, fields
from io import StringIO
from pathlib import Path
from typing import Any

import yaml

from grader.class_files import extensions, manual_marks, overrides, requests, roster
from grader.class_files.comments import COMMENTS_FILE
from grader.class_files.roster import student_name
from grader.config.yaml_reader import YamlData, decoded, document_in, loader_for
from grader.errors import Problem, SourceLocation, SpecError
from grader.files.digest import read_named_file
from grader.intake.class_file import FILE_NAMES
from grader.model.submission import StudentIdentity
from grader.plugins.forgetting import team_lists
from grader.plugins.forgetting.person import Person, Trace, words_of
from grader.plugins.forgetting.removal import ForgetError, Found, Remainder, removed_path, rewritten_file
from grader.plugins.forgetting.team_work import TeamWork
from grader.text.csv_cells import csv_text, plain_cell, safe_cell, separator_of
from grader.text.names import student_key

_FILES = (
    *extensions.FILE_NAMES,
    *manual_marks.FILE_NAMES,
    *overrides.FILE_NAMES,
    COMMENTS_FILE,
    requests.FILE_NAME,
    *roster.FILE_NAMES,
    *(name for names in FILE_NAMES.values() for name in names if name != team_lists.FILE_NAME),
)

_BETWEEN_NOTES = "; "
CLASS_FILES = frozenset({*_FILES, team_lists.FILE_NAME})
"""The names of files about a class, which are searched entry by entry."""


def traces_in_class_files(folder: Path) -> Iterator[Trace]:
    """Yield the students named in the files about a class. Raises SpecError if a file is faulty."""
    for file in _present(folder):
        if file.name in roster.FILE_NAMES:
            students = roster.read_roster(file).students
            yield from (Trace(student_key(name), words=words_of(asdict(who))) for name, who in students.items())
        elif file.suffix == ".csv":
            yield from (Trace(student) for _, student in _students(read_named_file(file)))
        else:
            yield from (Trace(student) for student in _entries(file, read_named_file(file)) if student)
    if (folder / team_lists.FILE_NAME).is_file():
        yield from (Trace(student_key(name)) for name in team_lists.members_in(folder / team_lists.FILE_NAME))


def in_class_folder(folder: Path, person: Person, work: TeamWork) -> Iterator[Found]:
    """Yield the entries about the student, and the lines that name the student elsewhere. Raises SpecError.

    Entries that a team needs are passed on to another member.
    """
    for file in _present(folder):
        original = read_named_file(file)
        inherited = work.inherited(file.stem, _read_entries(file, original), person) if work.members else {}
        before = after = _with_entries(file, original, inherited) if inherited else original
        if file.suffix == ".csv":
            lines = {line for line, student in _students(before) if student == person.student}
            if file.name in roster.FILE_NAMES:
                places = roster.read_roster(file).places.items()
                lines = {place.line for name, place in places if student_key(name) == person.student}
            number, entries, after = (
                len(lines),
                sum(any(cells) for _, cells, _ in _records(before)) - 1,
                without_rows(before, lines),
            )
        else:
            students = _entries(file, before)
            indexes = [index for index, student in enumerate(students) if student == person.student]
            number, entries = len(indexes), len(students)
            if number < entries:
                after = _without_entries(file, before, indexes)
        if number and number == entries:
            yield removed_path(file, "the file, which has no other entry")
            continue
        if number or inherited:
            kept = f"; {len(inherited)} now of others of the team ({work.words})" if inherited else ""
            yield rewritten_file(file, f"{number or len(inherited)} of {entries} entries{kept}", original, after)
        yield from _still_named(file, after, person)
    teams = folder / team_lists.FILE_NAME
    if teams.is_file():
        removals = list(team_lists.in_team_lists(teams, person))
        yield from removals
        if not removals:
            yield from _still_named(teams, read_named_file(teams), person)


def _still_named(file: Path, content: bytes, person: Person) -> Iterator[Remainder]:
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        if person.is_named_in(line):
            yield Remainder(f"{file}:{number} still names {person.student}; change it by hand")


def _present(folder: Path) -> list[Path]:
    return [folder / name for name in _FILES if (folder / name).is_file()]


def _entries(file: Path, content: bytes) -> list[str]:
    """Return the student of each entry of a YAML file, or an empty string for a comment on a group."""
    document = document_in(file, decoded(file, content))
    data: Any = document.data
    try:
        entries = data[_key(file)]
        if file.name in roster.FILE_NAMES:
            identities = ({field.name: entry.get(field.name) for field in fields(StudentIdentity)} for entry in entries)
            return [student_key(student_name(StudentIdentity(**identity))) for identity in identities]
        if file.name == COMMENTS_FILE:
            return [student_key(entry["student"]) if "student" in entry else "" for entry in entries]
        return [student_key(entry["student"]) for entry in entries]
    except (LookupError, TypeError, AttributeError):
        raise SpecError([Problem(SourceLocation(file, 1, 1), f"expected `{_key(file)}`: a list of students")]) from None


def _key(file: Path) -> str:
    return "students" if file.name in roster.FILE_NAMES else file.stem


def _without_entries(file: Path, content: bytes, indexes: list[int]) -> bytes:
    """Cut the lines of the entries out of a YAML file. Raises ForgetError if other data would change."""
    text = decoded(file, content)
    lines = text.splitlines(keepends=True)
    nodes = _nodes(text, _key(file))
    starts = [node.start_mark.line for node in nodes]
    ends = [*starts[1:], nodes[-1].end_mark.line + 1]
    for index in reversed(indexes):
        end = ends[index]
        data_end = end
        while data_end > starts[index] + 1 and _holds_no_data("".join(lines[data_end - 1 : data_end])):
            data_end -= 1
        # An empty line below the entry is removed too.
        del lines[starts[index] : data_end + (data_end < end and not lines[data_end].strip())]
    after = (BOM_UTF8 if content.startswith(BOM_UTF8) else b"") + "".join(lines).encode()
    if not _has_data(file, after, _without(document_in(file, text).data, _key(file), indexes)):
        raise ForgetError(f"{file}: the entries share lines with other data; take them out by hand.")
    return after


def _read_entries(file: Path, content: bytes) -> list[dict[str, str]]:
    """Return the text values of each entry in a file."""
    if file.suffix != ".csv":
        data: Any = document_in(file, decoded(file, content)).data
        return [{name: str(value) for name, value in entry.items()} for entry in data[_key(file)]]
    header, *rows = [cells for _, cells, _ in _records(content) if any(cells)]
    return [dict(zip(header, cells, strict=False)) for cells in rows]


def _with_entries(file: Path, content: bytes, changed: Mapping[int, Mapping[str, str]]) -> bytes:
    """Replace the entries at these indexes. Raises ForgetError if other data would change."""
    if file.suffix != ".csv":
        return _with_yaml_entries(file, content, changed)
    rows: list[str] = []
    header: list[str] | None = None
    index = -1
    separator = separator_of(content.decode("utf-8", "surrogateescape"))
    for _, cells, raw in _records(content):
        if header is not None and any(cells):
            index += 1
            if index in changed:
                out = StringIO()
                ending = "\r\n" if raw.endswith("\r\n") else "\n"
                written = [safe_cell(changed[index].get(name, "")) for name in header]
                csv.writer(out, delimiter=separator, lineterminator=ending).writerow(written)
                raw = out.getvalue()
        elif any(cells):
            header = cells
        rows.append(raw)
    return "".join(rows).encode("utf-8", "surrogateescape")


def _with_yaml_entries(file: Path, content: bytes, changed: Mapping[int, Mapping[str, str]]) -> bytes:
    text = decoded(file, content)
    after = text
    nodes = _nodes(text, _key(file))
    for index in sorted(changed, reverse=True):
        node = nodes[index]
        start, end = node.start_mark.index, node.end_mark.index
        space = text[start:end][len(text[start:end].rstrip()) :]
        pairs = (
            f"{name}: {value if value.isdecimal() else json.dumps(value)}" for name, value in changed[index].items()
        )
        after = f"{after[:start]}{{{', '.join(pairs)}}}{space}{after[end:]}"
    data: Any = document_in(file, text).data
    entries: YamlData = [dict(changed.get(index, entry)) for index, entry in enumerate(data[_key(file)])]
    encoded = (BOM_UTF8 if content.startswith(BOM_UTF8) else b"") + after.encode()
    if not _has_data(file, encoded, {**data, _key(file): entries}):
        raise ForgetError(f"{file}: the entries of the team share lines with other data; change them by hand.")
    return encoded


def _nodes(text: str, key: str) -> list[yaml.Node]:
    """Return the parsed items of the list at `key`."""
    document: Any = yaml.compose(text, Loader=loader_for(text))
    return list(next(value.value for name, value in document.value if name.value == key))


def _holds_no_data(line: str) -> bool:
    """Return whether a line holds no data; comments before the next entry stay."""
    return not line.strip() or line.lstrip().startswith("#")


def _without(data: Any, key: str, indexes: list[int]) -> YamlData:
    return {**data, key: [entry for index, entry in enumerate(data[key]) if index not in indexes]}


def _has_data(file: Path, content: bytes, expected: YamlData) -> bool:
    try:
        return document_in(file, decoded(file, content)).data == expected
    except SpecError:
        return False


def rows_of(content: bytes, student: str) -> set[int]:
    """Return the lines in which the rows of a student end, in a table with the column `student`."""
    return {line for line, name in _students(content) if name == student}


def without_rows(content: bytes, lines: Collection[int]) -> bytes:
    """Return a table without the rows that end in these lines."""
    remaining = (raw for line, _, raw in _records(content) if line not in lines)
    return "".join(remaining).encode("utf-8", "surrogateescape")


def without_notes(content: bytes, is_named_in: Callable[[str], bool]) -> bytes:
    """Return the table of results without the notes, in the column `notes`, that name a student."""
    rows: list[str] = []
    column = None
    for _, cells, raw in _records(content):
        column = cells.index("notes") if column is None and "notes" in cells else column
        if column is not None and column < len(cells) and is_named_in(cells[column]):
            kept = (note for note in cells[column].split(_BETWEEN_NOTES) if not is_named_in(note))
            cells[column] = _BETWEEN_NOTES.join(kept)
            raw = csv_text([[safe_cell(cell) for cell in cells]])
        rows.append(raw)
    return "".join(rows).encode("utf-8", "surrogateescape")


def _students(content: bytes) -> Iterator[tuple[int, str]]:
    column = None
    for line, cells, _ in _records(content):
        if not any(cells):
            continue
        if column is None:
            column = cells.index("student") if "student" in cells else len(cells)
        elif column < len(cells):
            yield line, student_key(cells[column])


def _records(content: bytes) -> Iterator[tuple[int, list[str], str]]:
    """Yield each row: the line in which it ends, its cells, and its original text."""
    text = content.decode("utf-8", "surrogateescape")
    read: list[str] = []

    def lines() -> Iterator[str]:
        for line in StringIO(text, newline=""):
            read.append(line)
            yield line

    rows = csv.reader(lines(), delimiter=separator_of(text))
    for row in rows:
        yield rows.line_num, [plain_cell(cell.strip().removeprefix("\ufeff")) for cell in row], "".join(read)
        read.clear()
