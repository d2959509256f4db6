"""The self-check on other systems, as far as these can be had here: their ways are chosen, their modules blocked."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from grader.api.check import prepare_check
from grader.cli.check import run_and_print
from grader.cli.output import Messages
from grader.run.system import SystemKind, lacks, this_system
from tests import ROOT
from tests.conftest import RIGHT, SmallCourse, without_progress


@pytest.mark.parametrize(
    ("platform", "system"),
    [
        ("linux", SystemKind.LINUX),
        ("darwin", SystemKind.UNIX),
        ("freebsd14", SystemKind.UNIX),
        ("win32", SystemKind.PIPES),
    ],
)
def test_each_platform_has_its_way(platform: str, system: SystemKind) -> None:
    assert this_system(platform) is system


def test_this_is_linux() -> None:
    assert this_system() is SystemKind.LINUX
    assert lacks(this_system()) == ()


def check(path: Path, course: Path, system: SystemKind) -> int:
    prepared = prepare_check(path, course=course, system=system)
    return run_and_print(prepared, "text", Messages(), show=3, save=None, full=False).exit_code


@pytest.mark.parametrize("system", SystemKind)
def test_every_system_tells_right_from_wrong(
    system: SystemKind, small_course: SmallCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    right = small_course.hand_in("right", RIGHT)
    assert check(right, small_course.folder, system) == 0
    out = capsys.readouterr().out
    assert "2 of 2 tests passed." in out
    for words in lacks(system):
        assert f"Mind: {words}." in out
    wrong = small_course.hand_in("wrong", 'print("Double: ", 2 * int(input("Number: ")))\n')
    assert check(wrong / "double.py", small_course.folder, system) == 1
    assert "+     2 │ Double: ·8" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("system", [SystemKind.UNIX, SystemKind.PIPES])
def test_a_real_game(system: SystemKind, capsys: pytest.CaptureFixture[str]) -> None:
    program = ROOT / "submissions" / "cse231-lab10b" / "right-winner-first" / "lab10b.py"
    assert check(program, ROOT, system) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_what_pipes_cannot_do_is_left_out_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "proj10.py"
    program.touch()
    check(program, ROOT, SystemKind.PIPES)
    out = capsys.readouterr().out
    assert "Not run here: p10-fn-" in out
    assert "  passed         p10-fn-" not in out


BLOCKED = """
    import os, signal, sys

    class Missing:
        def find_spec(self, name, path=None, target=None):
            if name in ("fcntl", "termios", "resource", "pty", "tty", "pwd", "grp"):
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    import subprocess, tempfile, threading, shutil, zipfile, sqlite3
    sys.meta_path.insert(0, Missing())
    for name in ("fcntl", "termios", "resource", "pty", "tty"):
        sys.modules.pop(name, None)
    for name in ("SIGXCPU", "SIGXFSZ", "SIGSTOP"):
        delattr(signal, name)
    for name in ("openpty", "posix_spawn", "killpg", "uname", "sysconf", "sched_getaffinity"):
        delattr(os, name)
    del os.O_NOFOLLOW, os.O_NONBLOCK
    import grader.api.check, grader.cli.check
    """


def run_blocked(source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python code where there is nothing that only Unix has."""
    command = [sys.executable, "-c", textwrap.dedent(BLOCKED) + textwrap.dedent(source), *arguments]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )


def test_nothing_that_only_unix_has_is_needed_to_import_it() -> None:
    run = run_blocked("print(sorted(name for name in sys.modules if name.startswith('grader.run')))")
    assert (run.returncode, run.stderr) == (0, "")
    assert "grader.run.process.terminal" not in run.stdout
    assert "grader.run.interface" in run.stdout


CHECK_AS_ON_WINDOWS = """
    import pathlib
    platform, sys.platform = sys.platform, "win32"
    import pexpect
    sys.platform = platform
    import grader.api.check, grader.cli.check
    from grader.run.system import SystemKind
    path, course = map(pathlib.Path, sys.argv[1:])
    prepared = grader.api.check.prepare_check(path, course=course, system=SystemKind.PIPES)
    run_and_print = grader.cli.check.run_and_print
    run = run_and_print(prepared, "text", grader.cli.check.Messages(), show=1, save=None, full=False)
    sys.exit(run.exit_code)
    """


@pytest.mark.slow
def test_nothing_that_only_unix_has_is_needed_to_check(small_course: SmallCourse) -> None:
    right = small_course.hand_in("right", RIGHT)
    run = run_blocked(CHECK_AS_ON_WINDOWS, str(right), str(small_course.folder))
    assert (run.returncode, without_progress(run.stderr)) == (0, "")
    assert "2 of 2 tests passed." in run.stdout
