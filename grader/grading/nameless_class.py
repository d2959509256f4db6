"""Removes students' names from a graded class for anonymous marking."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from grader.errors import GraderError
from grader.intake.nameless import Nameless
from grader.model.results import ClassResult, StudentResult, TestResult
from grader.model.submission import StudentIdentity, Submission
from grader.text.sentence import Sentence


class NoAnonymousIdError(GraderError):
    """Students are only identified by their full name or email address."""


def nameless_class(graded: ClassResult, folder: Path) -> ClassResult:
    """Return the class without students' full names and email addresses; ids and logins are kept.

    Copies of programs without names are written to `folder`. Raises NoAnonymousIdError.
    """
    submissions = [row.graded.submission for row in graded.rows]
    for submission in submissions:
        if submission.student in (submission.identity.name, submission.identity.email):
            raise NoAnonymousIdError(
                f"Names cannot be hidden: nothing is known of {submission.student} but a name or an address. Give each "
                "student an `id` or a `login` in a roster."
            )
    labels = {submission.student: submission.student for submission in submissions}
    names = Nameless(list(map(_names_alone, submissions)), labels, folder)
    return replace(
        graded,
        rows=tuple(_nameless_row(row, names) for row in graded.rows),
        notes=tuple(map(names.prose, graded.notes)),
        warnings=tuple(map(names.prose, graded.warnings)),
        without_effect=tuple(map(names.prose, graded.without_effect)),
        comments=with_texts(graded.comments, names.plain),
    )


def _names_alone(submission: Submission) -> Submission:
    """Return the submission with only the name and email address in its identity, which will be replaced."""
    identity = StudentIdentity(name=submission.identity.name, email=submission.identity.email)
    return replace(submission, identity=identity)


def _nameless_row(row: StudentResult, names: Nameless) -> StudentResult:
    submission = row.graded.submission
    nameless = replace(
        names.submission(submission),
        identity=replace(submission.identity, name=None, email=None),
        roster={column: names.prose(value) for column, value in submission.roster.items()},
        source=names.prose(submission.source),
        notes=tuple(map(names.prose, submission.notes)),
    )

    def change(results: Sequence[TestResult]) -> Sequence[TestResult]:
        return [
            replace(
                result,
                outcome=with_texts(result.outcome, names.plain),
                judgement=with_texts(result.judgement, names.plain),
            )
            for result in results
        ]

    return replace(
        row,
        graded=replace(row.graded.with_results(change), submission=nameless),
        granted=replace(row.granted, reason=names.prose(row.granted.reason)),
        **{
            name: with_texts(getattr(row, name), names.plain)
            for name in ("overrides", "unfit", "comments", "remarks", "requests")
        },
    )


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with `change` applied to all strings in it; an unchanged value is the same object."""
    if type(value) is str:
        return change(value)
    if isinstance(value, Sentence):
        return Sentence(value.forms, {name: with_texts(part, change) for name, part in value.values.items()})
    if is_dataclass(value) and not isinstance(value, type):
        before = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        changed = {name: with_texts(part, change) for name, part in before.items()}
        return value if changed == before else replace(value, **changed)
    if type(value) in (tuple, list):
        return type(value)(with_texts(part, change) for part in value)
    if type(value) is dict:
        return {name: with_texts(part, change) for name, part in value.items()}
    return value
