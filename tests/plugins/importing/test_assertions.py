"""Test functions become function tests only where these test the same."""

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.config.yaml_writer import Writable
from grader.plugins.importing.assertions import asserted_entries
from grader.plugins.importing.stated import InexpressibleError
from grader.plugins.importing.test_files import TestFile

IMPORTS = "import unittest\nimport pytest\nimport numpy as np\nfrom bank import *\nfrom pytest import approx\n"
CLASS = "class TestBank(unittest.TestCase):\n"


def entries(body: str, head: str = "", class_head: str = CLASS, decorator: str = "") -> list[dict[str, Writable]]:
    """Return the entries of the last test method of a file."""
    lines = [*([decorator] if decorator else []), "def test_it(self):", *(f"    {line}" for line in body.splitlines())]
    text = f"{IMPORTS}{head}\n{class_head}" + "".join(f"    {line}\n" for line in lines)
    file = TestFile.of(Path("test_bank.py"), "test_bank.py", ast.parse(text))
    return asserted_entries([*file.functions()][-1], "bank")


def only(body: str, head: str = "") -> Mapping[str, Writable]:
    (entry,) = entries(body, head)
    return entry


def test_a_value_that_a_call_may_have_changed_is_compared() -> None:
    asserted = only("numbers = [3, 1]\nsorted_of(numbers)\nself.assertEqual([3, 1], numbers)")
    assert asserted["call"] == "numbers"
    assert asserted["setup"] == ["numbers = [3, 1]", "sorted_of(numbers)"]
    assert asserted["returns"] == ["3", "1"]


def test_a_variable_that_nothing_touched_is_the_expected_value() -> None:
    asserted = only("first = [1]\nsecond = [1]\ndouble(first)\nself.assertEqual(second, first)")
    assert (asserted["call"], asserted["returns"]) == ("first", ["1"])


def test_a_variable_that_is_added_to_is_no_literal() -> None:
    asserted = only("total = 1\ntotal += 1\nself.assertEqual(f(1), total)")
    assert asserted["call"] == "f(1) == total"


@pytest.mark.parametrize(
    ("assertion", "compare"),
    [
        ("self.assertAlmostEqual(root(2), 1.41, delta=CLOSE)", {"tolerance": "0.01"}),
        ("self.assertAlmostEqual(root(2), 1.41, places=TWO)", {"tolerance": "0.005"}),
        ("self.assertAlmostEqual(root(2), 1.41)", {"tolerance": "0.00000005"}),
        (
            "assert root(2) == pytest.approx(1.41, abs=CLOSE)",
            {"tolerance": "0.01"},
        ),
        (
            "assert root(2) == approx(1.41, 0.1)",
            {"tolerance": "0.000000000001", "relative_tolerance": "0.1"},
        ),
        (
            "assert approx(1.41) == root(2)",
            {"tolerance": "0.000000000001", "relative_tolerance": "0.000001"},
        ),
    ],
)
def test_tolerances(assertion: str, compare: Mapping[str, str]) -> None:
    asserted = only(assertion, "CLOSE = 0.01\nTWO = 2")
    assert (asserted["call"], asserted["returns"], asserted["compare"]) == ("root(2)", "1.41", compare)


@pytest.mark.parametrize(
    ("assertion", "call", "returns"),
    [
        ("self.assertEqual(f(1), True)", "f(1) == True", "true"),
        ("assert f(1) == False", "f(1) == False", "true"),
        ("assert f(1) is True", "f(1)", "true"),
        ("self.assertIs(f(1), False)", "f(1)", "false"),
        ("self.assertSequenceEqual(f(1), [1, 2])", "list(f(1)) == list([1, 2])", "true"),
    ],
)
def test_what_python_takes_for_equal_is_equal(assertion: str, call: str, returns: str) -> None:
    asserted = only(assertion)
    assert (asserted["call"], asserted["returns"]) == (call, returns)


def test_numbers_with_many_digits_are_compared_in_python() -> None:
    assert only("self.assertEqual(f(1), 1e300)")["call"] == "f(1) == 1e+300"
    assert only("self.assertEqual(f(1), 1.5e-9)")["returns"] == "0.0000000015"


def test_constants_of_constants_come_along_in_order() -> None:
    asserted = only("self.assertEqual(f(), C)", "A, B = 0, 1\nC = B + A")
    assert (asserted["call"], asserted["setup"]) == ("f() == C", ["A, B = (0, 1)", "C = B + A"])


def test_a_call_that_raises_runs_before_the_later_assertions() -> None:
    first, second = entries(
        "a = Account(1)\nwith self.assertRaises(ValueError):\n    a.take(2)\nself.assertEqual(a.balance, 1)"
    )
    assert first["raises"] == "ValueError"
    assert second["setup"] == ["a = Account(1)", "with __import__('contextlib').suppress(Exception): a.take(2)"]


def test_functions_without_arguments_may_remember_earlier_calls() -> None:
    first, second = entries("self.assertEqual(push(3), 1)\nself.assertEqual(pop(), 3)")
    assert "setup" not in first
    assert second["setup"] == ["push(3)"]
    assert [entry.get("setup") for entry in entries("assert f(1) == 2\nassert f(2) == 3")] == [None, None]


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ("self.assertRaises(ValueError, lambda: take(2))", "take(2)"),
        ("self.assertRaises(ValueError, take, 2, of=3)", "take(2, of=3)"),
        ("for n in [1]:\n    with self.subTest(n=n):\n        self.assertEqual(f(n), 2)", "f(n)"),
    ],
)
def test_further_forms(statement: str, call: str) -> None:
    assert only(statement)["call"] == call


def test_equal_counts_are_those_of_python() -> None:
    call = only("self.assertCountEqual(f(1), [1, 2])")["call"]
    assert eval(str(call), {"f": lambda _: [2.0, True]}) is True
    assert eval(str(call), {"f": lambda _: [2, 2]}) is False


@pytest.mark.parametrize(
    ("body", "head", "reason"),
    [
        ("assert f(1) == 1\nnp.testing.assert_allclose(g(1), [1])", "", "line 10: a statement after the last"),
        ("a = Account(5)\nassert a.balance == 5\na.take(5)", "", "line 11: a statement after the last assertion"),
        ("with pytest.raises(ValueError, match='negative'):\n    root(-1)", "", "`with`"),
        ("with self.assertRaises(ValueError) as caught:\n    root(-1)\nassert caught", "", "`with`"),
        ("cases = [(1, 1)]\ncases.append((4, 2))\nfor n, r in cases:\n    assert root(n) == r", "", "`for`"),
        ("for n in CASES:\n    assert root(n) == n", "CASES = [1]\nCASES.append(4)", "`for`"),
        (
            "assert root(LAST) == 4",
            "CASES = [1]\nCASES.append(4)\nLAST = CASES[-1]",
            "`LAST`, whose value is not clear",
        ),
        ("assert f(N) == 4", "N = 1\nN = 2", "`N`, whose value is not clear"),
        ("self.assertAlmostEqual(root(2), 1.41, delta=0.1 + error(2))", "", "the tolerance is not"),
        ("self.assertAlmostEqual(root(2), 1.41, delta=UNKNOWN)", "", "the tolerance is not"),
        ("assert root(2) == approx(1.41, nan_ok=True)", "", "these arguments of `approx`"),
        ("assert [root(2)] == [approx(1.41)]", "", "`approx`, whose value is not clear"),
        ("self.assertEqual(first=f(1), second=2)", "", "with named arguments"),
        ("self.assertIsInstance(f(1), cls=int)", "", "with named arguments"),
        ("total = 2\nself.total = 3\nassert f(total) == self.total", "", "`total` is also an attribute of `self`"),
        ("assert f(1) == 1", "def setUpModule():\n    prepare()\n", "`setUpModule` runs before it"),
        ("assert f(1) == 1", "@pytest.fixture(autouse=True)\ndef ready():\n    prepare()\n", "`ready` runs before it"),
        ("for n in [1]:\n    assert f(n) == 1\nelse:\n    assert f(2) == 1", "", "`for`"),
    ],
)
def test_what_would_test_something_else_is_refused(body: str, head: str, reason: str) -> None:
    body_line = 6 + len((head + "\n").splitlines())
    with pytest.raises(InexpressibleError) as caught:
        entries(body, head)
    assert reason.replace("line 10", f"line {body_line + 3}").replace("line 11", f"line {body_line + 4}") in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("class_head", "decorator", "reason"),
    [
        ("class TestBank(Common):\n", "", "its class has the base `Common`"),
        (CLASS, "@unittest.skip('later')", "`@unittest.skip` has no form here"),
        (CLASS, "@unittest.expectedFailure", "`@unittest.expectedFailure` has no form here"),
        (CLASS + "    rate: float = 0.1\n", "", "`annassign` in its class"),
        (CLASS + "    @classmethod\n    def setup_class(cls):\n        pass\n", "", "`setup_class` runs before it"),
    ],
)
def test_classes_and_decorators_that_change_a_test(class_head: str, decorator: str, reason: str) -> None:
    with pytest.raises(InexpressibleError) as caught:
        entries("assert f(1) == 1", class_head=class_head, decorator=decorator)
    assert reason in str(caught.value)
