"""A student's result on a platform, as plain text: each test, and the mark."""

from collections.abc import Iterator, Sequence

from grader.grading.student_view import StudentView
from grader.model.amount import Amount
from grader.model.assignment import Assignment
from grader.model.counting import GroupResult
from grader.model.general_causes import OVERRIDE
from grader.model.judgement import NoteKind, Verdict
from grader.model.results import TestResult
from grader.model.rule import RuleResult
from grader.model.test import Visibility
from grader.reports.terminal.test_result import failure_text, note_lines, rule_lines
from grader.reports.words import group_words
from grader.text.escape import escape_controls
from grader.text.words import format_decimal, lateness_words

_MAX_CHARACTERS = 10_000
SUMMARY_BEGINS = "Mark: "
"""The beginning of the summary of a row that has a mark or is excused."""


def is_own_comment(comment: str) -> bool:
    """Return whether an export may overwrite a comment, because it is empty or came from an earlier export."""
    return not comment or comment.startswith(SUMMARY_BEGINS)


def result_name(result: TestResult) -> str:
    """Return the display name of a test: `s2-lost: the whole output of a lost game`."""
    return visible_text(f"{result.test.id}: {result.test.title}" if result.test.title else result.test.id)


def result_text(result: TestResult, results: Sequence[TestResult], most: int = _MAX_CHARACTERS) -> str:
    """Explain a result in at most `most` characters; the text is empty if there is nothing to explain.

    For a hidden test, the text contains the verdict, the cause, and the hints.
    """
    if result.test.visibility is Visibility.HIDDEN:
        cause = result.judgement.diagnosis
        lines = [f"{result.verdict}, cause: {cause.cause.id}. {cause.sentence}"] if cause else []
        lines += [result.why_not_counted] if result.why_not_counted else []
        return visible_text("\n".join((*lines, *(f"Hint: {hint}" for hint in result.hints))))
    lines = [line.plain for line in note_lines(result, results)]
    if result.verdict is not Verdict.PASSED:
        lines += [line.plain for line in failure_text(result)][1:]
    return shorten_text("\n".join(lines), most)


def group_name(result: GroupResult) -> str:
    """Return the display name of a group: `shuffles: shuffling`."""
    group = result.group
    return visible_text(f"{group.id}: {group.title}" if group.title else group.id)


def group_output(result: GroupResult) -> str:
    """Return how many points a group of tests earned, and how its tests contribute to them."""
    return visible_text(group_words(result).strip("()"))


def rule_output(result: RuleResult) -> str:
    """Return the places where a rule is broken, or an empty string if it is followed."""
    return "\n".join(line.plain for line in rule_lines(result)) if not result.kept else ""


def mark_summary(assignment: Assignment, row: StudentView) -> str:
    """Describe a student's mark in a few plain sentences."""
    passed = sum(result.verdict is Verdict.PASSED for result in row.graded.results)
    sentences = [f"Points: {format_decimal(row.points)} of {format_decimal(assignment.marks)}."]
    if row.granted.excused:
        sentences = [f"{SUMMARY_BEGINS}excused, no mark counts.", *sentences]
    elif row.mark is not None:
        sentences = [
            f"{SUMMARY_BEGINS}{format_decimal(row.mark.adjusted)} of {format_decimal(assignment.marks)}.",
            *sentences,
        ]
        if row.mark.late:
            sentences.append(f"Handed in {lateness_words(row.mark.late)}.")
    sentences.append(f"Tests passed: {passed} of {len(row.graded.results)}.")
    if row.not_yet_marked:
        sentences.append("Some items are not yet marked.")
    return visible_text(" ".join((*sentences, *_decisions(row))))


def _decisions(row: StudentView) -> Iterator[str]:
    """Yield who decided the mark or a test in place of the grader, and why."""
    if row.mark and row.mark.override:
        yield f"{row.mark.override.decision.sentence.removesuffix('.')}."
    for result in row.graded.results:
        sentences = [note.sentence for note in result.judgement.notes if note.kind is NoteKind.OVERRIDE]
        cause = result.judgement.diagnosis
        sentences += [cause.sentence] if cause and cause.cause == OVERRIDE else []
        yield from (f"{result.test.id}: {sentence.removesuffix('.')}." for sentence in sentences)


def visible_text(text: str) -> str:
    """Replace control characters (other than line breaks) and invalid UTF-8 with visible placeholders."""
    return "\n".join(escape_controls(line) for line in text.split("\n"))


def shorten_text(text: str, most: int) -> str:
    """Truncate `text` to about `most` characters, noting how many were removed."""
    text = visible_text(text)
    return text if len(text) <= most else f"{text[:most]}\n… ({len(text) - most} more characters)"


def json_number(value: Amount) -> int | float:
    """Return a JSON number, because the platforms do not accept strings."""
    return int(value) if value == int(value) else float(value)
