"""The right programs that mutants are made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.reference_files import all_references
from grader.model.assignment import Assignment
from grader.model.submission import Submission, SubmittedFile, TimeSource


@dataclass(frozen=True, eq=False)
class BaseProgram:
    """A right program: what the assignment calls it, its text, and the files that lie beside it."""

    file: str
    source: str
    beside: tuple[SubmittedFile, ...] = ()

    def submission(self, source: str, folder: Path) -> Submission:
        """This program with another text as a submission, written to `folder`, which must be new."""
        path = folder / self.file
        path.parent.mkdir(parents=True)
        path.write_text(source, encoding="utf-8")
        files = (SubmittedFile(self.file, path), *self.beside)
        return Submission(student=folder.name, files=files, submitted=None, time_source=TimeSource.NONE, notes=())


def references(assignment: Assignment) -> Iterator[BaseProgram]:
    """The references, each beside the others."""
    files = [SubmittedFile(name, path) for path, name in all_references(assignment)]
    for program in assignment.programs:
        beside = tuple(file for file in files if file.name != program.file)
        yield BaseProgram(program.file, read_reference(program.reference), beside=beside)


def read_reference(path: Path) -> str:
    """The text of a reference."""
    return path.read_text(encoding="utf-8")
