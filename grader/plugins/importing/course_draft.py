"""A course folder in the making: its files, its YAML, and notes on anything that could not be expressed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePosixPath

from grader.config.scalars import NAME, NAME_RULE
from grader.config.yaml_writer import Writable, yaml_document
from grader.errors import GraderError, reported_as
from grader.text.words import format_decimal

NOTES_FILE = "IMPORT.md"
"""The file in the assignment's folder that lists what was not imported."""

PART = "program"
"""The only part of an imported assignment."""

_LONGEST_NAME = 80


class ImportingError(GraderError):
    """The given files cannot be imported."""


@dataclass(frozen=True)
class LabelledProgram:
    """A program with a known result: the student it is submitted as, its author's label, and its source."""

    student: str
    label: str
    source: str


@dataclass(frozen=True, kw_only=True)
class ImportedAssignment:
    """The result of an import: an assignment of a course, and notes on what could not be expressed in it."""

    course: Path
    id: str
    tests: int
    labelled: tuple[LabelledProgram, ...]
    notes: tuple[str, ...]


class CourseDraft:
    """The collected output of an importer. Nothing is written before `write`."""

    def __init__(self, assignment: str, source: Path) -> None:
        """Start an empty draft. Raises ImportingError if `assignment` is not a valid id of an assignment."""
        self.id, self.source = assignment, source
        self._files: dict[PurePosixPath, bytes | Path] = {}
        self._notes: list[str] = []
        self._labelled: list[LabelledProgram] = []
        self._points_left_out = Decimal(0)
        if not NAME.fullmatch(self.id):
            raise ImportingError(f"`{self.id}` cannot be the id of an assignment; expected {NAME_RULE} (--id).")

    def note(self, text: str) -> None:
        """Note what could not be imported, or how it was understood; equal notes are kept once."""
        if text not in self._notes:
            self._notes.append(text)

    def leave_out(self, test: str, points: Decimal, reason: object) -> None:
        """Note that a test was not imported, and its points."""
        worth = f" ({_points(points)})" if points else ""
        self.note(f"{test}{worth} was not imported: {reason}.")
        self._points_left_out += points

    def note_points(self, imported: Decimal) -> None:
        """Note once how many points remain if some tests were omitted."""
        if self._points_left_out:
            whole = imported + self._points_left_out
            self.note(f"{format_decimal(imported)} of {_points(whole)} were imported.")

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes so far."""
        return tuple(self._notes)

    def add(self, path: str, content: str | bytes | Path) -> None:
        """Add a file by its path in the course folder; if the content is a path, that file is copied."""
        self._files[PurePosixPath(path)] = (
            content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        )

    def add_own(self, path: str, content: str | bytes | Path) -> None:
        """Add a file by its path in the assignment's folder."""
        self.add(f"test_specs/{self.id}/{path}", content)

    def add_yaml(self, path: str, content: Mapping[str, Writable]) -> None:
        """Add a YAML file to the assignment's folder."""
        self.add_own(path, yaml_document(content))

    def add_folder(self, path: str, folder: Path) -> None:
        """Add all files of `folder`, or `folder` itself if it is a file."""
        if folder.is_file():
            self.add(f"{path}/{folder.name}", folder)
            return
        for name, file in files_in(folder):
            self.add(f"{path}/{name}", file)

    def add_labelled(self, label: str, source: str, files: Mapping[str, Path]) -> None:
        """Add a program to grade, with its files under the names students would use."""
        taken = {program.student for program in self._labelled}
        student = base = f"{label}-{safe_name(source)}"
        number = 1
        while student in taken:
            number += 1
            student = f"{base}-{number}"
        self._labelled.append(LabelledProgram(student, label, source))
        for name, file in files.items():
            self.add(f"submissions/{self.id}/{student}/{name}", file)

    def write(self, course: Path, tests: int) -> ImportedAssignment:
        """Write all files. Raises ImportingError, without changing anything, if another file already exists."""
        self.add_own(NOTES_FILE, "".join(self._notes_lines()))
        with reported_as(ImportingError, f"The course cannot be written to {course}"):
            self._refuse_to_overwrite(course)
            for path, content in self._files.items():
                file = course / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content.read_bytes() if isinstance(content, Path) else content)
        return ImportedAssignment(
            course=course, id=self.id, tests=tests, labelled=tuple(self._labelled), notes=tuple(self._notes)
        )

    def _refuse_to_overwrite(self, course: Path) -> None:
        for folder in (course / "test_specs" / self.id, course / "submissions" / self.id):
            if folder.exists():
                raise ImportingError(f"{folder} is there already; nothing was changed. Name another folder or --id.")
        for path, content in self._files.items():
            file = course / path
            if file.exists() and file.read_bytes() != (content.read_bytes() if isinstance(content, Path) else content):
                raise ImportingError(f"{file} is there already, with another content; nothing was changed.")

    def _notes_lines(self) -> Iterator[str]:
        yield f"# What became of {self.source.name}\n\n"
        if self._notes:
            yield "Not imported, or understood so:\n\n"
            yield from (f"- {note}\n" for note in self._notes)
        else:
            yield "All of it was imported.\n"
        if self._labelled:
            yield "\nPrograms whose result is known:\n\n| handed in as | label | file |\n| --- | --- | --- |\n"
            yield from (f"| {program.student} | {program.label} | {program.source} |\n" for program in self._labelled)


def _points(number: Decimal) -> str:
    return f"{format_decimal(number)} point{'' if number == 1 else 's'}"


def files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder and its subfolders by their paths, except for Python's caches."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(folder).as_posix(), file


def safe_name(text: str) -> str:
    """Return the text in a form that can be part of a file or test name: letters, digits, `_`, `.` and `-`."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-.") or "x"


class UniqueNames:
    """Names for tests, each used only once."""

    def __init__(self) -> None:
        """Start without any names."""
        self._taken: set[str] = set()

    def of(self, text: str) -> str:
        """Return a name similar to `text` that has not been used yet."""
        plain = safe_name(text)[:_LONGEST_NAME].strip("-.") or "test"
        name, number = plain, 1
        while name in self._taken:
            number += 1
            name = f"{plain}-{number}"
        self._taken.add(name)
        return name


@dataclass(frozen=True, kw_only=True)
class AssignmentDraft:
    """The content of assignment.yaml; `more` holds keys that few assignments have.

    `others` are further programs; their tests specify the `program`.
    """

    draft: CourseDraft
    title: str
    program: Mapping[str, Writable]
    further_files: tuple[str, ...]
    marks: Decimal
    due: date
    others: Sequence[Mapping[str, Writable]] = ()
    limits: Mapping[str, Writable] = field(default_factory=dict)
    more: Mapping[str, Writable] = field(default_factory=dict)

    def add(
        self,
        tests: Sequence[Mapping[str, Writable]],
        groups: Sequence[Mapping[str, Writable]] = (),
        defaults: Mapping[str, Writable] | None = None,
    ) -> None:
        """Put assignment.yaml and a file of tests for each program into the draft; `defaults` apply to all tests."""
        entry: dict[str, Writable] = {
            "format": 1,
            "id": self.draft.id,
            "title": self.title,
            "programs": [self.program, *self.others],
        }
        if self.further_files:
            entry["further_files"] = list(self.further_files)
        entry["parts"] = [{"id": PART, "title": self.title, "marks": f"{self.marks:f}"}]
        if groups:
            entry["groups"] = list(groups)
        entry |= {"due": f"{self.due.isoformat()} 23:59", "time_zone": "UTC"}
        if self.limits:
            entry["limits"] = self.limits
        self.draft.add_yaml("assignment.yaml", {**entry, **self.more})
        self.draft.note(f"The due date is {self.due.isoformat()} 23:59 UTC; change it in assignment.yaml.")
        names = UniqueNames()
        for program in map(str, (entry["file"] for entry in (self.program, *self.others))):
            of_program = [test for test in tests if test.get("program", self.program["file"]) == program]
            file: dict[str, Writable] = {"format": 1, "program": program, "part": PART, **(defaults or {})}
            listed: list[Writable] = [
                {key: value for key, value in test.items() if key != "program"} for test in of_program
            ]
            name = names.of(program) if self.others else "tests"
            self.draft.add_yaml(f"tests/{name}.yaml", {**file, "tests": listed})


def test_files(draft: CourseDraft, test: str, files: Sequence[tuple[str, Path]]) -> dict[str, Writable]:
    """Add the files that a program finds beside it in one test, and return their entry in the test."""
    named: dict[str, Writable] = {}
    for name, file in files:
        draft.add_own(f"files/{test}/{name}", file)
        named[name] = f"{test}/{name}"
    return named
