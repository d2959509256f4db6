"""`grader watch` in a real terminal, with files that are really saved."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pexpect import EOF, TIMEOUT, spawn

from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")
# It tells by a file that its test is under way, and then takes long.
SLOW = "open({!r}, 'w')\nimport time\ntime.sleep(15)\n"


def start(path: Path, *options: str) -> "spawn[str]":
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    command = ["-m", "grader", "watch", path.name, *options]
    return spawn(
        sys.executable,
        command,
        cwd=path.parent,
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(24, 120),
    )


@contextmanager
def watching(path: Path, *options: str) -> Iterator["spawn[str]"]:
    """The command, once it has shown its first results; Ctrl-C is pressed at the end."""
    terminal = start(path, *options)
    try:
        terminal.expect_exact("Waiting for changes; Ctrl-C ends.")
        yield terminal
        terminal.sendintr()
        terminal.expect(EOF)
    finally:
        terminal.close(force=True)


def wait_for(sign: Path, terminal: "spawn[str]") -> None:
    while not sign.exists():
        terminal.expect([".", TIMEOUT], timeout=0.1)


def save_by_renaming(file: Path, content: str) -> None:
    """As many editors do."""
    new = file.with_name(f".{file.name}.swp")
    new.write_text(content)
    new.replace(file)


@pytest.mark.slow
def test_only_what_changed_is_shown(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("student", WRONG)
    with watching(folder) as terminal:
        assert "1 of 2 tests passed." in str(terminal.before)
        save_by_renaming(folder / "double.py", RIGHT)
        terminal.expect_exact("Run 2: 2 of 2 tests pass.\r\n  now passes       small: a small number\r\n")
        (folder / "double.py").write_text("print(1 / 0)\n")
        terminal.expect_exact("Run 3: 1 of 2 tests pass.\r\n  now fails        small: a small number\r\n")
        terminal.expect_exact("ZeroDivisionError")
        save_by_renaming(folder / "double.py", WRONG)
        terminal.expect_exact("Run 4: 1 of 2 tests pass.\r\n  fails otherwise  small: a small number\r\n")
        (folder / "double.py").write_text(WRONG + "# a remark\n")
        terminal.expect_exact("Run 5: 1 of 2 tests pass, nothing has changed.\r\n")
        assert "at-the-prompt" not in str(terminal.before)
    assert str(terminal.before).endswith("5 runs. At first 1 of 2 tests pass, now 1 of 2 tests pass.\r\n")
    assert terminal.exitstatus == 1


@pytest.mark.slow
def test_only_the_named_tests_are_run(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("student", RIGHT)
    with watching(folder, "--test", "sm*") as terminal:
        assert "1 of 1 tests passed." in str(terminal.before)
        save_by_renaming(folder / "double.py", WRONG)
        terminal.expect_exact("Run 2: 0 of 1 tests pass.\r\n  now fails        small: a small number\r\n")
    refused = start(folder, "--test", "smal")
    refused.expect_exact("No test is called `smal`")
    refused.expect(EOF)


@pytest.mark.slow
def test_a_save_in_the_middle_of_a_run_begins_another_one(small_course: SmallCourse) -> None:
    file = small_course.hand_in("student", WRONG) / "double.py"
    sign = small_course.folder / "under way"
    with watching(file) as terminal:
        file.write_text(SLOW.format(str(sign)))
        wait_for(sign, terminal)
        file.write_text("")
        file.write_text(RIGHT)
        terminal.expect_exact("Run 2: 1 of 1 tests pass.")
    assert terminal.exitstatus == 0


@pytest.mark.slow
def test_what_changes_nothing_runs_nothing(small_course: SmallCourse) -> None:
    file = small_course.hand_in("student", RIGHT) / "double.py"
    with watching(file) as terminal:
        file.write_text(RIGHT)
        file.with_name("double.py~").write_text("another file")
        file.unlink()
        save_by_renaming(file, WRONG)
        terminal.expect_exact("Run 2: 0 of 1 tests pass.")
    assert "2 runs." in str(terminal.before)


@pytest.mark.slow
def test_control_sequences_of_a_program_do_not_reach_the_terminal(small_course: SmallCourse) -> None:
    file = small_course.hand_in("student", RIGHT) / "double.py"
    with watching(file) as terminal:
        file.write_text('input("Number: ")\nprint("\\x1b[2Jhello")\n')
        terminal.expect_exact("<U+001B>[2Jhello")
        assert "\x1b" not in str(terminal.before)


@pytest.mark.slow
def test_a_save_before_the_first_run_is_done(small_course: SmallCourse) -> None:
    sign = small_course.folder / "under way"
    file = small_course.hand_in("student", SLOW.format(str(sign))) / "double.py"
    terminal = start(file)
    wait_for(sign, terminal)
    terminal.sendintr()
    terminal.expect(EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert not re.search("Run|runs|Traceback", str(terminal.before))


@pytest.mark.parametrize("name", ["nothing.py", "link.py"])
def test_what_cannot_be_watched(name: str, grader: Grader, small_course: SmallCourse) -> None:
    (small_course.folder / "link.py").symlink_to("nowhere")
    assert grader("watch", name).returncode == 2
