"""Several calls, and objects as values, in the spec files."""

from pathlib import Path

import pytest

from grader.model.expectation import GivenTranscript
from grader.model.expected_call import ExpectedCall, ExpectedException, ExpectedStep
from grader.model.interaction import CallCheck
from grader.spec.tests_file import USUAL_CHECKS
from tests.building import call_of
from tests.spec.spec_folder import TESTS, load, problems_of, write_assignment


def write(folder: Path, test: str) -> Path:
    (folder / "reference").mkdir(parents=True)
    return write_assignment(folder, play=TESTS.replace("id: one, input: [1]", test))


def test_calls_are_expressions_and_statements(tmp_path: Path) -> None:
    entry = (
        "id: one-$n, for: {n: [1, 2]}, points: 0.5, calls: [a = f($n), a.g()], "
        "variables: {b: {python: 'f($n)'}}, checks: [return_value, state, exception_type, exception_message]"
    )
    calls = [call_of(test) for test in load(write(tmp_path, entry)).tests]
    assert [call.calls for call in calls] == [("a = f(1)", "a.g()"), ("a = f(2)", "a.g()")]
    assert [call.variables for call in calls] == [{"b": {"python": "f(1)"}}, {"b": {"python": "f(2)"}}]
    assert calls[0].checks == set(CallCheck) - {CallCheck.OUTPUT, CallCheck.MUTATED_VARIABLES}


def test_neither_exceptions_nor_objects_are_compared_unless_a_test_says_so(tmp_path: Path) -> None:
    [test] = load(write(tmp_path, "id: one, calls: [f()]")).tests
    assert call_of(test).checks == set(USUAL_CHECKS)


def test_what_must_come_of_a_call_is_stated(tmp_path: Path) -> None:
    entry = "id: one-$n, for: {n: [1, 2]}, points: 0.5, call: f($n), returns: [$n, {tuple: ['$n']}], prints: 'no $n'"
    tests = load(write(tmp_path, entry)).tests
    assert [call_of(test).checks for test in tests] == 2 * [{CallCheck.RETURN_VALUE, CallCheck.OUTPUT}]
    stated = [test.expectation for test in tests]
    assert stated == [
        GivenTranscript(ExpectedCall((ExpectedStep([n, {"tuple": [str(n)]}]),), f"no {n}", {}).text(())) for n in (1, 2)
    ]
    assert not any(test.needs_reference for test in tests)


@pytest.mark.parametrize(
    ("raises", "checks", "expected"),
    [
        ("ValueError", {CallCheck.EXCEPTION_TYPE}, ExpectedException("ValueError", "")),
        ("Overdrawn", {CallCheck.EXCEPTION_TYPE}, ExpectedException(".Overdrawn", "")),
        ("json.JSONDecodeError", {CallCheck.EXCEPTION_TYPE}, ExpectedException("json.JSONDecodeError", "")),
        (
            "{type: KeyError, message: ''}",
            {CallCheck.EXCEPTION_TYPE, CallCheck.EXCEPTION_MESSAGE},
            ExpectedException("KeyError", ""),
        ),
    ],
)
def test_a_stated_exception(raises: str, checks: set[CallCheck], expected: ExpectedException, tmp_path: Path) -> None:
    [test] = load(write(tmp_path, f"id: one, call: f(), raises: {raises}")).tests
    assert call_of(test).checks == checks
    assert test.expectation == GivenTranscript(ExpectedCall((ExpectedStep(None, expected),), "", {}).text(()))


SLIPS = [
    ("id: one, call: f(), returns: 1, raises: KeyError", "found `returns` and `raises`; expected one of them"),
    ("id: one, call: f(), returns: 1, checks: [output]", "found `returns` and `checks`; expected one of them"),
    ("id: one, calls: [f()], returns: 1", "found `returns` without `call`, of which it says what must come"),
    ("id: one, input: [x], prints: a", "found `prints` without `call`, of which it says what must come"),
    ("id: one, call: f(), sample: a.txt", "found `sample`; expected it where the transcript of the reference is"),
    ("id: one, input: [x], expected: a, sample: a.txt", "found `sample`; expected it where the transcript of the"),
    ("id: one, input: [x], sample: a.txt", "samples/a.txt cannot be read"),
    ("id: one, call: f(), returns: [K♠]", "found cards, but assignment.yaml does not say in `cards` whose they are"),
    ("id: one, call: f(), raises: a b", "expected"),
    ("id: one, call: f(), input: [x], stdin_text: a", "found `call` and `stdin`; expected `input` for what the"),
    ("id: one, repl: [x], stdin_text: a", "found `repl` and `stdin_text` here; expected one of: "),
    ("id: one, call: f(), returns: [{python: 1}]", "expected a value; what only Python can work out is compared with"),
    ("id: one-$n, for: {n: 1}, call: f(), prints: $m", "6:50: `$m` is not in `for`"),
    ("id: one, call: f(), calls: [g()]", "found `call` and `calls`; expected one of them"),
    ("id: one, calls: [f()], repl: [x]", "found `calls` and `repl`; expected one of them"),
    ("id: one, calls: []", "found an empty list; expected at least one item"),
    ("id: one, calls: [f(), g(1, 2)]", "6:28: found `g(1`; expected a call such as a.deposit(3)"),
    ("id: one, calls: [f(), 'g(']", "found `g(`; expected a call such as a.deposit(3), or a statement such as"),
    ("id: one, calls: ['a = 1; b = 2', f()]", "found `a = 1; b = 2`; expected a call such as a.deposit(3), or a"),
    ("id: one, calls: [a = 1]", "found `a = 1`; expected a call such as deal(deck, 3)"),
    ("id: one, calls: [f(), g()], for: {n: 1}", "the id must contain `$n`"),
    ("id: one, call: f(), checks: [state]", "found `state`, which says how objects in values are compared; expected"),
    ("id: one, call: f(), variables: {a: {python: 'f('}}", "found `f(`; expected an expression of Python such as"),
]  # fmt: skip


@pytest.mark.parametrize(("test", "problem"), SLIPS)
def test_slips(test: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write(tmp_path, test))
