"""Phrases about results, shared by pages and the terminal."""

from collections.abc import Iterator, Sequence

from grader.model.amount import as_decimal, total
from grader.model.assignment import Assignment
from grader.model.counting import GroupCount, GroupResult
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission, TestResult
from grader.model.rule import RuleResult
from grader.text.language import in_language, told
from grader.text.sentence import Sentence, joined, say
from grader.text.words import format_decimal

_HOW_GROUPS_COUNT = {
    GroupCount.ALL: say("all of its tests must pass"),
    GroupCount.SUM: say("its tests add up"),
    GroupCount.LEAST: say("its worst test counts"),
    GroupCount.BEST: say("its best test counts"),
}


def variant_words(assignment: Assignment, graded: GradedSubmission) -> Iterator[str]:
    """Yield `read as: VARIANT` for programs that use another than the preferred variant; list them unless all do."""
    for programs in assignment.variant_groups:
        variant = graded.variants.get(programs[0].file)
        if variant is not None and variant != programs[0].variants[0]:
            files = ", ".join(program.file for program in programs)
            everything = len(programs) == len(assignment.programs)
            if everything:
                yield told("read as: {variant}", variant=variant)
            else:
                yield told("{files} read as: {variant}", files=files, variant=variant)


def no_program_words(graded: GradedSubmission) -> Sentence | None:
    """Return the sentence about a submission in which every program is missing, or None."""
    if not graded.results or any(result.verdict is not Verdict.MISSING_FILE for result in graded.results):
        return None
    submission = graded.submission
    if submission.refused:
        return joined("\n", dict.fromkeys(f"{reason}." for reason in submission.refused.values()))
    if not (submission.files or submission.unused):
        return say("Nothing was handed in.")
    programs = ", ".join(dict.fromkeys(result.test.program for result in graded.results))
    return say("No program was handed in; expected: {programs}.", programs=programs)


def cost_words(result: RuleResult) -> str:
    """Return a phrase with the cost of breaking a rule."""
    if result.rule.zero_mark:
        return told("the whole mark")
    points = format_decimal(result.rule.deduct)
    return told("{points} point", points=points) if result.rule.deduct == 1 else told("{points} points", points=points)


def verdict_words(verdict: Verdict) -> str:
    """Return the phrase for a verdict that students see."""
    return in_language(Sentence((verdict.value,), {}))


def points_words(result: TestResult) -> str:
    """Return the points earned by a test, in brackets, as in `1 of 2`; for a test in a group, the name of the group."""
    counting = result.test.counting
    barred = told(", does not count") if result.barred_by else ""
    if counting.group is not None:
        return told("(in the group {group}{barred})", group=counting.group, barred=barred)
    return told(
        "({points} of {full}{bonus}{barred})",
        points=format_decimal(result.points),
        full=format_decimal(result.test.points),
        bonus=told(", bonus") if counting.bonus else "",
        barred=barred,
    )


def points_together(results: Sequence[TestResult]) -> str:
    """Return the points for several tests, in brackets after a space; empty if a group of tests earns them."""
    if any(result.test.counting.group for result in results):
        return ""
    earned = as_decimal(total(result.earned for result in results))
    full = total(result.test.points for result in results)
    return told(" ({points} of {full})", points=format_decimal(earned), full=format_decimal(full))


def group_words(result: GroupResult) -> str:
    """Return the points earned by a group, in brackets, and how many of its tests passed."""
    return told(
        "({points} of {full}{bonus}; {how}, {passed} of {tests} passed)",
        points=format_decimal(result.points),
        full=format_decimal(result.group.points),
        bonus=told(", bonus") if result.group.bonus else "",
        how=_HOW_GROUPS_COUNT[result.group.count],
        passed=result.passed,
        tests=len(result.tests),
    )
