"""The students' names on the pages: their own, or numbers that do not reveal who they are."""

import hmac
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from grader.grading.nameless_class import with_texts
from grader.intake.nameless import Nameless
from grader.model.judgement import Verdict
from grader.model.results import StudentComment, StudentResult, TestResult
from grader.model.submission import Submission
from grader.text.file_names import file_names

_MIN_NUMBERS = 9_000
_FIRST_NUMBER = 1_000


@dataclass(frozen=True)
class StudentNames:
    """The names that pages show, by student, and the file name of each student's page, by shown name."""

    shown: Mapping[str, str]
    pages: Mapping[str, str]
    nameless: Nameless | None
    """A function that removes names from everything that is shown, or None if students appear under their own names."""

    @property
    def is_anonymous(self) -> bool:
        """Return whether students appear as numbers."""
        return self.nameless is not None

    def page(self, page: str) -> str:
        """Return a page as it is shown."""
        return page if self.nameless is None else self.nameless.page(page)

    def prose(self, text: str) -> str:
        """Return a person's text as it is shown."""
        return text if self.nameless is None else self.nameless.prose(text)

    def _remark(self, comment: StudentComment, files: Container[str]) -> StudentComment:
        file = None if comment.file is None else self.file_among(files, comment.file)
        return replace(comment, text=self.prose(comment.text), file=file)

    def file(self, name: str) -> str:
        """Return the name of a submitted file as it is shown."""
        return name if self.nameless is None else self.nameless.plain(name)

    def file_among(self, files: Container[str], name: str) -> str:
        """Return the name of a file as it is shown; a name not among the `files` shown is a person's text."""
        shown = self.file(name)
        return shown if shown in files else self.prose(name)

    def student_at(self, page: str) -> str | None:
        """Return the student whose page has this name, or None for an unknown page."""
        name = next((name for name, file in self.pages.items() if file == page), None)
        return next((student for student, shown in self.shown.items() if shown == name), None)

    def row(self, row: StudentResult) -> StudentResult:
        """Return the row for pages: without names, email addresses and notes if students appear as numbers."""
        if self.nameless is None:
            return row
        submission = self.nameless.submission(row.graded.submission)
        requests = tuple(replace(regrade_request, student=submission.student) for regrade_request in row.requests)
        files = [file.name for file in submission.files]
        remarks = tuple(self._remark(comment, files) for comment in row.remarks)
        granted = replace(row.granted, reason="")
        graded = row.graded.with_results(partial(_without_names_of_files, names=self.nameless))
        row = replace(
            row, graded=replace(graded, submission=submission), requests=requests, remarks=remarks, granted=granted
        )
        return row if submission.submitted is None else _to_the_hour(row, submission.submitted)


def _without_names_of_files(results: Sequence[TestResult], names: Nameless) -> Sequence[TestResult]:
    """Return the results without names of students in sentences about missing files, which mention similar names."""
    return [
        replace(result, judgement=with_texts(result.judgement, names.prose))
        if result.verdict is Verdict.MISSING_FILE
        else result
        for result in results
    ]


def _to_the_hour(row: StudentResult, submitted: datetime) -> StudentResult:
    """Return the row without the minute of submission, which others in the room may know."""
    hour = submitted.replace(minute=0, second=0, microsecond=0)
    submission = replace(row.graded.submission, submitted=hour)
    mark = with_texts(row.mark, lambda text: text.replace(_time(submitted), _time(hour)))
    return replace(row, graded=replace(row.graded, submission=submission), mark=mark)


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def names_of(submissions: Sequence[Submission]) -> StudentNames:
    """Return students by their own names."""
    students = sorted({submission.student for submission in submissions})
    return StudentNames({student: student for student in students}, file_names(students), nameless=None)


def numbers_of(submissions: Sequence[Submission], assignment: str, secret: bytes, folder: Path) -> StudentNames:
    """Return students as numbers, the same in every run, which can only be computed with the `secret`.

    Copies of programs are written to `folder`.
    """
    students = {submission.student for submission in submissions}
    count = max(_MIN_NUMBERS, 100 * len(students))
    taken: dict[int, str] = {}
    for digest, student in sorted(
        (hmac.digest(secret, f"{assignment}\n{student}".encode(), "sha256"), student) for student in students
    ):
        number = int.from_bytes(digest[:8]) % count
        while number in taken:
            number = (number + 1) % count
        taken[number] = student
    shown = {student: f"student {number + _FIRST_NUMBER}" for number, student in taken.items()}
    pages = {name: name.removeprefix("student ") for name in shown.values()}
    return StudentNames(shown, pages, Nameless(submissions, shown, folder))
