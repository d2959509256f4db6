"""Lines are ranked by the tests that run them, conditions by where they lead, equal ones by what ran last."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.localise import FORMULAS, tarantula
from grader.model.outcome import CodeLine, TraceStep
from grader.plugins.locating.ranking import (
    Formula,
    Spectrum,
    TracedProgram,
    TracedTest,
    last_runs,
    ochiai,
    suspects_in,
)
from grader.plugins.locating.suspects import LineUse, ProgramSuspects, SmallRepair

STRAIGHT = "\n".join(f"a{number} = {number}" for number in range(1, 9))
CHOICE = """\
number = int(input())
if number > 10:
    number += 1
else:
    number += 2
print(number)
"""


def game(*lines: int) -> tuple[CodeLine, ...]:
    return tuple(CodeLine("game.py", line) for line in lines)


def failing(*lines: int, raised_at: int | None = None) -> TracedTest:
    return TracedTest(False, game(*lines), None if raised_at is None else CodeLine("game.py", raised_at))


def passing(*lines: int) -> TracedTest:
    return TracedTest(True, game(*lines))


def found(source: str, *tests: TracedTest, formula: Formula = ochiai) -> ProgramSuspects:
    return suspects_in(TracedProgram("game.py", {"game.py": source}, tests), formula)


def ranked(source: str, *tests: TracedTest, formula: Formula = ochiai) -> list[int]:
    return [one.place.line for one in found(source, *tests, formula=formula).lines]


def test_a_line_that_only_failing_tests_run_comes_first() -> None:
    assert ranked(STRAIGHT, failing(1, 2, 3), passing(1, 3), passing(1)) == [2, 3, 1]


def test_of_equal_lines_the_one_that_ran_last_comes_first() -> None:
    assert ranked(STRAIGHT, failing(5, 2, 3), failing(5, 2, 3), passing(7)) == [3, 2, 5]


@pytest.mark.parametrize(
    ("wrong", "right", "use"),
    [
        (failing(1, 2, 3, 6), passing(1, 2, 5, 6), LineUse.ENTERED),
        (failing(1, 2, 5, 6), passing(1, 2, 3, 6), LineUse.SKIPPED),
    ],
)
def test_a_condition_is_as_suspicious_as_its_way(wrong: TracedTest, right: TracedTest, use: LineUse) -> None:
    way, condition, *_ = found(CHOICE, wrong, right).lines
    assert way.place.line == wrong.lines[2].line
    assert (condition.place.line, condition.use, condition.failed, condition.passed) == (2, use, 1, 0)


def test_how_a_test_starts_a_program_is_no_fault() -> None:
    source = "def f():\n    return 1\nif __name__ == '__main__':\n    f()\n"
    lines = found(source, failing(1, 3, 2), passing(1, 3, 4, 2)).lines
    assert {one.use for one in lines} == {LineUse.RUN}


def test_a_body_that_is_skipped_without_an_else() -> None:
    source = "n = 1\nif n > 1:\n    n = 2\nprint(n)\n"
    first = found(source, failing(1, 2, 4), passing(1, 2, 3, 4)).lines[0]
    assert (first.place.line, first.use, first.failed, first.passed) == (2, LineUse.SKIPPED, 1, 0)


def test_a_line_whose_exceptions_end_tests_moves_up() -> None:
    tests = failing(1, 2, 3, raised_at=2), passing(1, 2)
    assert ranked(STRAIGHT, *tests)[0] == 2
    assert ranked(STRAIGHT, replace(tests[0], raised_at=None), tests[1])[0] == 3


def test_a_line_in_which_a_small_change_helps_moves_up() -> None:
    tests = failing(1, 2, 3), passing(1, 2, 3)
    repairs = {CodeLine("game.py", 1): SmallRepair(2, 2), CodeLine("game.py", 2): SmallRepair(0, 1)}
    lines = suspects_in(TracedProgram("game.py", {"game.py": STRAIGHT}, tests, repairs)).lines
    assert [(line.place.line, line.repair) for line in lines] == [
        (1, SmallRepair(2, 2)),
        (2, SmallRepair(0, 1)),
        (3, None),
    ]


def test_lines_of_one_statement_are_one() -> None:
    source = "print(\n    1,\n    2,\n)\nif (\n    a\n    and b\n): c = 1\n"
    assert ranked(source, failing(1, 2, 3, 1, 5, 6, 7, 8), passing(1)) == [8, 5, 1]


def test_what_is_not_in_a_file_is_passed_over() -> None:
    tests = TracedTest(False, (CodeLine("game.py", 0), CodeLine("game.py", 99), CodeLine("else.py", 1), *game(2)))
    assert ranked(STRAIGHT, tests, passing(1)) == [2]


@pytest.mark.parametrize("source", ["print('\n\n", "x = " + "(" * 500 + "\n\n"])
def test_lines_of_what_cannot_be_read_stand_for_themselves(source: str) -> None:
    assert ranked(source, failing(1, 2), passing(1)) == [2, 1]


def test_at_most_ten_lines_are_named() -> None:
    source = "\n".join("pass" for _ in range(30))
    assert ranked(source, failing(*range(1, 31)), passing()) == list(range(30, 20, -1))


def test_what_ran_last_in_several_steps_is_at_the_end() -> None:
    steps = [TraceStep(game(1, 2, 3), 1), TraceStep(game(2, 4), 0)]
    assert last_runs(steps) == game(1, 3, 2, 4)


@pytest.mark.parametrize(
    ("name", "suspicion"), [("ochiai", 2 / 18**0.5), ("tarantula", (2 / 3) / (2 / 3 + 4 / 8)), ("dstar", 4 / 5)]
)
def test_the_formulas(name: str, suspicion: float) -> None:
    seen = Spectrum(failed=2, passed=4, all_failed=3, all_passed=8)
    assert FORMULAS[name](seen) == pytest.approx(suspicion)
    assert FORMULAS[name](replace(seen, failed=0)) == 0
    assert FORMULAS[name](replace(seen, failed=3, passed=0)) == (inf if name == "dstar" else 1)


SPECTRA = st.tuples(*[st.integers(0, 30)] * 2, *[st.integers(1, 30)] * 2).map(
    lambda counts: Spectrum(
        failed=min(counts[0], counts[2]),
        passed=min(counts[1], counts[3]),
        all_failed=counts[2],
        all_passed=counts[3],
    )
)


@given(SPECTRA, st.sampled_from(sorted(FORMULAS)))
def test_each_formula_grows_with_failing_tests_and_shrinks_with_passing_ones(seen: Spectrum, name: str) -> None:
    formula = FORMULAS[name]
    if seen.failed < seen.all_failed:
        assert formula(replace(seen, failed=seen.failed + 1)) >= formula(seen)
    if seen.passed < seen.all_passed:
        assert formula(replace(seen, passed=seen.passed + 1)) <= formula(seen)


LINE_SETS = st.lists(st.integers(1, 8), unique=True, min_size=1)
TESTS = st.tuples(st.lists(LINE_SETS, min_size=1, max_size=5), st.lists(LINE_SETS, min_size=1, max_size=5)).map(
    lambda both: [*(failing(*lines) for lines in both[0]), *(passing(*lines) for lines in both[1])]
)


@given(TESTS, st.sampled_from([ochiai, tarantula]))
def test_a_line_of_failing_tests_alone_is_above_one_that_passing_tests_run_too(
    tests: Sequence[TracedTest], formula: Formula
) -> None:
    lines = found(STRAIGHT, *tests, formula=formula).lines
    for place, one in enumerate(lines):
        for other in lines[:place]:
            assert not (one.passed == 0 < other.passed and one.failed >= other.failed)


@given(TESTS, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(tests: list[TracedTest], chance: object) -> None:
    mixed = tests.copy()
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert found(STRAIGHT, *mixed) == found(STRAIGHT, *tests)


@given(TESTS)
def test_only_lines_of_failing_tests_are_named_and_all_of_them(tests: list[TracedTest]) -> None:
    run = {place for test in tests if not test.passed for place in test.lines}
    lines = found(STRAIGHT, *tests).lines
    assert {one.place for one in lines} == run
    for one in lines:
        assert one.failed == sum(one.place in test.lines for test in tests if not test.passed)
        assert one.passed == sum(one.place in test.lines for test in tests if test.passed)
