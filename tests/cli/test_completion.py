"""The tab key: in a real bash, and what the scripts of other shells ask for and get."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pexpect import spawn

from tests.conftest import SmallCourse

BIN = Path(sys.executable).parent
PROMPT = "ready> "


@contextmanager
def bash(small_course: SmallCourse) -> Iterator["spawn[str]"]:
    """A bash in the course folder that knows how to complete."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "TERM": "dumb"}
    shell: spawn[str] = spawn(
        "bash", ["--norc", "--noprofile"], cwd=small_course.folder, env=environment, encoding="utf-8", timeout=60
    )
    try:
        shell.sendline(f"PS1='{PROMPT[:3]}''{PROMPT[3:]}'; eval \"$(_GRADER_COMPLETE=source_bash grader)\"")
        shell.expect_exact(PROMPT)
        yield shell
    finally:
        shell.close(force=True)


COMPLETIONS = [
    ("grader wat", "grader watch "),
    ("grader generate do", "grader generate doubles "),
    ("grader check . --assignment d", "grader check . --assignment doubles "),
    ("grader record tr", "grader record triple.py "),
    ("grader check refer", "grader check reference/"),
    ("grader check reference/dou", "grader check reference/double.py "),
    ("grader grade submissions --form", "grader grade submissions --format "),
    ("grader grade submissions --format g", "grader grade submissions --format github "),
]


def test_bash(small_course: SmallCourse) -> None:
    with bash(small_course) as shell:
        for typed, completed in COMPLETIONS:
            shell.send(f"{typed}\t")
            shell.expect_exact(completed)
            # Control-U: the line is taken back.
            shell.send("\x15")


def asked(course: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([BIN / "grader"], cwd=course, env=environment, capture_output=True, text=True, check=False)


def test_zsh(small_course: SmallCourse) -> None:
    ids = asked(small_course.folder, _GRADER_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="grader generate d")
    assert ids.stdout == """_arguments '*: :(("doubles"))'\n"""
    files = asked(small_course.folder, _GRADER_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="grader check re")
    assert files.stdout == "_files\n"


def test_fish(small_course: SmallCourse) -> None:
    fish = {"_GRADER_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    ids = asked(small_course.folder, **fish, _TYPER_COMPLETE_ARGS="grader check . --assignment ")
    assert ids.stdout == "doubles\n"
    fish["_TYPER_COMPLETE_FISH_ACTION"] = "is-args"
    assert asked(small_course.folder, **fish, _TYPER_COMPLETE_ARGS="grader check re").returncode == 1


def test_outside_of_a_course_there_is_nothing_to_offer(tmp_path: Path) -> None:
    ids = asked(tmp_path, _GRADER_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="grader generate ")
    assert (ids.stdout, ids.stderr) == ("_files\n", "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_shells_have_a_script(shell: str, tmp_path: Path) -> None:
    assert "_GRADER_COMPLETE=complete_" in asked(tmp_path, _GRADER_COMPLETE=f"source_{shell}").stdout
