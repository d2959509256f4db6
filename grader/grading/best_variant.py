"""Decides which variant a submission implements."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TypeAlias

from grader.judge.line_diff import blocks
from grader.marks.counting import earned_points, with_required_tests
from grader.model.counting import TestGroup
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.text.card_pattern import CARD_PATTERN
from grader.text.difference import lines_of

_MAX_LINES = 2000
_VALUE = re.compile(rf"{CARD_PATTERN}|\d+")

ChooseVariant: TypeAlias = Callable[[Mapping[str, Sequence[TestResult]], Sequence[TestGroup]], str]
"""A function that picks the variant, given the results in each variant and the groups of tests."""


def best_variant(judged: Mapping[str, Sequence[TestResult]], groups: Sequence[TestGroup]) -> str:
    """Return the variant that earns the most points over all tests of the programs that share a variant.

    In a tie, the variant closest to the transcripts wins, so that the report shows the student's real mistakes. This is
    the variant with the most lines in common, in order, and then with the fewest other lines. If variants are still
    tied, the first one wins.
    """
    if len(judged) == 1:
        return next(iter(judged))
    points = {variant: earned_points(results, groups) for variant, results in judged.items()}
    tied = [variant for variant in judged if points[variant] == max(points.values())]
    return max(tied, key=lambda variant: _nearness(judged[variant])) if len(tied) > 1 else tied[0]


def variant_of_samples(judged: Mapping[str, Sequence[TestResult]], groups: Sequence[TestGroup]) -> str:
    """Pick the variant when only the public tests were run, whose points say little about the total.

    A variant is a candidate unless another variant passes the same tests and more. If there are several candidates, the
    program mixes them. Then the tests decide in turn, starting with the handout's sample: the variant with more correct
    lines in a test wins.
    """
    passed = {variant: _passed(results) for variant, results in judged.items()}
    counting = [variant for variant in judged if not any(passed[variant] < rival for rival in passed.values())]
    if len({passed[variant] for variant in counting}) > 1:
        right = {variant: [_right_lines(result) for result in judged[variant]] for variant in counting}
        furthest = max(right.values())
        counting = [variant for variant in counting if right[variant] == furthest]
    return best_variant({variant: judged[variant] for variant in counting}, groups)


def _passed(results: Sequence[TestResult]) -> frozenset[str]:
    return frozenset(
        result.test.id
        for result in with_required_tests(results)
        if result.verdict is Verdict.PASSED and not result.barred_by
    )


def _right_lines(result: TestResult) -> float:
    """Return how many lines are correct before the first wrong line."""
    judgement = result.judgement
    if judgement.verdict is Verdict.PASSED:
        return inf
    wrong = judgement.divergence.line if judgement.divergence else judgement.wrong_line
    return wrong - 1 if wrong else 0


def _nearness(results: Sequence[TestResult]) -> tuple[int, int]:
    """Return how many lines the transcripts share with the expected ones, and minus the number of other lines.

    Lines that only differ in cards and numbers have the same shape, which is enough, because variants also differ in
    shape, and a program that is wrong from its first card on shares nothing else.
    """
    forms: tuple[Callable[[str], str], ...] = (str, lambda line: _VALUE.sub("0", line))
    both = [_common_lines(result, form) for result in results for form in forms]
    return sum(common for common, _ in both), -sum(others for _, others in both)


def _common_lines(result: TestResult, form: Callable[[str], str]) -> tuple[int, int]:
    """Return how many lines of this form two transcripts share in order, and how many they do not share.

    Shared blank lines are not counted, because they may only match if blank lines are ignored.
    """
    if result.outcome is None:
        return 0, 0
    compared = result.compared
    if compared is None:
        return result.judgement.wrong_line or _printed(lines_of(result.outcome.transcript)), 0
    expected, actual = (
        [form(line) for line in lines_of(text)[:_MAX_LINES]] for text in (compared.expected, compared.actual)
    )
    common = others = 0
    for block in blocks(expected, actual):
        if block.is_equal:
            common += _printed(expected[block.expected.start : block.expected.stop])
        else:
            others += len(block.expected) + len(block.actual)
    # The replacement for free text is the student's own text, which matches nothing.
    mended = result.judgement.mended
    lines_of_student = sum(lines for _, lines in mended.open_texts) if mended else 0
    return common - lines_of_student, others


def _printed(lines: Sequence[str]) -> int:
    return sum(1 for line in lines if line.strip())
