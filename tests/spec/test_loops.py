"""Loops: laws of the tests they make."""

import tempfile
from itertools import product
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.model.interaction import typed_lines
from grader.model.test import Test
from grader.spec import loops
from grader.spec.tests_file import TestsFile

UNHURRIED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,4}", fullmatch=True)
VALUES = st.lists(st.from_regex(r"[A-Za-z0-9_.]{1,4}", fullmatch=True), min_size=1, max_size=4, unique=True)
LOOPS = st.dictionaries(NAMES, VALUES.filter(lambda values: not any(".." in value for value in values)), max_size=3)
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["C"], exclude_characters="\u2028\u2029"), max_size=20)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def made_from(entry: str) -> list[Test]:
    """The tests of a file with one entry."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tests.yaml"
        file.write_text(f"format: 1\nprogram: game.py\npart: play\npoints: 1\ntests:\n  - {entry}\n", encoding="utf-8")
        document = read_document(file)
        return [
            test for test, _ in loops.tests_of(validate(document, TestsFile).content, document, loops.TestDefaults())
        ]


def looped(loop: dict[str, list[str]], line: str) -> list[Test]:
    values = ", ".join(f"{quoted(name)}: [{', '.join(map(quoted, values))}]" for name, values in loop.items())
    name = "-".join(["t", *(f"${{{name}}}" for name in loop)])
    return made_from(f"{{id: '{name}', title: '{name}', for: {{{values}}}, input: [{quoted(line)}]}}")


@UNHURRIED
@given(LOOPS)
def test_there_is_one_test_per_combination_in_order_each_with_its_own_id(loop: dict[str, list[str]]) -> None:
    combinations = list(product(*loop.values()))
    made = looped(loop, "x")
    assert [test.id for test in made] == ["-".join(["t", *values]) for values in combinations]
    assert len({test.id for test in made}) == len(combinations)
    assert [test.title for test in made] == [test.id for test in made]


@UNHURRIED
@given(LOOPS.filter(bool), LINES)
def test_names_become_values_and_two_dollar_signs_one(loop: dict[str, list[str]], text: str) -> None:
    line = text.replace("$", "$$") + "".join(f"|${name}" for name in loop)
    expected = [text + "".join(f"|{value}" for value in values) for values in product(*loop.values())]
    assert [typed_lines(test.interaction) for test in looped(loop, line)] == [(line,) for line in expected]


@UNHURRIED
@given(LINES)
def test_without_a_loop_a_line_stays_as_it_is(line: str) -> None:
    assert typed_lines(looped({}, line)[0].interaction) == (line,)


@UNHURRIED
@given(st.integers(-(10**15), 10**15), st.integers(0, 30))
def test_a_range_counts_from_its_first_to_its_last_number(first: int, more: int) -> None:
    made = made_from(f"{{id: t-$n, for: {{n: {first}..{first + more}}}, input: [$n]}}")
    assert [typed_lines(test.interaction) for test in made] == [
        (str(number),) for number in range(first, first + more + 1)
    ]


def test_ranges_and_values_mix() -> None:
    made = made_from("{id: t-$n, for: {n: [0..2, -1..0, 07, x..y]}, input: [$n]}")
    assert [typed_lines(test.interaction)[0] for test in made] == ["0", "1", "2", "-1", "0", "07", "x..y"]


def test_ten_thousand_tests_are_not_too_many() -> None:
    assert len(made_from("{id: t-$n-$m, for: {n: 1..100, m: 1..100}, input: []}")) == 10_000


def test_a_name_may_stand_in_braces_before_letters_and_begin_the_id() -> None:
    made = made_from("{id: '$n.${n}th', for: {n: [4, 5]}, repl: ['play(${n}0)']}")
    assert [(test.id, typed_lines(test.interaction)) for test in made] == [
        ("4.4th", ("play(40)",)),
        ("5.5th", ("play(50)",)),
    ]
