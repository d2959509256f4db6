"""`grader record` in a real terminal."""

import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pexpect import EOF, spawn

from tests.conftest import REFERENCE, Grader, SmallCourse

ADDED = "\n".join(("  - id: recorded-1", "    points: 0", "    input: [{}]", ""))


@contextmanager
def recording(course: SmallCourse, *arguments: str) -> Iterator["spawn[str]"]:
    """The command in a terminal, at the moment when the program asks for its number."""
    command = ["-m", "grader", "record", "double.py", *arguments]
    terminal: spawn[str] = spawn(sys.executable, command, cwd=course.folder, encoding="utf-8", timeout=60)
    terminal.delaybeforesend = None
    before = settings(terminal)
    try:
        terminal.expect_exact("Number: ")
        yield terminal
        terminal.expect(EOF)
        # What lies behind the command is as it was.
        assert settings(terminal) == before
    finally:
        terminal.close(force=True)


def settings(terminal: "spawn[str]") -> list[object]:
    return list(termios.tcgetattr(terminal.child_fd))


def content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def tests_file(small_course: SmallCourse) -> Path:
    return small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"


def test_the_tab_key_offers_the_programs(small_course: SmallCourse) -> None:
    request = {"_GRADER_COMPLETE": "bash_complete", "COMP_WORDS": "grader record dou", "COMP_CWORD": "2"}
    offered = subprocess.run(
        [Path(sys.executable).with_name("grader")],
        cwd=small_course.folder,
        env={**os.environ, **request},
        stdout=subprocess.PIPE,
    )
    assert offered.stdout == b"plain,double.py\n"


@pytest.mark.slow
def test_a_game_becomes_a_test_that_is_fresh(grader: Grader, small_course: SmallCourse, tests_file: Path) -> None:
    tests_file.write_text(tests_file.read_text() + "# the end\n")
    before = tests_file.read_text()
    with recording(small_course) as terminal:
        terminal.send("12\x7f3\r")
        terminal.expect_exact("Double: 26")
        terminal.expect_exact("added: recorded-1 in ")
    assert terminal.exitstatus == 0
    assert tests_file.read_text() == before.replace("# the end\n", ADDED.format(13) + "# the end\n")
    assert (small_course.expected / "recorded-1.wordy.txt").read_text() == "Number: 13\nTwice: 26\n"
    assert grader("generate", "--check").returncode == 0


@pytest.mark.slow
def test_what_was_asked_for_is_in_the_test(grader: Grader, small_course: SmallCourse, tests_file: Path) -> None:
    output = tests_file.with_name("more.yaml")
    arguments = ["--id", "big", "--title", "a big: number", "--public", "--output", str(output)]
    with recording(small_course, *arguments) as terminal:
        terminal.send("1000\r")
    assert terminal.exitstatus == 0
    assert output.read_text() == (
        "format: 1\nprogram: double.py\npart: doubles\ntests:\n"
        "  - id: big\n    title: 'a big: number'\n    visibility: public\n    points: 0\n    input: [1000]\n"
    )
    assert grader("generate", "--check").returncode == 0


@pytest.mark.slow
def test_the_end_of_input(grader: Grader, small_course: SmallCourse, tests_file: Path) -> None:
    with recording(small_course) as terminal:
        terminal.send("\x04")
        terminal.expect_exact("EOFError")
    assert terminal.exitstatus == 0
    assert tests_file.read_text().endswith(ADDED.format("") + "    exit_status: 1\n")
    assert grader("generate", "--check").returncode == 0


@pytest.mark.slow
def test_other_writing_than_english(small_course: SmallCourse, tests_file: Path) -> None:
    (small_course.folder / "reference" / "double.py").write_text('print(input("Number: ") * 2)\n')
    with recording(small_course) as terminal:
        terminal.send("♠ 10é😊x\x7f\x7f☺️\r")
        terminal.expect_exact("♠ 10é☺️♠ 10é☺️")
    assert terminal.exitstatus == 0
    assert tests_file.read_text().endswith(ADDED.format("♠ 10é☺️"))


@pytest.mark.slow
def test_control_c_gives_up(small_course: SmallCourse) -> None:
    # `input` heeds no Ctrl-C that comes after its prompt and before it reads.
    program = 'print("Number: ", end="", flush=True)\nwhile True:\n    pass\n'
    (small_course.folder / "reference" / "double.py").write_text(program)
    before = content(small_course.folder)
    with recording(small_course) as terminal:
        terminal.send("1\x03")
        terminal.expect_exact("KeyboardInterrupt")
        terminal.expect_exact("nothing is recorded")
    assert terminal.exitstatus == 130
    assert content(small_course.folder) == before


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_right_after_a_signal(number: int, small_course: SmallCourse) -> None:
    before = content(small_course.folder)
    with recording(small_course) as terminal:
        terminal.kill(number)
    assert terminal.exitstatus == 128 + number
    assert content(small_course.folder) == before


@pytest.mark.slow
def test_points_that_do_not_add_up_change_nothing(small_course: SmallCourse) -> None:
    before = content(small_course.folder)
    with recording(small_course, "--points", "1") as terminal:
        terminal.send("5\r")
        terminal.expect_exact("expected its marks, 10")
    assert terminal.exitstatus == 2
    assert content(small_course.folder) == before


@pytest.mark.slow
def test_a_transcript_that_cannot_be_written_changes_nothing(small_course: SmallCourse) -> None:
    (small_course.expected / "recorded-1.wordy.txt").mkdir()
    before = content(small_course.folder)
    with recording(small_course) as terminal:
        terminal.send("5\r")
        terminal.expect_exact("recorded-1.wordy.txt cannot be written: Is a directory")
    assert terminal.exitstatus == 2
    assert content(small_course.folder) == before


@pytest.mark.slow
def test_a_program_of_chance_changes_nothing(small_course: SmallCourse) -> None:
    program = REFERENCE + "\nimport random\nprint(random.random())\n"
    (small_course.folder / "reference" / "double.py").write_text(program)
    before = content(small_course.folder)
    with recording(small_course) as terminal:
        terminal.send("5\r")
        terminal.expect_exact("does not behave the same each time")
    assert terminal.exitstatus == 2
    assert content(small_course.folder) == before


@pytest.mark.slow
def test_more_lines_than_the_program_reads_change_nothing(small_course: SmallCourse) -> None:
    before = content(small_course.folder)
    with recording(small_course) as terminal:
        terminal.send("5\r6\r")
        terminal.expect_exact("before the input `6` was read")
    assert terminal.exitstatus == 2
    assert content(small_course.folder) == before


def test_without_a_terminal(grader: Grader) -> None:
    run = grader("record", "double.py")
    assert run.returncode == 2
    assert "play the program in a terminal" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["double.py", "--id", "small"], "There is a test with the id `small` already."),
        (["double.py", "--id", "a b"], "cannot be the id of a test"),
        (["double.py", "--output", "other.yaml"], "would not be read"),
        (["duoble.py", "--assignment", "doubles"], "did you mean `double.py`?"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_played(arguments: list[str], said: str, grader: Grader) -> None:
    run = grader("record", *arguments)
    assert run.returncode == 2
    assert said in run.stderr
