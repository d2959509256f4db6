"""A student's feedback as a text file: marks, tests, and every failure in detail."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from rich.text import Text

from grader.grading.student_view import NOT_SHOWN, StudentView
from grader.intake.further_files import unused_words
from grader.model.assignment import Assignment, Part
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.reports.failures import MAX_IN_DETAIL, Failures, failures, in_detail, names_of_tests
from grader.reports.terminal.test_result import (
    MAX_SINGLE,
    accepted_variant,
    failure_text,
    group_line,
    in_column,
    manual_lines,
    note_lines,
    rules_lines,
    rules_section,
    short_failure,
    test_heading,
    verdict_line,
    verdict_lines,
)
from grader.reports.words import no_program_words, points_together, points_words, variant_words
from grader.text.escape import escape_controls
from grader.text.language import in_language, told, told_plural
from grader.text.sentence import say
from grader.text.words import format_decimal

_FACT_CELLS = 17
_MAX_IN_SHORT = 5
_MAX_HINTS = 4
_MAX_FULL = 5


def student_text(assignment: Assignment, row: StudentView) -> str:
    """Return a student's feedback as plain text."""
    return "".join(f"{line.plain}\n" for line in _lines(assignment, row))


def _lines(assignment: Assignment, row: StudentView) -> Iterator[Text]:
    yield Text(f"{escape_controls(assignment.title)}: {escape_controls(row.label)}")
    yield Text()
    yield from _mark_lines(assignment, row)
    for words in variant_words(assignment, row.graded):
        yield Text(accepted_variant(words))
    for comment in (*row.comments, *(remark.words for remark in row.remarks)):
        yield Text()
        yield from (Text(escape_controls(line)) for line in comment.splitlines())
    yield from _request_lines(row)
    if sentence := no_program_words(row.graded):
        yield Text()
        yield from (Text(escape_controls(line)) for line in in_language(sentence).splitlines())
        yield from (line for part in assignment.parts for line in manual_lines(row, part))
        return
    for is_full, parts in groupby(assignment.parts, partial(_has_passed, row)):
        lines = _full_lines if is_full else _lines_of_parts
        yield from lines(row, list(parts))
    yield from _other_rules(row)
    yield from _failure_lines(failures(row.graded))


def _failure_lines(failed: Failures) -> Iterator[Text]:
    """Yield the failures, with each cause explained once, and a list of the hidden tests without details."""
    detailed = in_detail(failed.described, MAX_IN_DETAIL)
    for failure in detailed:
        yield Text()
        yield from failure_text(failure.result, alike=failure.words if failure.alike else "")
    others = [failure for failure in failed.described if failure not in detailed]
    if others:
        yield Text()
    for failure in others[:_MAX_IN_SHORT]:
        yield from short_failure(failure.result, failure.words if failure.alike else "")
    if more := names_of_tests([failure.result for failure in others[_MAX_IN_SHORT:]]):
        yield Text(told("Also: {tests}", tests=escape_controls(more)))
    hints = failed.hints_besides(detailed)
    yield from _hint_lines(hints)
    if failed.folded:
        yield Text()
        yield Text(in_language(failed.words))
        yield Text(f"  {in_language(NOT_SHOWN)}")
        told_hints = {*hints, *(hint for failure in detailed for hint in failure.result.hints)}
        yield from _hint_lines([hint for hint in failed.hints if hint not in told_hints])


def _hint_lines(hints: Sequence[str]) -> Iterator[Text]:
    for hint in hints[:_MAX_HINTS]:
        yield Text(told("  Hint: {hint}", hint=escape_controls(hint)))
    if len(hints) > _MAX_HINTS:
        yield Text(told("    and {more} more", more=len(hints) - _MAX_HINTS))


def _request_lines(row: StudentView) -> Iterator[Text]:
    """Yield the student's requests and their answers."""
    for request in row.requests:
        about = told(" about {subject}", subject=request.about) if request.about else ""
        yield Text()
        heading = told("Request {name}{about}: {state}", name=request.id, about=about, state=request.words)
        yield Text(escape_controls(heading))
        for sign, text in ((">", request.text), (" ", request.answer)):
            yield from (Text(f"  {sign} {escape_controls(line)}".rstrip()) for line in text.splitlines())


def _has_passed(row: StudentView, part: Part) -> bool:
    """Return whether all tests of a part passed and there is nothing else to report."""
    in_part = [result for result in row.graded.results if result.test.part == part.id]
    has_more = part.manual or any(result.group.part == part.id for result in row.graded.groups)
    has_rules = any(result.rule.part == part.id for result in row.graded.rules)
    keys = {_line_key(row.graded.results, result) for result in in_part}
    return not has_more and not has_rules and keys == {(None, Verdict.PASSED, None)}


def _full_lines(row: StudentView, parts: Iterable[Part]) -> Iterator[Text]:
    """Yield a line for each part whose tests all passed, or one line for all these parts if there are many."""
    yield Text()
    parts = list(parts)
    if len(parts) > _MAX_FULL:
        named = (f"{escape_controls(part.title)} ({format_decimal(row.part_points(part))})" for part in parts)
        words = told(
            "All tests passed in these {count} parts (points): {parts}", count=len(parts), parts="; ".join(named)
        )
        yield Text(words)
        return
    for part in parts:
        count = sum(result.test.part == part.id for result in row.graded.results)
        passed = told_plural(count, "{count} test passed", "{count} tests passed")
        yield Text(told("{part}, {passed}", part=_points_of_part(row, part), passed=passed))


def _points_of_part(row: StudentView, part: Part) -> str:
    return told(
        "{part}: {points} of {full}{bonus}{so_far}",
        part=part.title,
        points=format_decimal(row.part_points(part)),
        full=format_decimal(part.marks),
        bonus=told(" (bonus)") if part.bonus else "",
        so_far=told(" so far") if row.waits(part) else "",
    )


def _lines_of_parts(row: StudentView, parts: Iterable[Part]) -> Iterator[Text]:
    for part in parts:
        yield from _part_lines(row, part)


def _part_lines(row: StudentView, part: Part) -> Iterator[Text]:
    yield Text()
    yield Text(_points_of_part(row, part))
    in_part = (result for result in row.graded.results if result.test.part == part.id)
    for alone, same in groupby(in_part, partial(_line_key, row.graded.results)):
        yield from _test_lines(list(same), row.graded.results, fold=alone[0] is None)
    for group in row.graded.groups:
        if group.group.part == part.id:
            yield group_line(group)
    yield from rules_lines([rule for rule in row.graded.rules if rule.rule.part == part.id], points=True)
    yield from manual_lines(row, part)


def _line_key(results: Sequence[TestResult], result: TestResult) -> tuple[str | None, Verdict, str | None]:
    """Return a key for tests that can share a line; its first item is the test's id if it needs its own line."""
    counting = result.test.counting
    is_plain = not (counting.bonus or result.barred_by or result.judgement.score is not None)
    shares = is_plain and not any(note_lines(result, results))
    return None if shares else result.test.id, result.verdict, counting.group


def _test_lines(same: Sequence[TestResult], results: Sequence[TestResult], *, fold: bool) -> Iterator[Text]:
    """Yield lines for tests of a part with the same verdict; many tests share a line with their total points."""
    if fold and len(same) > MAX_SINGLE:
        yield from verdict_lines(same[0].verdict, [result.test for result in same], points_together(same))
        return
    for result in same:
        yield verdict_line(result.verdict, test_heading(result.test)).append(f" {points_words(result)}")
        yield from note_lines(result, results)


def _other_rules(row: StudentView) -> Iterator[Text]:
    """Yield the rules that do not earn points."""
    yield from rules_section([result for result in row.told_rules if result.rule.part is None], costs=True)


def _mark_lines(assignment: Assignment, row: StudentView) -> Iterator[Text]:
    submitted = row.graded.submission.submitted
    so_far = say(" so far") if row.not_yet_marked else ""
    points, full = format_decimal(row.points), format_decimal(assignment.marks)
    yield _fact(say("Points"), say("{points} of {full}{so_far}", points=points, full=full, so_far=so_far))
    yield _fact(say("Due"), f"{row.due:%Y-%m-%d %H:%M:%S %Z}")
    if submitted is not None:
        yield _fact(say("Handed in"), f"{submitted:%Y-%m-%d %H:%M:%S %Z} ({row.graded.submission.time_source})")
    if row.graded.python and any(result.test.recipe is None for result in row.graded.results):
        yield _fact("Python", str(row.graded.python))
    yield from _mark_and_steps(row)
    if row.graded.submission.unused:
        yield _fact(say("Note"), unused_words(row.graded.submission.unused))


def _mark_and_steps(row: StudentView) -> Iterator[Text]:
    label = say("Mark")
    if row.granted.excused:
        yield _fact(label, say("excused: no mark counts"))
    elif row.mark is None and row.not_yet_marked:
        waiting = ", ".join(item.title for item in row.not_yet_marked)
        yield _fact(label, say("not yet marked: {items}", items=waiting))
    elif row.mark is None:
        yield _fact(label, say("not known yet; see the instructor's notes"))
    else:
        yield _fact(label, format_decimal(row.mark.adjusted))
        yield from (Text(f"  {escape_controls(in_language(step))}") for step in row.mark.steps)


def _fact(label: str, value: str) -> Text:
    return Text(f"{in_column(in_language(label), _FACT_CELLS)}{escape_controls(in_language(value))}")
