"""Computes the mark of a graded submission from points, lateness and a person's decisions."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from grader.marks.lateness import LateAllowance, lateness, mark_with_lateness
from grader.model.assignment import Assignment, ManualItem
from grader.model.judgement import Verdict
from grader.model.mark import ManualMarks, Mark, MarkOverride, StudentExtension
from grader.model.policy import FinalStep
from grader.model.results import GradedSubmission
from grader.model.rule import Rule, RuleResult
from grader.text.sentence import say, say_plural
from grader.text.words import format_decimal


def submission_mark(
    assignment: Assignment,
    graded: GradedSubmission,
    granted: StudentExtension = StudentExtension(),
    manual: ManualMarks = ManualMarks(),
    override: MarkOverride | None = None,
) -> Mark | None:
    """Return the mark of `graded`; None while it is undecided, and for an excused student.

    Unless a person has decided the mark, it is undecided while a test must be rerun because of an internal error, the
    folder could not be read, an item has not been marked yet, or there are points but the submission time is unknown.
    """
    if granted.excused:
        return None
    mark = _with_tests_not_run(assignment, graded, _computed_mark(assignment, graded, granted, manual))
    if override is None:
        return mark
    if mark is None:
        return _decided_mark(_no_mark(assignment, graded, granted, manual), override)
    by_rule = say("By the rules the mark would be {mark}.", mark=format_decimal(mark.adjusted))
    return _decided_mark(replace(mark, steps=(*mark.steps[:-1], by_rule)), override)


def _with_tests_not_run(assignment: Assignment, graded: GradedSubmission, mark: Mark | None) -> Mark | None:
    """Return the mark with a step that lists the tests without points because they were not run."""
    if mark is None or assignment.stop_after_timeouts is None:
        return mark
    count = sum(result.verdict is Verdict.NOT_RUN for result in graded.results)
    step = say_plural(
        count,
        "{count} test earns nothing because it was not run: the program ran into the time limit in others.",
        "{count} tests earn nothing because they were not run: the program ran into the time limit in others.",
    )
    return replace(mark, steps=(*mark.steps[:1], step, *mark.steps[1:])) if count else mark


def _computed_mark(
    assignment: Assignment, graded: GradedSubmission, granted: StudentExtension, manual: ManualMarks
) -> Mark | None:
    submission = graded.submission
    due = granted.due or assignment.due
    if graded.needs_rerun or not submission.readable or not_yet_marked(assignment, graded, manual):
        return None
    raw = points_so_far(assignment, graded, manual)
    allowance = LateAllowance(assignment.late_terms, granted)
    final = FinalStep(assignment.rounding, assignment.highest_mark)
    if submission.submitted is not None:
        times = submission.submitted, due
        return mark_with_lateness(raw, assignment.marks, assignment.late, *times, allowance=allowance, final=final)
    # A student who submitted nothing may still have points for something else, such as a talk.
    if raw and submission.source:
        return None
    mark = mark_with_lateness(
        raw, assignment.marks, policy=None, submitted=due, due=due, allowance=allowance, final=final
    )
    points, _, *further = mark.steps
    return replace(mark, steps=(points, *further))


def _mark_on_time(raw: Decimal, assignment: Assignment, due: datetime, allowance: LateAllowance) -> Mark:
    final = FinalStep(highest=assignment.highest_mark)
    return mark_with_lateness(
        raw, assignment.marks, policy=None, submitted=due, due=due, allowance=allowance, final=final
    )


def _no_mark(assignment: Assignment, graded: GradedSubmission, granted: StudentExtension, manual: ManualMarks) -> Mark:
    """Return everything that is known about an undecided mark."""
    raw = points_so_far(assignment, graded, manual)
    due = granted.due or assignment.due
    allowance = LateAllowance(assignment.late_terms, granted)
    mark = _mark_on_time(raw, assignment, due, allowance)
    submitted = graded.submission.submitted
    points = say(
        "Points: {points} of {full} so far; no mark follows from them yet.",
        points=format_decimal(raw),
        full=format_decimal(assignment.marks),
    )
    return replace(mark, late=lateness(submitted, due) if submitted else mark.late, steps=(points,))


def _decided_mark(mark: Mark, override: MarkOverride) -> Mark:
    decision = (
        say("{said:clause}.", said=override.decision.sentence),
        say("Mark: {mark}.", mark=format_decimal(override.mark)),
    )
    return replace(mark, adjusted=override.mark, override=override, steps=(*mark.steps, *decision))


def points_so_far(assignment: Assignment, graded: GradedSubmission, manual: ManualMarks) -> Decimal:
    """Return the points of tests, rules and marked items minus the cost of confirmed rules, never below zero."""
    costly = costly_rules(assignment, graded, manual)
    if any(rule.zero_mark for rule in costly):
        return Decimal(0)
    earned = graded.raw + sum(manual.points.values(), Decimal(0))
    return max(earned - sum((rule.deduct for rule in costly), Decimal(0)), Decimal(0))


def costly_rules(assignment: Assignment, graded: GradedSubmission, manual: ManualMarks) -> tuple[Rule, ...]:
    """Return the confirmed rules that this submission breaks; a different submission may have been reviewed."""
    kept_rules = {result.rule.id for result in graded.rules if result.kept}
    return tuple(rule for rule in assignment.rules if rule.id in manual.confirmed - kept_rules)


def not_yet_marked(assignment: Assignment, graded: GradedSubmission, manual: ManualMarks) -> tuple[ManualItem, ...]:
    """Return the items that a person still has to mark; empty if nothing was submitted."""
    return manual.unmarked(assignment) if graded.submission.files else ()


def to_confirm(graded: GradedSubmission, manual: ManualMarks) -> tuple[RuleResult, ...]:
    """Return the broken rules whose penalty the instructor has neither confirmed nor waived."""
    decided = manual.confirmed | manual.waived
    return tuple(
        result for result in graded.rules if result.rule.asks and result.findings and result.rule.id not in decided
    )
