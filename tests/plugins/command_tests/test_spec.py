"""The key `command` in the spec files."""

from pathlib import Path

import pytest

from grader.plugins.command_tests.interaction import CommandRun
from tests.spec.spec_folder import ASSIGNMENT, TESTS, load, problems_of, write_assignment


def write(folder: Path, test: str) -> Path:
    (folder / "reference").mkdir(parents=True)
    return write_assignment(folder, ASSIGNMENT, play=TESTS.replace("{id: one, input: [1]}", f"{{{test}}}"))


@pytest.mark.parametrize(
    ("command", "interaction", "text"),
    [
        ("pytest -q tests", CommandRun(("pytest -q tests",), is_line=True), "pytest -q tests"),
        ("[pytest, a b]", CommandRun(("pytest", "a b")), "pytest 'a b'"),
        ('"cd tests\\n./all.sh\\n"', CommandRun(("cd tests\n./all.sh\n",), is_line=True), "cd tests\n./all.sh"),
        ('"test $HOME = $(pwd)"', CommandRun(("test $HOME = $(pwd)",), is_line=True), "test $HOME = $(pwd)"),
    ],
)
def test_a_command_is_a_line_or_a_list_of_words(
    command: str, interaction: CommandRun, text: str, tmp_path: Path
) -> None:
    (test,) = load(write(tmp_path, f"id: one, command: {command}")).tests
    assert (test.interaction, interaction.text) == (interaction, text)
    assert not test.needs_reference


def test_values_of_a_loop_are_filled_in(tmp_path: Path) -> None:
    entry = 'id: one-$n, for: {n: [1, 2]}, points: 0.5, command: [make, test-$n, "$$n"]'
    tests = load(write(tmp_path, entry)).tests
    assert [test.interaction for test in tests] == [CommandRun(("make", f"test-{n}", "$n")) for n in (1, 2)]


NO_COMMAND = "expected a line for a shell such as `pytest -q tests`, or a list of words such as `[make, test]`"


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("id: one, command: []", f"found an empty list; {NO_COMMAND}"),
        ('id: one, command: " "', NO_COMMAND),
        ("id: one, command: {run: make}", f"found a mapping; {NO_COMMAND}"),
        ("id: one, command: [[make]]", NO_COMMAND),
        ("id: one, command: make, input: []", "found `input` and `command` here"),
        ("id: one, command: make, call: f()", "found `call` and `command`"),
        ("id: one, command: make, args: [x]", "found `args` beside `command`"),
        ("id: one, command: make, echo: false", "found `echo` beside `command`"),
        ("id: one, command: make, expect: [{contains: x}]", "found `expect` beside `command`"),
        ("id: one, command: make, written_files: [x]", "found `written_files` beside `command`"),
        ("id: one, command: make $x, for: {n: 1}", "`$x` is not in `for`"),
        ("id: one, command: make, partial: lines", "found `partial` in a test with `command`"),
        ("id: one, command: make, visibility: public, sealed: true", "a test with `command` cannot be sealed"),
    ],
)
def test_slips(test: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems_of(write(tmp_path, test))
