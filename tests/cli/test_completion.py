"""The tab key: in a real bash, and what the scripts of other shells ask for and get."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from pexpect import spawn

from tests.conftest import SmallCourse

BIN = Path(sys.executable).parent
PROMPT = "ready> "


@contextmanager
def bash(small_course: SmallCourse, home: Path, setup: str) -> Iterator["spawn[str]"]:
    """A bash in the course folder that knows how to complete."""
    environment = {**os.environ, "HOME": str(home), "PATH": f"{BIN}:{os.environ['PATH']}", "TERM": "dumb"}
    shell: spawn[str] = spawn(
        "bash", ["--norc", "--noprofile"], cwd=small_course.folder, env=environment, encoding="utf-8", timeout=60
    )
    try:
        shell.sendline(f"PS1='{PROMPT[:3]}''{PROMPT[3:]}'; {setup}")
        shell.expect_exact(PROMPT)
        yield shell
    finally:
        shell.close(force=True)


COMPLETIONS = [
    ("grader wat", "grader watch "),
    ("grader generate do", "grader generate doubles "),
    ("grader check . --assignment d", "grader check . --assignment doubles "),
    ("grader check refer", "grader check reference/"),
    ("grader check reference/dou", "grader check reference/double.py "),
    ("grader grade submissions --form", "grader grade submissions --format "),
    ("grader grade submissions --format j", "grader grade submissions --format json "),
]


def complete(shell: "spawn[str]") -> None:
    for typed, completed in COMPLETIONS:
        shell.send(f"{typed}\t")
        shell.expect_exact(completed)
        # Control-U: the line is taken back.
        shell.send("\x15")


def asked(course: Path, shell: str, words: str, *, number: str) -> subprocess.CompletedProcess[str]:
    """What a shell's script gets for a line of words, to complete the one of this number (in fish: this one)."""
    asking = {"_GRADER_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": number}
    return run_grader(course, environment=asking)


def run_grader(folder: Path, *arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "grader", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_bash(small_course: SmallCourse, tmp_path: Path) -> None:
    with bash(small_course, tmp_path, 'eval "$(grader --show-completion bash)"') as shell:
        complete(shell)


@pytest.mark.slow
def test_bash_after_an_installation(small_course: SmallCourse, tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("export OWN=line")
    for _ in range(2):
        run = run_grader(tmp_path, "--install-completion", environment={"HOME": str(tmp_path), "SHELL": "/bin/bash"})
        assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"written: {tmp_path}/.bash_completions/grader.sh\n")
    assert (tmp_path / ".bashrc").read_text() == "export OWN=line\nsource ~/.bash_completions/grader.sh\n"
    with bash(small_course, tmp_path, "source ~/.bashrc") as shell:
        complete(shell)


def test_zsh(small_course: SmallCourse) -> None:
    assert asked(small_course.folder, "zsh", "grader generate d", number="2").stdout == "plain\ndoubles\n_\n"
    assert asked(small_course.folder, "zsh", "grader check re", number="2").stdout == "file\nre\n_\n"


def test_fish(small_course: SmallCourse) -> None:
    assert asked(small_course.folder, "fish", "grader check . --assignment ", number="").stdout == "plain,doubles\n"
    assert asked(small_course.folder, "fish", "grader check re", number="re").stdout == "file,re\n"


@pytest.mark.slow
def test_help_beside_an_option_names_the_formats(small_course: SmallCourse) -> None:
    offered = asked(small_course.folder, "fish", "grader grade . --form", number="--form").stdout
    assert offered.startswith("plain,--format\tThe output format: text, json")


def test_outside_of_a_course_there_is_nothing_to_offer(tmp_path: Path) -> None:
    ids = asked(tmp_path, "zsh", "grader generate ", number="2")
    assert (ids.returncode, ids.stdout, ids.stderr) == (0, "\n", "")


@pytest.mark.parametrize(
    ("shell", "script", "startup"),
    [("zsh", ".zfunc/_grader", ".zshrc"), ("fish", ".config/fish/completions/grader.fish", None)],
)
def test_other_shells_find_their_script(shell: str, script: str, startup: str | None, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "SHELL": "/bin/sh"}
    shown = run_grader(tmp_path, "--show-completion", shell, environment=home).stdout
    assert f"_GRADER_COMPLETE={shell}_complete" in shown
    run_grader(tmp_path, "--install-completion", shell, environment=home)
    assert (tmp_path / script).read_text().strip() == shown.strip()
    assert {file.name for file in tmp_path.iterdir()} == {Path(script).parts[0], *([startup] if startup else [])}


def test_a_shell_that_is_not_known(tmp_path: Path) -> None:
    for option in "--show-completion", "--install-completion":
        run = run_grader(tmp_path, option, environment={"HOME": str(tmp_path), "SHELL": "/bin/tcsh"})
        assert run.returncode == 2
        assert "There is no script for the shell 'tcsh'; name one of bash, zsh, fish." in run.stderr
    windows = run_grader(tmp_path, "--install-completion", "powershell", environment={"HOME": str(tmp_path)})
    assert windows.returncode == 2
    assert "Put the output of `grader --show-completion powershell`" in windows.stderr
    assert not list(tmp_path.iterdir())


def test_a_home_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / ".zfunc").touch()
    run = run_grader(tmp_path, "--install-completion", "zsh", environment={"HOME": str(tmp_path)})
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"{tmp_path}/.zfunc cannot be written: File exists\n"
