"""`grader import gradescope`: unit tests with weights and visibility become tests of functions."""

from pathlib import Path

import pytest

from grader.errors import GraderError
from grader.plugins.importing.api import import_gradescope
from tests.plugins.importing.packages import marks, verdicts, write, written
from tests.sandbox import needs_sandbox

START = "#!/usr/bin/env bash\ncp /autograder/submission/bank.py /autograder/source/\npython3 run_tests.py\n"
RUN = """\
import unittest
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

if __name__ == '__main__':
    suite = unittest.defaultTestLoader.discover('tests')
    with open('/autograder/results/results.json', 'w') as f:
        JSONTestRunner(visibility='visible', stream=f).run(suite)
"""
TESTS = '''\
import unittest
import subprocess
from gradescope_utils.autograder_utils.decorators import leaderboard, number, partial_credit, visibility, weight
from bank import Account, interest

RATE = 0.1


class TestBank(unittest.TestCase):
    def setUp(self):
        self.account = Account(5)

    @weight(2)
    @number("1.1")
    def test_new(self):
        """A new account"""
        self.assertEqual(self.account.balance, 5)
        self.assertIsNone(self.account.owner)

    @weight(3)
    @visibility("hidden")
    def test_moves(self):
        """Money comes and goes"""
        expected = 8
        self.assertEqual(self.account.deposit(3), expected)
        self.assertEqual(self.account.deposit(1), expected + 1)
        with self.assertRaises(ValueError):
            self.account.withdraw(100)
        self.assertTrue(self.account.is_open)

    @weight(1)
    @visibility("after_due_date")
    def test_interest(self):
        self.assertAlmostEqual(interest(100, RATE), 10.0, places=2)
        for amount in (0, 10):
            self.assertGreaterEqual(interest(amount, RATE), 0)
        self.assertIn("a", ["a", "b"])
        self.assertCountEqual([2, 1], [1, 2])
        self.assertRaises(TypeError, interest, None, None)

    @weight(1)
    @leaderboard("speed")
    def test_speed(self, set_leaderboard_value=None):
        set_leaderboard_value(3)

    @partial_credit(2.5)
    def test_share(self, set_score=None):
        set_score(2)

    @weight(1)
    def test_program(self):
        self.assertEqual(subprocess.run(["python3", "bank.py"]).returncode, 0)

    @weight(1)
    def test_helper(self):
        self.check(3)

    def check(self, amount):
        self.assertEqual(amount, 3)
'''
BANK = """\
class Account:
    owner = None
    is_open = True

    def __init__(self, balance):
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount
        return self.balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not so much")


def interest(amount, rate):
    return amount * rate
"""
PLAIN = TESTS.partition("    @weight(1)\n    @leaderboard")[0]
AUTOGRADER = {"run_autograder": START, "run_tests.py": RUN, "tests/__init__.py": "", "tests/test_bank.py": TESTS}


@pytest.mark.slow
@needs_sandbox
def test_plain_tests_become_calls(tmp_path: Path) -> None:
    files = {**AUTOGRADER, "tests/test_bank.py": PLAIN, "requirements.txt": "gradescope-utils>=0.3\n"}
    folder = write(tmp_path / "bank", files)
    right = write(tmp_path / "right", {"bank.py": BANK})
    made = import_gradescope(folder, solution=right, into=tmp_path / "course")
    assert verdicts(made) == {"accepted-solution": ["passed"] * made.tests}
    write(made.course / "submissions" / "bank" / "forgets", {"bank.py": BANK.replace("+= amount", "= amount")})
    write(made.course / "submissions" / "bank" / "floats", {"bank.py": BANK.replace("= balance", "= float(balance)")})
    assert marks(made) == {"accepted-solution": "6", "forgets": "3", "floats": "6"}
    tests = {test["id"]: test for test in written(made, "tests/tests.yaml")["tests"]}
    assert tests["TestBank-test_new-1"]["title"] == "1.1 A new account"
    assert tests["TestBank-test_moves-2"]["setup"] == ["account = Account(5)", "expected = 8", "account.deposit(3)"]
    assert {test["visibility"] for name, test in tests.items() if "test_new" not in name} == {"hidden"}


AS_IT_STANDS = "is run by pytest as it stands, and passes by its exit status alone"


def test_what_is_not_plain_is_listed_with_its_line(tmp_path: Path) -> None:
    folder = write(tmp_path / "bank", AUTOGRADER)
    notes = import_gradescope(folder, into=tmp_path / "course").notes
    assert [note.removeprefix("tests/test_bank.py: ") for note in notes if note.startswith("tests/")] == [
        "the test test_speed (1 point) was not imported: line 44: it uses the fixture `set_leaderboard_value`.",
        "the test test_share (2.5 points) was not imported: line 48: it uses the fixture `set_score`.",
        f"the test test_program {AS_IT_STANDS}: line 52: it uses `subprocess`.",
        f"the test test_helper {AS_IT_STANDS}: line 55: it uses the method `check` of its class.",
    ]
    assert any("`after_due_date` are hidden" in note for note in notes)
    assert any("without `visibility`, which Gradescope shows: 5 of 7." in note for note in notes)
    assert notes[-1] == "8 of 11.5 points were imported."


def test_a_helper_among_the_tests_is_not_handed_in(tmp_path: Path) -> None:
    text = "import unittest\nimport help\n\nclass T(unittest.TestCase):\n"
    text += "    def test_it(self):\n        self.assertEqual(help.run(), 3)\n"
    files = {"run_autograder": "python3 run_tests.py\n", "tests/test_it.py": text, "tests/help.py": "def run(:\n"}
    with pytest.raises(GraderError, match=r"test_it \(1 point\) was not imported: .*\(--program\)"):
        import_gradescope(write(tmp_path / "it", files), into=tmp_path / "course")


def test_a_function_that_is_run_as_it_stands_has_its_file_and_what_that_uses(tmp_path: Path) -> None:
    text = "import unittest\nfrom bank import interest\nfrom help import run\n\nclass T(unittest.TestCase):\n"
    text += "    def test_it(self):\n        self.assertEqual(open('tests/rates.txt').read(), run(interest))\n"
    others = ("tests/help.py", "tests/rates.txt", "tests/other.py", "solution.py", "bank.py")
    folder = write(tmp_path / "bank", {"run_autograder": START, "tests/test_it.py": text, **dict.fromkeys(others, "")})
    made = import_gradescope(folder, into=tmp_path / "course")
    (test,) = written(made, "tests/tests.yaml")["tests"]
    assert test["command"] == "python3 -m pytest -q tests/test_it.py::T::test_it"
    assert test["files"] == ["tests/test_it.py", "tests/help.py", "tests/rates.txt"]
    assert test["visibility"] == "public"
    assert written(made, "assignment.yaml")["packages"] == ["pytest"]
    assert all((made.course / "test_specs" / made.id / "files" / name).is_file() for name in test["files"])


def test_a_function_beside_hidden_ones_is_hidden_when_it_is_run_as_it_stands(tmp_path: Path) -> None:
    made = import_gradescope(write(tmp_path / "bank", AUTOGRADER), into=tmp_path / "course")
    tests = {test["id"]: test for test in written(made, "tests/tests.yaml")["tests"] if "command" in test}
    assert {name: test["visibility"] for name, test in tests.items()} == {
        "TestBank-test_program": "hidden",
        "TestBank-test_helper": "hidden",
    }
    assert written(made, "assignment.yaml")["packages"] == ["pytest", "gradescope-utils"]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("while True: pass", "a statement with `while` has no form here"),
        ("self.assertRegex(interest(1, 2), 'a')", "`assertRegex` has no form here"),
        ("x = interest(1, 2)", "it asserts nothing"),
        ("self.assertAlmostEqual(interest(1, 2), interest(2, 1))", "is no literal"),
        ("self.assertRaises((TypeError, ValueError), interest)", "several exceptions have no form here"),
        ("self.assertEqual(helper(1), 1)", "it uses `helper`, which the file of tests defines"),
        ("self.assertEqual(open('a').read(), 'a')", "it uses `open`"),
    ],
)
def test_a_statement_that_is_not_plain(statement: str, reason: str, tmp_path: Path) -> None:
    text = "from bank import interest  # /autograder\nimport unittest\n\ndef helper(x):\n    return x\n\n"
    text += f"class T(unittest.TestCase):\n    def test_it(self):\n        {statement}\n"
    folder = write(tmp_path / "bank", {"run_autograder": START, "tests/test_it.py": text})
    with pytest.raises(
        GraderError, match=f"tests/test_it.py: the test test_it \\(1 point\\) was not imported: line [89]: .*{reason}"
    ):
        import_gradescope(folder, into=tmp_path / "course")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"run_autograder": START}, "no test functions of unittest"),
        ({"run_autograder": START, "tests/test_a.py": "def (:"}, "no test functions of unittest"),
        ({f"{name}/{file}": text for name in "ab" for file, text in AUTOGRADER.items()}, "one of these folders: a, b"),
    ],
)
def test_a_folder_without_an_autograder(files: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=words):
        import_gradescope(write(tmp_path / "bank", files), into=tmp_path / "course")


def test_a_program_that_tests_do_not_import(tmp_path: Path) -> None:
    text = "import unittest\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(f(1), 1)\n"
    folder = write(tmp_path / "even", {"run_autograder": "#!/bin/sh\n", "tests/test_it.py": text})
    with pytest.raises(GraderError, match="does not import the file that students hand in"):
        import_gradescope(folder, into=tmp_path / "course")
    made = import_gradescope(folder, program="even.py", into=tmp_path / "course")
    assert written(made, "assignment.yaml")["programs"] == [{"file": "even.py"}]
