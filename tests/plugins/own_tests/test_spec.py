"""The programs for students' own tests in the spec files."""

from pathlib import Path

import pytest

from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment


def write(folder: Path, test: str, assignment: str = ASSIGNMENT) -> Path:
    (folder / "reference").mkdir(parents=True)
    written = write_assignment(folder, assignment, play=TESTS.replace("id: one, input: [1]", test))
    (written / "own_tests").mkdir()
    for name, text in (
        ("right.py", "x = 1\n"),
        ("wrong-1.py", "x = 2\n"),
        ("wrong-2.py", "x = 3\n"),
        ("bad.py", "x =\n"),
    ):
        (written / "own_tests" / name).write_text(text)
    (written / "own_tests" / "latin.py").write_bytes(b"# \xe9\n")
    return written


def test_the_programs_for_own_tests_are_read(tmp_path: Path) -> None:
    entry = "id: one-$n, for: {n: [1, 2]}, points: 0.5, own_tests: {module: m.py, good: [right.py], bad: wrong-$n.py}"
    tests = load(write(tmp_path, entry)).tests
    assert [test.interaction for test in tests] == [
        OwnTests("m.py", (TrialProgram("right.py", "x = 1\n"),), TrialProgram(f"wrong-{n}.py", f"x = {n + 1}\n"))
        for n in (1, 2)
    ]


SLIPS = [
    ("id: one, own_tests: {module: m.py, good: []}", "found an empty list; expected at least one item"),
    ("id: one, own_tests: {module: m, good: [right.py]}", "found the module `m`; expected a file"),
    ("id: one, own_tests: {module: game.py, good: [right.py]}", "found the program itself as `module`"),
    ("id: one, own_tests: {module: m.py, good: [rigt.py]}", "(No such file or directory); did you mean `right.py`?"),
    ("id: one, own_tests: {module: m.py, good: [bad.py]}", "bad.py, line 1: invalid syntax"),
    ("id: one, own_tests: {module: m.py, good: [latin.py]}", "latin.py is not in UTF-8"),
    ("id: one, own_tests: {module: m.py, good: [right.py], bad: $x.py}, for: {n: 1}", "`$x` is not in `for`"),
    ("id: one, own_tests: {module: m.py, good: [right.py]}, input: []", "found `input` and `own_tests` here"),
    ("id: one, own_tests: {module: m.py, good: [right.py]}, checker: x", "found `checker` or `echo` with `own_tests`"),
    ("id: one, own_tests: {module: m.py, good: [right.py]}, setup: [x]", "found `variables` or `setup` without `call`"),
    (
        "id: one, own_tests: {module: m.py, good: [right.py]}, visibility: public, sealed: true",
        "a test with `own_tests` cannot be sealed",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("test", "problem"), SLIPS)
def test_slips(test: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write(tmp_path, test))


def test_own_tests_of_another_language_are_refused(tmp_path: Path) -> None:
    entry = "id: one, own_tests: {module: m.py, good: [right.py]}"
    folder = write(tmp_path, entry, ASSIGNMENT.replace("file: game.py", "file: game.py\n    run: [./game]"))
    assert "only tests in Python can be tried" in problems_of(folder)
