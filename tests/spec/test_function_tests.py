"""Function tests in the spec files."""

from pathlib import Path

import pytest

from grader.model.interaction import CallCheck, CardsModule, FunctionCall
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import call_of
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment

CALL = "id: one, call: 'deal(deck, 2)', variables: {deck: [3♥, 4]}, setup: [deck.sort()], checks: [mutated_variables]"
CARDS = ASSIGNMENT + "provided: [{file: cards.py}]\ncards: {module: cards.py}\n"


def write(folder: Path, assignment: str, test: str) -> Path:
    (folder / "reference").mkdir(parents=True)
    (folder / "reference" / "cards.py").write_text("")
    return write_assignment(folder, assignment, play=TESTS.replace("id: one, input: [1]", test))


def test_a_call_with_values(tmp_path: Path) -> None:
    test = load(write(tmp_path, CARDS, CALL)).tests[0]
    assert test.interaction == FunctionCall(
        calls=("deal(deck, 2)",),
        variables={"deck": [{"card": "3♥"}, 4]},
        setup=("deck.sort()",),
        checks=frozenset({CallCheck.MUTATED_VARIABLES}),
        cards=CardsModule("cards.py", "Card", "Deck"),
    )


def test_a_call_that_reads_input_in_a_loop(tmp_path: Path) -> None:
    loop = "id: one-$n, for: {n: [1, 2]}, points: 0.5, call: f($n), input: [$n]"
    tests = load(write(tmp_path, ASSIGNMENT, loop)).tests
    calls = [call_of(test) for test in tests]
    assert [(call.calls, call.lines) for call in calls] == [(("f(1)",), ("1",)), (("f(2)",), ("2",))]
    assert {check for call in calls for check in call.checks} == set(USUAL_CHECKS)


def test_loop_values_reach_everything_that_is_given(tmp_path: Path) -> None:
    loop = (
        "id: one-$n, for: {n: [2, 10]}, points: 0.5, call: 'f(deck, $n)', setup: [deck.add($n)], "
        "variables: {deck: {deck: '${n}♠ 3♥'}, columns: [[$n], {tuple: [$n♥, {text: $n}]}, {$n: a$$b}]}"
    )
    calls = [call_of(test) for test in load(write(tmp_path, CARDS, loop)).tests]
    assert [(call.variables, call.setup) for call in calls] == [
        (
            {
                "deck": {"deck": [{"card": f"{n}♠"}, {"card": "3♥"}]},
                "columns": [[n], {"tuple": [{"card": f"{n}♥"}, str(n)]}, {"dict": [["$n", "a$b"]]}],
            },
            (f"deck.add({n})",),
        )
        for n in (2, 10)
    ]


def test_a_number_in_quotes_is_a_text(tmp_path: Path) -> None:
    loop = """id: one-$n, for: {n: [2]}, call: f(a), variables: {a: ["3", '2.5', "$n", 4], b: {"5": "none"}}"""
    [test] = load(write(tmp_path, ASSIGNMENT, loop)).tests
    assert call_of(test).variables == {"a": ["3", "2.5", "2", 4], "b": {"dict": [["5", "none"]]}}


def test_without_a_loop_a_given_dollar_sign_is_one(tmp_path: Path) -> None:
    test = load(write(tmp_path, ASSIGNMENT, "id: one, call: f(a), variables: {a: $n}")).tests[0]
    assert call_of(test).variables == {"a": "$n"}


SLIPS = [
    (CARDS, "id: one, call: f(", "found `f(`; expected a call such as deal(deck, 3)"),
    (CARDS, "id: one, call: f(), repl: [x]", "found `call` and `repl`; expected one of them"),
    (CARDS, "id: one, input: [], variables: {a: 1}", "found `variables` or `setup` without `call`"),
    (CARDS, "id: one, call: f(), variables: {a b: 1}", "found `a b`; expected a Python identifier"),
    (CARDS, "id: one, call: f(), variables: {a: {deck: x}}", "found `x`; expected the cards of a deck"),
    (
        CARDS,
        "id: $n, for: {n: [2♠, 14♠]}, call: f(), variables: {a: {deck: $n}}",
        "6:61: found `14♠`; expected the cards of",
    ),
    (CARDS, "id: $n, for: {n: 1}, call: f(), variables: {a: [$m]}", "6:54: `$m` is not in `for`"),
    (
        CARDS,
        "id: $n, for: {n: 1}, call: f(), variables: {a: {b: $}}",
        "6:57: found a single `$` in `$`; expected `$name`",
    ),
    (CARDS, "id: one, call: f(), checks: []", "found an empty list; expected at least one item"),
    (
        ASSIGNMENT,
        "id: one, call: f(), variables: {a: [3♥]}",
        "found cards, but assignment.yaml does not say in `cards`",
    ),
    (CARDS.replace("module: cards", "module: card"), CALL, "there is no provided module `card.py` in assignment.yaml"),
]


@pytest.mark.parametrize(("assignment", "test", "problem"), SLIPS)
def test_slips(assignment: str, test: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write(tmp_path, assignment, test))
