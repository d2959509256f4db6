"""Reads requests.yaml: students' regrade requests and their answers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, model_validator

from grader.class_files.student_entries import by_student, notes_on_unknown
from grader.config.scalars import FormatOne, Name, Sentence, StudentName
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import YamlDocument, read_document
from grader.errors import Problem, SpecError, nearest, quoted, unexpected
from grader.model.assignment import Assignment
from grader.model.regrade import RegradeRequest, RequestState

FILE_NAME = "requests.yaml"


def _not_blank(text: str) -> str:
    if not text.strip():
        raise unexpected(text, "a text")
    return text


class _Request(SpecModel):
    """A student's regrade request, and the answer."""

    id: Name
    """A unique name or number for the request."""
    student: StudentName
    """The name of the student, as in extensions.yaml."""
    about: Name | None = None
    """The id of a test, of an item marked by hand, or of a rule. Default: the whole mark."""
    request: Annotated[str, AfterValidator(_not_blank)]
    """The text of the request, which can have several lines."""
    state: RequestState = RequestState.OPEN
    """`open` (the default), `answered` or `declined`."""
    answer: str = ""
    """The answer to the student, required unless the request is open."""
    by: Sentence | None = None
    """The person who answered, required unless the request is open."""

    @model_validator(mode="after")
    def _is_answered_as_its_state_says(self) -> "_Request":
        if self.state is RequestState.OPEN and self.answer.strip():
            raise ValueError("found `answer` of an open request; expected `state: answered` or `state: declined`")
        if self.state is not RequestState.OPEN and not (self.answer.strip() and self.by):
            raise ValueError(f"found `state: {self.state}`; expected the `answer` with it, and `by` whom")
        return self

    def regrade_request(self) -> RegradeRequest:
        """Return the request as the model that the grader uses."""
        return RegradeRequest(
            id=self.id,
            student=self.student,
            about=self.about,
            text=self.request.strip(),
            state=self.state,
            answer=self.answer.strip(),
            by=self.by or "",
        )


class RequestsFile(SpecModel):
    """Regrade requests from students, and your answers.

    The student's feedback includes both. You can edit this file yourself, or answer requests in the browser.
    """

    format: FormatOne
    """Version of this format: `1`."""
    requests: tuple[_Request, ...]
    """The requests. The list can be empty."""


@dataclass(frozen=True)
class RegradeRequests:
    """The requests by student, in the order of the file, and notes about students who are not in the class."""

    of: Mapping[str, tuple[RegradeRequest, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[RegradeRequest, ...]:
        """Return the requests of all students."""
        return tuple(request for requests in self.of.values() for request in requests)


def read_requests(file: Path, assignment: Assignment, students: Iterable[str]) -> RegradeRequests:
    """Return the requests in `file`.

    Raises SpecError if the file is faulty, mentions an unknown test or item, or repeats an id. A name that is not among
    `students` becomes a note.
    """
    return requests_in(read_document(file), assignment, students)


def requests_in(document: YamlDocument, assignment: Assignment, students: Iterable[str]) -> RegradeRequests:
    """Return the requests in a document. Raises SpecError as `read_requests` does."""
    content = validate(document, RequestsFile).content
    problems = list(_problems(document, content, assignment))
    if problems:
        raise SpecError(problems)
    entries = [
        (document.place(("requests", index, "student")), entry.student, entry.regrade_request())
        for index, entry in enumerate(content.requests)
    ]
    return RegradeRequests(by_student(entries), notes_on_unknown(entries, students))


def subjects_of(assignment: Assignment) -> set[str]:
    """Return the names of the tests, items and rules that requests and comments can be about."""
    return {subject.id for subjects in (assignment.tests, assignment.manual, assignment.rules) for subject in subjects}


def _problems(document: YamlDocument, content: RequestsFile, assignment: Assignment) -> Iterator[Problem]:
    subjects = subjects_of(assignment)
    seen: set[str] = set()
    for index, entry in enumerate(content.requests):
        if entry.about is not None and entry.about not in subjects:
            message = f"there is no test, item or rule {quoted(entry.about)}{nearest(entry.about, subjects)}"
            yield Problem(document.place(("requests", index, "about")), message)
        if entry.id in seen:
            yield Problem(document.place(("requests", index, "id")), f"{quoted(entry.id)} is given twice")
        seen.add(entry.id)
