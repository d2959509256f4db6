"""Items that earn points, for platforms with a single kind of entry: tests, groups of tests, and rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.grading.student_view import StudentView
from grader.model.amount import Amount
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.rule import RuleResult
from grader.plugins.platforms.shared.output_text import (
    group_name,
    group_output,
    result_name,
    result_text,
    rule_output,
    shorten_text,
    visible_text,
)

_MAX_CHARACTERS = 10_000


@dataclass(frozen=True, kw_only=True)
class ScoredItem:
    """An item: its display name, the points `earned` of `most`, and a `text` about the result, which may be empty.

    `state` describes the result in words. The item counts for `part` unless it concerns several; `result` is the result
    of a test.
    """

    id: str
    name: str
    part: str
    state: str
    earned: Amount
    most: Amount
    passed: bool
    text: str
    result: TestResult | None = None


def scored_items(row: StudentView, most: int = _MAX_CHARACTERS) -> Iterator[ScoredItem]:
    """Yield the items of a `row` that students may see, each with at most about `most` characters of text.

    Tests in a group have no separate points. Only rules that earn points are items.
    """
    for test in row.graded.results:
        yield ScoredItem(
            id=test.test.id,
            name=result_name(test),
            part=test.test.part,
            state=str(test.verdict),
            earned=test.points,
            most=test.test.points,
            passed=test.verdict is Verdict.PASSED and not test.barred_by,
            text=result_text(test, row.graded.results, most),
            result=test,
        )
    for group in row.graded.groups:
        yield ScoredItem(
            id=group.group.id,
            name=group_name(group),
            part=group.group.part,
            state=f"{group.passed} of {len(group.tests)} passed",
            earned=group.points,
            most=group.group.points,
            passed=group.share == 1,
            text=group_output(group),
        )
    for rule in row.told_rules:
        if rule.rule.points:
            yield ScoredItem(
                id=rule.rule.id,
                name=visible_text(f"{rule.rule.id}: {rule.rule.title}"),
                part=rule.rule.part or "",
                state=_rule_state(rule),
                earned=rule.points,
                most=rule.rule.points,
                passed=rule.kept,
                text=shorten_text(rule_output(rule), most),
            )


def _rule_state(rule: RuleResult) -> str:
    """Return the state of a rule in words."""
    if rule.kept:
        return "kept"
    if rule.unread:
        return "not read"
    return "broken" if rule.judged else "not judged"
