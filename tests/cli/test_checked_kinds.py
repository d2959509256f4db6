"""A checker judges every kind of test: programs that are right and print something else than the reference pass."""

import json

import pytest

from tests.conftest import Grader, SmallCourse

REFERENCE = """\
def pair(number):
    print('so')
    return (number, 0)


if __name__ == '__main__':
    print(pair(int(input())))
"""
OTHER = REFERENCE.replace("(number, 0)", "(number - 1, 1)").replace("'so'", "'thus'")
WRONG = REFERENCE.replace("(number, 0)", "(number, 1)").replace("'so'", "'thus'")

CHECKER = """\
import ast

from grader.checkers import ActualCall, passed, wrong


def check(input, expected, actual):
    if isinstance(actual, ActualCall):
        assert (expected, actual.expected_returned, actual.given) == ("so\\n", (7, 0), {"n": 7})
        assert (actual.expression, actual.variables, actual.stdout) == ("pair(n)", {"n": 7}, "thus\\n")
        pair = actual.returned
    else:
        pair = ast.literal_eval(actual.stdout[actual.stdout.rindex("(") : actual.stdout.rindex(")") + 1])
    return passed() if sum(pair) == 7 else wrong("The sum is wrong.")
"""

KINDS = {
    "input": "input: [7]",
    "repl": "repl: [from triple import pair, pair(7)]",
    "stdin": "stdin: seven.txt",
    "call": "call: pair(n), variables: {n: 7}",
}


@pytest.mark.slow
def test_a_checker_judges_every_kind_of_test(grader: Grader, small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles"
    (small_course.folder / "reference" / "triple.py").write_text(REFERENCE)
    (small_course.folder / "checkers").mkdir()
    (small_course.folder / "checkers" / "sums.py").write_text(CHECKER)
    (spec / "inputs").mkdir()
    (spec / "inputs" / "seven.txt").write_text("7\n")
    tests = "".join(f"  - {{id: {name}, {kind}}}\n" for name, kind in KINDS.items())
    (spec / "tests" / "triple.yaml").write_text(
        f"format: 1\nprogram: triple.py\npart: triples\nchecker: sums\npoints: 0.5\ntests:\n{tests}"
    )
    assert grader("generate").returncode == 0
    for name, program in (("other", OTHER), ("wrong", WRONG)):
        (small_course.hand_in(name, None) / "triple.py").write_text(program)
    run = grader("grade", "submissions")
    content = json.loads((small_course.reports / "results.json").read_text())
    verdicts = {
        row["student"]: {test["id"]: test["verdict"] for test in row["tests"] if test["id"] in KINDS}
        for row in content["submissions"]
    }
    assert verdicts == {"other": dict.fromkeys(KINDS, "passed"), "wrong": dict.fromkeys(KINDS, "wrong-output")}, (
        run.stdout + run.stderr
    )
