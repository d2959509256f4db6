"""The decisions that a person can make while marking, each a change to one value in a file about a class."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from typing import TypeAlias

from grader.model.mark import MarkOverride, Override
from grader.model.regrade import RegradeRequest
from grader.model.results import StudentComment
from grader.text.words import format_decimal

_DIGITS = 16


class RuleDecision(StrEnum):
    """A person's decision on a rule that asks for one: its cost counts or does not."""

    CONFIRM = "confirm"
    WAIVE = "waive"


@dataclass(frozen=True)
class GivePoints:
    """The points for an item; None takes them back."""

    student: str
    item: str
    points: Decimal | None


@dataclass(frozen=True)
class DecideRule:
    """The decision on a rule that asks for one; None takes it back."""

    student: str
    rule: str
    decision: RuleDecision | None


@dataclass(frozen=True)
class DecideOverride:
    """The mark (`test` is None) or the verdict on a test instead of the grader's; None takes it back."""

    student: str
    test: str | None
    override: Override | None


@dataclass(frozen=True)
class SayToGroup:
    """A comment to all members of a group of failures; None takes it back."""

    group: str
    comment: str | None


@dataclass(frozen=True)
class CommentSubject:
    """The subject of a comment for one student: a line of a file, a test, item or rule (`about`), or all their work."""

    file: str | None = None
    line: int | None = None
    about: str | None = None

    @property
    def key(self) -> str:
        """The subject in the form of the audit log."""
        return f"{self.file}:{self.line}" if self.file is not None else self.about or ""

    @classmethod
    def of_key(cls, key: str) -> "CommentSubject":
        """Return the subject of a key of the audit log."""
        file, _, line = key.rpartition(":")
        return cls(file, int(line)) if file and line.isdecimal() else cls(about=key or None)


@dataclass(frozen=True)
class SayToStudent:
    """A comment for one student; None takes it back."""

    student: str
    subject: CommentSubject
    comment: StudentComment | None


@dataclass(frozen=True)
class WriteRequest:
    """A request of a student, either new or answered."""

    request: RegradeRequest


Decision: TypeAlias = GivePoints | DecideRule | DecideOverride | SayToGroup | SayToStudent | WriteRequest

Decided: TypeAlias = Decimal | RuleDecision | Override | RegradeRequest | StudentComment | str | None
"""The value in a file for the subject of a decision, or None if the file has none."""

LoggedValue: TypeAlias = str | Mapping[str, str] | None


def wanted(decision: Decision) -> Decided:
    """Return the value that a decision writes to the file."""
    match decision:
        case GivePoints(points=points):
            return points
        case DecideRule(decision=ruling):
            return ruling
        case DecideOverride(override=override):
            return override
        case SayToGroup(comment=comment):
            return comment
        case SayToStudent(comment=remark):
            return remark
        case WriteRequest(request=request):
            return request


def token_of(value: Decided) -> str:
    """Return a short token, the same for equal values, with which a form records the value that its reader saw."""
    if value is None:
        return ""
    text = format_decimal(value) if isinstance(value, Decimal) else repr(value)
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def subject_of(comment: StudentComment) -> CommentSubject:
    """Return the subject of a comment."""
    return CommentSubject(comment.file, comment.line, comment.about)


def fields_of_value(value: Decided) -> LoggedValue:
    """Return the value in the form of the file: a text, or texts by key."""
    match value:
        case None | str():
            return value
        case Decimal():
            return format_decimal(value)
        case RegradeRequest():
            return request_entry(value)
        case StudentComment():
            return comment_entry(value)
        case _:
            return override_entry(value)


def override_entry(override: Override) -> dict[str, str]:
    """Return the keys of an entry of overrides.yaml, except for the student."""
    decision = override.decision
    if isinstance(override, MarkOverride):
        entry = {"mark": format_decimal(override.mark)}
    else:
        entry = {"test": override.test, "verdict": str(override.verdict)}
        if override.score is not None:
            entry["score"] = format_decimal(override.score)
    entry |= {"reason": decision.reason, "by": decision.by}
    return entry | ({"submission": decision.submission} if decision.submission else {})


def request_entry(request: RegradeRequest) -> dict[str, str]:
    """Return the keys of an entry of requests.yaml."""
    entry = {"id": request.id, "student": request.student}
    if request.about is not None:
        entry["about"] = request.about
    entry["request"] = request.text
    entry["state"] = str(request.state)
    if request.answer:
        entry |= {"answer": request.answer, "by": request.by}
    return entry


def comment_entry(comment: StudentComment) -> dict[str, str]:
    """Return the keys of an entry of comments.yaml, except for the student."""
    subject = {"file": comment.file, "line": comment.line, "about": comment.about}
    entry = {name: str(value) for name, value in subject.items() if value is not None}
    return entry | {"comment": comment.text} | ({"by": comment.by} if comment.by else {})
