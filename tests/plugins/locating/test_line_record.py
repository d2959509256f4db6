"""The lines that a run executes are taken down, however it is started and however it ends, and nothing else changes."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.model.interaction import Dialogue, FunctionCall, Interaction, ReplSession, StdinRun
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits, StartSettings
from grader.plugins.locating.line_record import LineWatch
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.run.find_python import PythonSearch
from tests.building import TEST
from tests.sandbox import needs_sandbox

GAME = """\
import helper

number = int(input("Number: "))


def double(number):
    if number < 0:
        return -double(-number)
    return helper.twice(number)


if __name__ == "__main__":
    print("Double:", double(number))
"""
HELPER = "def twice(number):\n    return 2 * number\n\n\ndef unused():\n    return 0\n"
CALL = FunctionCall(calls=("double(-3)",), variables={}, setup=(), checks=frozenset(), cards=None, lines=("1",))


def _newer_python() -> AbstractContextManager[RunEnvironment]:
    """Recording is another matter from 3.12 on."""
    found = (PythonSearch(version).find() for version in ("3.14", "3.13", "3.12"))
    python = next(filter(None, found), None)
    if python is None:
        pytest.skip("needs Python 3.12 or newer")
    return open_environment(python)


_ENVIRONMENTS = {"open": open_environment, "sandboxed": lambda: sandboxed_environment(()), "newer": _newer_python}


@pytest.fixture(scope="module", params=["open", pytest.param("sandboxed", marks=needs_sandbox), "newer"])
def environment(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    with _ENVIRONMENTS[request.param]() as environment:
        yield environment


@dataclass(frozen=True)
class Runs:
    """Runs game.py, given as its source, with helper.py beside it."""

    environment: RunEnvironment
    folder: Path

    def plain(self, source: str, interaction: Interaction, **start: object) -> Outcome:
        files = {"game.py": source, "helper.py": HELPER}
        for name, text in files.items():
            (self.folder / name).write_text(text)
        test = replace(TEST, interaction=interaction, start=StartSettings(**start))  # type: ignore[arg-type]
        submission = [(self.folder / name, name) for name in files]
        return self.environment.run(test, submission, Limits(wall_seconds=20), {})

    def recorded(self, source: str, interaction: Interaction = Dialogue(())) -> Outcome:  # noqa: B008 - it is frozen
        return self.plain(source, interaction, watch=LineWatch(("game.py", "helper.py")))


def lines_of(outcome: Outcome, file: str = "game.py") -> tuple[int, ...]:
    """The lines of a file that ran."""
    return tuple(sorted(one.line for one in outcome.executed if one.file == file))


def steps_of(outcome: Outcome) -> list[tuple[list[int], int]]:
    """The lines of game.py that ran before each output, and how many newlines that had."""
    return [([one.line for one in step.lines], step.newlines) for step in outcome.trace]


@pytest.fixture
def runs(environment: RunEnvironment, tmp_path: Path) -> Runs:
    return Runs(environment, tmp_path)


@pytest.mark.parametrize("interaction", [Dialogue(("3",)), StdinRun(None, "3\n")], ids=["dialogue", "stdin"])
def test_of_a_program(interaction: Interaction, runs: Runs) -> None:
    outcome = runs.recorded(GAME, interaction)
    assert outcome.transcript.endswith("Double: 6\n")
    assert lines_of(outcome) == (1, 3, 6, 7, 9, 12, 13)
    assert lines_of(outcome, "helper.py") == (1, 2, 5)


def test_of_a_function_call(runs: Runs) -> None:
    outcome = runs.recorded(GAME, CALL)
    assert outcome.call is not None
    assert outcome.call.returned == -6
    assert lines_of(outcome) == (1, 3, 6, 7, 8, 9, 12)
    assert lines_of(outcome, "helper.py") == (1, 2, 5)


def test_at_the_prompt(runs: Runs) -> None:
    outcome = runs.recorded(GAME, ReplSession(("from game import double", "1", "double(2)")))
    assert outcome.transcript.endswith(">>> double(2)\n4\n>>> \n")
    assert lines_of(outcome) == (1, 3, 6, 7, 9, 12)
    assert lines_of(outcome, "helper.py") == (1, 2, 5)


def test_in_a_thread(runs: Runs) -> None:
    source = "import threading\ndef f():\n    print(1)\nthread = threading.Thread(target=f)\nthread.start()\n"
    assert lines_of(runs.recorded(source)) == (1, 2, 3, 4, 5)


def test_in_a_loop_of_which_a_branch_comes_last(runs: Runs) -> None:
    source = "for number in range(1000):\n    if number == 998:\n        print(number)\n"
    assert lines_of(runs.recorded(source)) == (1, 2, 3)


def test_a_function_in_one_line(runs: Runs) -> None:
    source = "f = (\n    lambda: 1\n)\ndef g(): return f()\ndef h(): return 2\ng()\n"
    assert lines_of(runs.recorded(source)) == (1, 2, 4, 5, 6)


@pytest.mark.parametrize(
    ("end", "ending"),
    [
        ("os._exit(0)", Termination.EXITED),
        ("os.kill(os.getpid(), 9)", Termination.SIGNALLED),
        ("os.abort()", Termination.SIGNALLED),
    ],
)
def test_of_a_program_that_ends_at_once(end: str, ending: Termination, runs: Runs) -> None:
    outcome = runs.recorded(f"import os\nprint(1)\nif True:\n    {end}\nprint(2)\n")
    assert outcome.ending is ending
    assert lines_of(outcome) == (1, 2, 3, 4)


def test_until_an_exception(runs: Runs) -> None:
    outcome = runs.recorded("def f():\n    return 1 / 0\nf()\nprint(2)\n")
    assert outcome.transcript.endswith("ZeroDivisionError: division by zero\n")
    assert lines_of(outcome) == (1, 2, 3)


PRINTS = """\
for number in range(2):
    if number:
        print("a\\nb")
    print(number)
name = input("\\nName? ")
print("end", end="")
print(name)
"""


def test_between_two_outputs_each_line_is_new(runs: Runs) -> None:
    outcome = runs.recorded(PRINTS, Dialogue(("Ann",)))
    assert outcome.transcript == "0\na\nb\n1\n\nName? Ann\nendAnn\n"
    assert steps_of(outcome) == [([1, 2, 4], 1), ([1, 2, 3], 1), ([], 1), ([4], 1), ([1, 5], 1), ([6, 7], 1), ([], 0)]


def test_a_long_loop_with_nothing_new_is_looked_at_again_after_an_output(runs: Runs) -> None:
    source = "for number in range(30_000):\n    number += 0\n    if number == 29_999:\n        print()\nprint(1)\n"
    first, second, _ = steps_of(runs.recorded(source))
    assert {1, 2, 3} <= set(first[0])
    assert second == ([1, 5], 1)


def test_in_a_function_that_goes_on_after_an_output(runs: Runs) -> None:
    source = "def f():\n    for number in range(3):\n        if number == 1:\n            print()\nf()\n"
    assert steps_of(runs.recorded(source)) == [([1, 5, 2, 3, 4], 1), ([2, 3], 0)]


LOOKS_AROUND = """\
import os, sys
print(sorted(os.listdir()), sys.path, sorted(os.environ), sys.argv, sys.flags)
print(sys._getframe().f_back, sys.stdin.isatty(), __name__, __file__)
"""


def test_the_program_sees_nothing_of_it(runs: Runs) -> None:
    assert runs.recorded(LOOKS_AROUND).transcript == runs.plain(LOOKS_AROUND, Dialogue(())).transcript


def test_nothing_is_recorded_where_no_one_asks(runs: Runs) -> None:
    assert runs.plain(GAME, Dialogue(("3",))).trace == ()


@pytest.mark.parametrize(
    "statement",
    ["os.closerange(3, 200)", "os.write(3, b'9 1\\n0 x\\n-1 1\\n' + b'1' * 9999 + b' 1\\n0 ' + b'1' * 9999)"],
    ids=["closes", "scribbles"],
)
def test_a_program_may_spoil_its_record_and_nothing_else(statement: str, runs: Runs) -> None:
    outcome = runs.recorded(f"import os\n{statement}\nprint(1)\n")
    assert outcome.transcript == "1\n"
    assert outcome.exit_code == 0
    assert set(lines_of(outcome)) <= {1, 2, 3}
