"""The correct programs from which mutants are made: the references, and student programs that pass all tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from grader.authoring.reference_files import all_references
from grader.model.assignment import Assignment
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.text.syntax import parse


@dataclass(frozen=True)
class Reference:
    """The origin of a program written by the instructor."""


@dataclass(frozen=True)
class Accepted:
    """The origin of a program that was submitted by students and passes all tests."""

    students: tuple[str, ...]


Origin: TypeAlias = Reference | Accepted
"""The author of a correct program."""


@dataclass(frozen=True, eq=False)
class BaseProgram:
    """A correct program: its name in the assignment, its text, its author, and the files beside it."""

    file: str
    source: str
    origin: Origin = Reference()
    beside: tuple[SubmittedFile, ...] = ()

    def submission(self, source: str, folder: Path) -> Submission:
        """Write this program with `source` as its text to a new `folder`, and return it as a submission."""
        path = folder / self.file
        path.parent.mkdir(parents=True)
        path.write_text(source, encoding="utf-8")
        files = (SubmittedFile(self.file, path), *self.beside)
        return Submission(student=folder.name, files=files, submitted=None, time_source=TimeSource.NONE, notes=())


def references(assignment: Assignment) -> Iterator[BaseProgram]:
    """Yield the references, each with the other references beside it."""
    files = [SubmittedFile(name, path) for path, name in all_references(assignment)]
    for program in assignment.programs:
        other_files = tuple(file for file in files if file.name != program.file)
        yield BaseProgram(program.file, read_reference(program.reference), beside=other_files)


@dataclass(frozen=True)
class AcceptedPrograms:
    """The programs of a class that can be mutated, and notes on the ones that cannot be read."""

    bases: tuple[BaseProgram, ...]
    unreadable: tuple[str, ...]


def accepted_programs(
    assignment: Assignment, accepted: Sequence[tuple[GradedSubmission, tuple[str, ...]]]
) -> AcceptedPrograms:
    """Return the Python programs in these submissions and their authors, without duplicates."""
    programs: dict[tuple[str, str], BaseProgram] = {}
    owners: dict[tuple[str, str], tuple[str, ...]] = {}
    unreadable: list[str] = []
    for graded, students in accepted:
        files = graded.submission.files
        for file in files:
            if file.name not in assignment.program_of or not file.name.endswith(".py"):
                continue
            try:
                source = _read_python(file.path)
            except (SyntaxError, ValueError) as error:
                unreadable.append(f"{file.name} of {', '.join(students)} makes no mutants: {error}")
                continue
            other_files = tuple(candidate for candidate in files if candidate is not file)
            programs.setdefault((file.name, source), BaseProgram(file.name, source, beside=other_files))
            owners[file.name, source] = (*owners.get((file.name, source), ()), *students)
    bases = (replace(base, origin=Accepted(owners[key])) for key, base in programs.items())
    return AcceptedPrograms(tuple(bases), tuple(unreadable))


def _read_python(path: Path) -> str:
    """Return the text of a program. Raises SyntaxError or ValueError if this version of Python cannot parse it."""
    source = path.read_bytes().decode("utf-8-sig")
    parse(source)
    return source


def read_reference(path: Path) -> str:
    """Return the text of a reference."""
    return path.read_text(encoding="utf-8")
