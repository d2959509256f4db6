"""A program can open its standard streams by name, in a terminal and without one, and nothing more by it."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, Interaction, StdinRun
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.run.environment import open_environment, sandboxed_environment
from tests.building import TEST
from tests.sandbox import needs_sandbox

COPIES = """\
with open("/dev/{source}") as source, open("/dev/{target}", "w") as target:
    print("read", source.readline().strip(), file=target)
with open("/dev/stderr", "w") as errors:
    print("done", file=errors)
"""
WRITES = """\
import os, stat
try:
    os.close(os.open("/dev/stdin", os.O_WRONLY | os.O_TRUNC))
    print("written")
except OSError as error:
    print(type(error).__name__)
print(input())
"""
OTHERS = """\
import os
print(sorted(os.listdir("/dev/pts")))
print(input())
"""


def ran(program: str, interaction: Interaction, folder: Path, *, inside: bool) -> Outcome:
    (folder / "game.py").write_text(program)
    environment = sandboxed_environment(()) if inside else open_environment()
    with environment as opened, opened.runner([(folder / "game.py", "game.py")]) as runner:
        test = replace(TEST, interaction=interaction)
        return runner.run(test, Limits(wall_seconds=20), Isolation.FRESH_PROCESS, {})


@pytest.mark.parametrize("inside", [pytest.param(True, marks=needs_sandbox), False])
@pytest.mark.parametrize(("source", "target"), [("stdin", "stdout"), ("fd/0", "fd/1")])
def test_standard_streams_can_be_opened_by_name(source: str, target: str, inside: bool, tmp_path: Path) -> None:
    program = COPIES.format(source=source, target=target)
    piped = ran(program, StdinRun("in.txt", "word\n"), tmp_path, inside=inside)
    assert (piped.ending, piped.transcript, piped.errors) == (Termination.EXITED, "read word\n", "done\n")
    typed = ran(program, Dialogue(("word",)), tmp_path, inside=inside)
    assert (typed.ending, typed.transcript) == (Termination.EXITED, "word\nread word\ndone\n")


@needs_sandbox
def test_the_file_on_standard_input_cannot_be_opened_to_write(tmp_path: Path) -> None:
    outcome = ran(WRITES, StdinRun("in.txt", "word\n"), tmp_path, inside=True)
    assert outcome.transcript == "PermissionError\nword\n"


@needs_sandbox
def test_no_terminal_has_a_name_inside(tmp_path: Path) -> None:
    outcome = ran(OTHERS, Dialogue(("word",)), tmp_path, inside=True)
    assert outcome.transcript == "['ptmx']\nword\nword\n"
