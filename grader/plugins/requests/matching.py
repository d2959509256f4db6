"""Finds the student and subject of each request; otherwise, keeps the original text and reports its place."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from grader.errors import Problem, nearest, quoted
from grader.model.regrade import RegradeRequest
from grader.model.submission import Submission
from grader.plugins.requests.messages import ReceivedRequest
from grader.text.language import told
from grader.text.names import student_key

_MAX_OF_NAME = 200


@dataclass(frozen=True)
class MatchedRequests:
    """The new requests, the number that already existed, and notes for a person."""

    new: Sequence[RegradeRequest]
    already: int
    problems: Sequence[Problem]


@dataclass(kw_only=True)
class RequestMatcher:
    """A matcher of requests with the students of a class, the subjects of its assignment, and earlier requests.

    `hidden` holds the number that students see for each hidden test.
    """

    submissions: Sequence[Submission]
    subjects: Set[str]
    there: Sequence[RegradeRequest]
    hidden: Mapping[str, int]
    problems: list[Problem] = field(default_factory=list)

    def matched(self, received: Iterable[ReceivedRequest]) -> MatchedRequests:
        """Return the received requests, numbered after the existing ones."""
        students = _by_name(self.submissions)
        earlier = {_key(request): request for request in self.there}
        number = max((int(request.id) for request in self.there if request.id.isdecimal()), default=0)
        new: dict[tuple[str, str | None, str], ReceivedRequest] = {}
        numbered: list[RegradeRequest] = []
        already = 0
        for sent in received:
            request = self._request(sent, students, str(number + 1))
            if request is None:
                continue
            key = _key(request)
            if key in earlier:
                already += 1
            elif key in new:
                self._tell(sent, f"the same request as in {new[key].place}; it is taken once")
            else:
                new[key] = sent
                numbered.append(request)
                number += 1
        return MatchedRequests(numbered, already, self.problems)

    def _request(self, sent: ReceivedRequest, students: Mapping[str, Set[str]], number: str) -> RegradeRequest | None:
        """Return the request, or None if it has no text or no student."""
        if not sent.text.strip():
            self._tell(sent, f"{quoted(sent.student or sent.sender or '?')} asks nothing: the text is empty")
            return None
        student = self._student(sent, students)
        if student is None:
            return None
        about, text = self._about(sent)
        return RegradeRequest(id=number, student=student, about=about, text=text)

    def _student(self, sent: ReceivedRequest, students: Mapping[str, Set[str]]) -> str | None:
        fitting = students.get(_folded(sent.student), set())
        named = _only_student(students, sent.student)
        sender = _only_student(students, sent.sender) or _only_student(students, sent.sender.partition("@")[0])
        if named and sender and named != sender:
            self._tell(sent, f"{quoted(sender)} sent this in the name of {quoted(named)}: ask them")
        if named or (sender and (not sent.student or sender in fitting)):
            return named or sender
        written = sent.student or sent.sender
        if not written:
            self._tell(sent, f"no student is named; not taken: {sent.text[:200]!r}")
            return None
        hint = f"; {quoted(sender)} sent it" if sender else nearest(written[:_MAX_OF_NAME], _names_in_reports(students))
        if fitting:
            both = " and ".join(map(quoted, sorted(fitting)))
            self._tell(
                sent, f"{quoted(written)} fits {both}{hint if sender else ''}; taken under this name: correct it"
            )
        else:
            self._tell(sent, f"no submission of {quoted(written)}{hint}; taken under this name")
        return student_key(written)

    def _about(self, sent: ReceivedRequest) -> tuple[str | None, str]:
        """Return the subject of the request, and its text; an unknown subject becomes part of the text."""
        text = sent.text.strip()
        if not sent.about:
            return None, text
        subject = self._subject(_folded(sent.about))
        if subject is None:
            hint = nearest(sent.about[:_MAX_OF_NAME], self.subjects)
            self._tell(sent, f"there is no test, item or rule {quoted(sent.about)}{hint}; taken about the whole mark")
            return None, f"About {sent.about}:\n{text}"
        return subject, text

    def _subject(self, about: str) -> str | None:
        """Return the test, item or rule with this name, or the hidden test that students see under it."""
        for test, number in self.hidden.items():
            if about in (f"hidden test {number}", _folded(told("hidden test {number}", number=number))):
                return test
        return next((name for name in self.subjects if _folded(name) == about), None)

    def _tell(self, sent: ReceivedRequest, message: str) -> None:
        self.problems.append(Problem(sent.place, message))


def _key(request: RegradeRequest) -> tuple[str, str | None, str]:
    return request.student, request.about, " ".join(request.text.split())


def _by_name(submissions: Iterable[Submission]) -> dict[str, Set[str]]:
    """Map every name to the students who have it; a student's name in reports only stands for that student."""
    owners: dict[str, set[str]] = {}
    for submission in submissions:
        identity = submission.identity
        names = (identity.name, identity.id, identity.email, identity.login, identity.moodle, identity.canvas)
        for name in filter(None, names):
            owners.setdefault(_folded(name), set()).add(submission.student)
    return {**owners, **{_folded(submission.student): {submission.student} for submission in submissions}}


def _only_student(students: Mapping[str, Set[str]], name: str) -> str | None:
    fitting = students.get(_folded(name), set())
    return next(iter(fitting)) if len(fitting) == 1 else None


def _names_in_reports(students: Mapping[str, Set[str]]) -> set[str]:
    return {name for fitting in students.values() for name in fitting}


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
