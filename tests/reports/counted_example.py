"""A small class whose tests count in groups, after others, in shares and beyond the full mark."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from grader.grading.student_result import student_result
from grader.model.assignment import Part
from grader.model.counting import Counting, GroupCount, TestGroup
from grader.model.judgement import Note, NoteKind
from grader.model.policy import Rounding, RoundingMode
from grader.model.results import ClassResult, StudentResult
from grader.model.test import CauseHint, Hints, Test, Visibility
from grader.text.sentence import say, say_plural
from tests.reports import graded_example
from tests.reports.graded_example import EXPECTED, GAME

THIRD = Fraction(1, 3)
STARTS = replace(
    GAME,
    id="starts",
    title="the program starts",
    points=Decimal(1),
    hints=Hints("Read the first page.", of_test=(CauseHint("text", "It is a matter of words."),)),
)


def _sharing(name: str) -> Test:
    counting = Counting(requires=("starts",))
    return replace(STARTS, id=name, title="", points=THIRD, counting=counting, hints=Hints())


def _in_group(name: str, weight: int, visibility: Visibility = Visibility.PUBLIC) -> Test:
    counting = Counting(group="numbers", weight=Decimal(weight))
    return replace(
        STARTS, id=name, title="", points=Decimal(0), counting=counting, visibility=visibility, hints=Hints()
    )


TESTS = (
    STARTS,
    *map(_sharing, ("one", "two", "three")),
    _in_group("small", 1),
    _in_group("secret-large", 2, Visibility.HIDDEN),
    replace(STARTS, id="more", title="", counting=Counting(bonus=True), hints=Hints(), part="extra"),
)
GROUP = TestGroup(id="numbers", title="all numbers", part="doubles", points=Decimal(3), count=GroupCount.SUM)
ASSIGNMENT = replace(
    graded_example.ASSIGNMENT,
    parts=(
        Part(id="doubles", title="Doubling", marks=Decimal(5)),
        Part(id="extra", title="More", marks=Decimal(1), bonus=True),
    ),
    tests=TESTS,
    groups=(GROUP,),
    max_mark=Decimal("5.5"),
    rounding=Rounding(2, RoundingMode.HALF_UP),
)
SHARE = Note(
    NoteKind.PARTIAL_CREDIT,
    say(
        "Partial credit: {what}, which earns {percent} of the points.",
        what=say_plural(1, "{count} of {lines} is right", "{count} of {lines} are right", lines="2 lines"),
        percent="50 %",
    ),
)


def _row(student: str, failed: Mapping[str, Fraction | None]) -> StudentResult:
    right, wrong = (graded_example.row(student, text) for text in (EXPECTED, EXPECTED.replace("Double", "Twice")))
    results = []
    for test in TESTS:
        result = (wrong if test.id in failed else right).graded.results[0]
        share = failed.get(test.id)
        notes = () if share is None else (SHARE,)
        results.append(replace(result, test=test, judgement=replace(result.judgement, score=share, notes=notes)))
    return student_result(ASSIGNMENT, replace(right.graded, results=tuple(results)), {})


def _waiting_row(student: str) -> StudentResult:
    row = graded_example.rerun_row(student)
    [start] = row.graded.results
    results = (replace(start, test=STARTS), *_row(student, {}).graded.results[1:])
    return student_result(ASSIGNMENT, replace(row.graded, results=results), {})


CLASS = ClassResult(
    assignment=ASSIGNMENT,
    rows=(
        _row("a all right", {}),
        _row("b two thirds", {"one": None, "more": None}),
        _row("c in part", {"two": Fraction(1, 2), "secret-large": Fraction(1, 2)}),
        _row("d does not start", {"starts": None}),
        _waiting_row("e waits"),
    ),
    not_graded=(),
    notes=(),
)
