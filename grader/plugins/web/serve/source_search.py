"""Searches for a string in the files that a class submitted."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from grader.files.source_text import NoSourceError, source_text
from grader.model.outcome import CodeLine
from grader.model.submission import Submission


@dataclass(frozen=True)
class FoundLine:
    """A line that contains the text, with its code, in a file of a student; `file_number` counts files from 1."""

    student: str
    place: CodeLine
    code: str
    file_number: int


@dataclass(frozen=True)
class SearchFound:
    """The first lines that contain a text, the total number of such lines, and the number of students who have any."""

    lines: tuple[FoundLine, ...]
    count: int
    students: int


def search_files(submissions: Iterable[Submission], text: str, most: int) -> SearchFound:
    """Return the lines of submitted files that contain `text`, ignoring case; at most `most` lines are listed.

    Binary, very large and missing files are skipped.
    """
    folded_text = text.casefold()
    lines: list[FoundLine] = []
    count = 0
    students: set[str] = set()
    for line in _lines(submissions):
        if folded_text in line.code.casefold():
            count += 1
            students.add(line.student)
            if len(lines) < most:
                lines.append(line)
    return SearchFound(tuple(lines), count, len(students))


def _lines(submissions: Iterable[Submission]) -> Iterator[FoundLine]:
    for submission in submissions:
        for file_number, file in enumerate(submission.files, 1):
            with suppress(NoSourceError):
                for number, code in enumerate(source_text(file.path).splitlines(), 1):
                    yield FoundLine(submission.student, CodeLine(file.name, number), code, file_number)
