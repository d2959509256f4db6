"""The student to forget: names and other identifying words, and the student's individual submissions."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import nearest, quoted
from grader.intake.identity_words import WordReplacer
from grader.plugins.forgetting.removal import ForgetError
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import LogEntry
from grader.reports.decision_log import read_audit_log
from grader.store.outcome_key import AFTER_OWNER, owner
from grader.text.names import composed

_NAMED = "\0the student\0"


@dataclass(frozen=True)
class Trace:
    """A mention of a student in an assignment (None means any), with other names, and digests of submissions."""

    student: str
    assignment: str | None = None
    words: frozenset[str] = frozenset()
    submissions: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Person:
    """The student, and the `assignment` in question (None means all); `assignments` are the ones with reports.

    `submissions` are the owners of this student's outcomes, `others` the owners of outcomes that must stay.
    """

    student: str
    assignment: str | None
    assignments: frozenset[str]
    words: WordReplacer
    submissions: frozenset[str]
    others: frozenset[str]

    def covers(self, assignment: object) -> bool:
        """Return whether entries on this assignment are to be deleted."""
        return self.assignment in (None, assignment)

    def is_named_in(self, text: str) -> bool:
        """Return whether a string names the student. A name that is part of another student's name does not count."""
        return _NAMED in self.words.replaced(text)[0]

    def may_hold(self, path: Path) -> bool:
        """Return whether a file may be about the assignment, judging by the folders around it."""
        return self.assignment is None or self.assignment in path.parts

    def is_own(self, submission: str) -> bool:
        """Return whether a submission with this digest was submitted by this student alone."""
        return owner(submission) in self.submissions - self.others

    def loses(self, key: str, *, alone: bool) -> bool:
        """Return whether to delete the outcome with this key; `alone` is set if no other course uses the store.

        In that case, programs that the reports do not mention are deleted too, because a killed run has graded them.
        Outcomes of earlier versions have no owner, and no run uses them any more.
        """
        of_submission = key.rpartition(AFTER_OWNER)[0]
        return not of_submission or (of_submission not in self.others and (alone or of_submission in self.submissions))


def person_in(traces: Iterable[Trace], student: str, assignment: str | None) -> Person:
    """Find the student in all traces of the class. Raises ForgetError if the student is not mentioned."""
    student, every = composed(student), list(traces)
    meant = [trace for trace in every if _is_about(trace, student, assignment)]
    if not meant:
        about = "" if assignment is None else f" in {assignment}"
        hint = nearest(student, {trace.student for trace in every})
        raise ForgetError(f"There is nothing about {quoted(student)}{about}{hint}")
    shared = {word for trace in every if trace.student != student for word in trace.words}
    words = {word for trace in every if trace.student == student for word in trace.words} - shared
    return Person(
        student=student,
        assignment=assignment,
        assignments=frozenset(trace.assignment for trace in meant if trace.assignment),
        words=WordReplacer({**dict.fromkeys(shared, ""), **dict.fromkeys((*words, student), _NAMED)}),
        submissions=_owners(meant),
        others=_owners(trace for trace in every if not _is_about(trace, student, assignment)),
    )


def traces_in_reports(reports: Path) -> Iterator[Trace]:
    """Yield the traces in the audit log and the results. Raises ForgetError and ReportError if they cannot be read."""
    for entry in read_audit_log(reports / AUDIT_LOG):
        if isinstance(entry, LogEntry):
            yield Trace(entry.student, entry.assignment, submissions=frozenset({entry.submission}))
        else:
            yield from (Trace(student, entry.assignment) for student in entry.students)
    for file in sorted(reports.glob("*/results.json")):
        try:
            content = json.loads(file.read_bytes())
            for row in content["submissions"]:
                words = words_of(row["identity"])
                yield Trace(row["student"], content["assignment"]["id"], words, frozenset({row["digest"]}))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise ForgetError(
                f"{file} cannot be read ({error!r}). Grade the class again, or remove the file."
            ) from None


def words_of(identity: Mapping[str, str | None]) -> frozenset[str]:
    """Return the words of an identity, except for plain numbers from a platform, with the name in both orders."""
    parts = re.split(r"[\s,]+", identity.get("name") or "")
    names = " ".join(parts), " ".join([*parts[1:], parts[0]]), " ".join([parts[-1], *parts[:-1]])
    return frozenset(filter(None, (*names, *(identity.get(name) for name in ("id", "login", "email")))))


def _is_about(trace: Trace, student: str, assignment: str | None) -> bool:
    return trace.student == student and (assignment is None or trace.assignment in (None, assignment))


def _owners(traces: Iterable[Trace]) -> frozenset[str]:
    return frozenset(owner(submission) for trace in traces for submission in trace.submissions)
