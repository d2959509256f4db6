"""Loops: laws of the tests they make."""

import tempfile
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.errors import SpecError
from grader.model.expectation import HasJson, HasNumbers, Matches, OutputChecks
from grader.model.interaction import FunctionCall, typed_lines
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_ten_thousand_tests_are_not_too_many() -> None:
    assert len(made_from("{id: t-$n-$m, for: {n: 1..100, m: 1..100}, input: []}")) == 10_000


def test_a_name_may_stand_in_braces_before_letters_and_begin_the_id() -> None:
    made = made_from("{id: '$n.${n}th', for: {n: [4, 5]}, repl: ['play(${n}0)']}")
    assert [(test.id, typed_lines(test.interaction)) for test in made] == [
        ("4.4th", ("play(40)",)),
        ("5.5th", ("play(50)",)),
    ]


def faults(entry: str, folder: Path, table: str | None = None) -> list[str]:
    """The problems of a file with one entry, beside a table rows.csv."""
    file = folder / "tests.yaml"
    file.write_text(f"format: 1\nprogram: game.py\npart: play\npoints: 1\ntests:\n  - {entry}\n", encoding="utf-8")
    if table is not None:
        (folder / "rows.csv").write_text(table, encoding="utf-8")

    def read() -> None:
        document = read_document(file)
        list(loops.tests_of(validate(document, TestsFile).content, document, loops.TestDefaults()))

    with pytest.raises(SpecError) as error:
        read()
    return [str(problem) for problem in error.value.problems]


def test_a_row_makes_a_test_with_its_values() -> None:
    made = made_from("{id: t-$a, for: [{a: 1, b: x y}, {a: 2, b: '0..2'}], input: [$a $b]}")
    assert [(test.id, typed_lines(test.interaction)) for test in made] == [("t-1", ("1 x y",)), ("t-2", ("2 0..2",))]


def test_the_rows_of_a_table_beside_the_tests(tmp_path: Path) -> None:
    file = tmp_path / "tests.yaml"
    head = "format: 1\nprogram: game.py\npart: play\npoints: 1\ntests:\n"
    file.write_text(head + "  - {id: t-$months, for: rows.csv, input: [$salary], expect: [{numbers: [$months]}]}\n")
    (tmp_path / "rows.csv").write_text("salary;months\n120000;183\n80000;211\n\n", encoding="utf-8")
    document = read_document(file)
    made = [test for test, _ in loops.tests_of(validate(document, TestsFile).content, document, loops.TestDefaults())]
    assert [test.id for test in made] == ["t-183", "t-211"]
    checks = [test.expectation.checks[0].kind for test in made if isinstance(test.expectation, OutputChecks)]
    assert [check.numbers for check in checks if isinstance(check, HasNumbers)] == [(Decimal(183),), (Decimal(211),)]


@pytest.mark.parametrize(
    ("entry", "table", "message"),
    [
        ("{id: t-$a, for: [{a: 1}, {b: 2}], input: []}", None, "expected a row with a value for each of: a"),
        ("{id: t-$a, for: [{a: 1}, [2]], input: []}", None, "expected a row with a value for each of: a"),
        (
            "{id: t-$a, for: [{a: [1]}], input: []}",
            None,
            "expected one line of text as a value of the loop, such as '[]'",
        ),
        ("{id: t-$a, for: [{a: {b: 1}}], input: []}", None, "expected one line of text as a value of the loop"),
        ("{id: t, for: [{a: 1}], input: []}", None, "the id must contain a name of a column, such as `$a`"),
        ("{id: t-$a, for: rows, input: []}", None, "expected values by name, a list of rows, or a file"),
        ("{id: t-$a, for: rows.csv, input: []}", None, "rows.csv:1:1: the file cannot be read"),
        ("{id: t-$a, for: rows.csv, input: []}", "a;b\n", "found no row"),
        ("{id: t-$a, for: rows.csv, input: []}", "a;a\n1;2\n", "the column `a` is given twice"),
        ("{id: t-$a, for: rows.csv, input: [$c]}", "a;b\n1;2\n", "`$c` is not in `for`"),
        ("{id: t-$a, for: {a: [1]}, input: [], deck: $a}", None, "are not filled in here: `$a`"),
        ("{id: t-$a, for: {a: [1]}, input: [], compare: {wildcard_lines: ['x $a']}}", None, "not filled in here"),
        ("{id: t-$a, for: {a: [1]}, input: [], expect: [{matches: '^$b'}]}", None, "`$b` is not in `for`"),
        ("{id: t-$a, for: {a: [x]}, input: [], expect: [{numbers: [$a]}]}", None, "found `x`; expected a number"),
        ("{id: t-$a, for: {a: [x]}, input: [], expect: [{json: '[$a]'}]}", None, "found `[x]`; expected JSON"),
        ("{id: t, input: [], expect: [{numbers: [$a]}]}", None, "found `$a`; expected a number"),
    ],
)
def test_slips_in_rows_and_values(entry: str, table: str | None, message: str, tmp_path: Path) -> None:
    assert any(message in fault for fault in faults(entry, tmp_path, table)), faults(entry, tmp_path, table)


def test_a_column_without_values_is_empty(tmp_path: Path) -> None:
    fault = faults("{id: t-$a, for: rows.csv, input: [$b, $c]}", tmp_path, "a,b\n1\n2,\n")
    assert ["`$c` is not in `for`" in line for line in fault] == [True]


def test_values_stand_for_themselves_in_patterns_and_json() -> None:
    pattern = r"^$n \$n [$n] ${n}-x$|$"
    [test] = made_from(
        f"{{id: t-$n, for: {{n: ['1.5']}}, input: [], expect: [{{matches: '{pattern}'}}, {{json: '[$n, \"$$m\"]'}}]}}"
    )
    assert isinstance(test.expectation, OutputChecks)
    matches, same = (check.kind for check in test.expectation.checks)
    assert matches == Matches((r"^1\.5 \$n [$n] 1\.5-x$|$",))
    assert same == HasJson('[1.5, "$$m"]')


def test_values_are_filled_into_the_options_of_a_checker_and_any_other_dollar_stays(tmp_path: Path) -> None:
    file = tmp_path / "test_specs" / "demo" / "tests" / "tests.yaml"
    file.parent.mkdir(parents=True)
    (tmp_path / "checkers").mkdir()
    (tmp_path / "checkers" / "paths.py").write_text("")
    file.write_text(
        "format: 1\nprogram: game.py\npart: play\npoints: 1\nchecker: paths\nchecker_options: {most: $n}\ntests:\n"
        "  - {id: a-$n, for: {n: [3, 4]}, input: []}\n"
        "  - {id: b-$n, for: {n: [3, 4]}, input: [], checker_options: {least: '${n}0', other: '$5 $$ $m'}}\n"
        "  - {id: c, input: []}\n",
        encoding="utf-8",
    )
    document = read_document(file)
    made = [test for test, _ in loops.tests_of(validate(document, TestsFile).content, document, loops.TestDefaults())]
    assert [dict(test.checker.options) for test in made if test.checker] == [
        {"most": "3"},
        {"most": "4"},
        {"least": "30", "other": "$5 $$ $m"},
        {"least": "40", "other": "$5 $$ $m"},
        {"most": "$n"},
    ]


def test_a_list_of_a_row_is_code_of_a_call() -> None:
    made = made_from("{id: t-$n, for: [{n: 0, list: '[]'}, {n: 1, list: '[1, 2]'}], call: total($list)}")
    assert [test.interaction.calls for test in made if isinstance(test.interaction, FunctionCall)] == [
        ("total([])",),
        ("total([1, 2])",),
    ]
