"""Input that is read before the output that asks for it: told to the staff where the transcript does not show it."""

import json

import pytest

from grader.judge.normalize import read_ahead_note, shown_late_note
from grader.model.outcome import Outcome, Termination, TypedLine
from tests.conftest import Grader, SmallCourse

TWO_QUESTIONS = """\
format: 1
program: double.py
part: doubles
points: 5
tests:
  - {id: sum, visibility: public, echo: false, input: [4, 5]}
  - {id: shown, visibility: public, input: [4, 5]}
"""
REFERENCE = 'first = int(input("First: "))\nprint("Second:")\nprint(first + int(input()))\n'
AHEAD = """\
import sys
lines = sys.stdin.readline(), sys.stdin.readline()
print("First: Second:")
print(sum(map(int, lines)))
"""
QUIET = """\
import sys, termios
flags = termios.tcgetattr(0)
flags[3] &= ~termios.ECHO
termios.tcsetattr(0, termios.TCSANOW, flags)
lines = sys.stdin.readline(), sys.stdin.readline()
print("First: " + lines[0] + "Second:\\n" + lines[1], end="")
print(sum(map(int, lines)))
"""
NOTE = "reads input before it prints what comes before it, which is no fault in these tests: sum"


@pytest.fixture
def asking(grader: Grader, small_course: SmallCourse) -> SmallCourse:
    for file in small_course.expected.iterdir():
        if not file.name.startswith("at-the-prompt"):
            file.unlink()
    (small_course.expected.parent / "tests" / "double.yaml").write_text(TWO_QUESTIONS)
    (small_course.folder / "reference" / "double.py").write_text(REFERENCE)
    assert grader("generate", "doubles").returncode == 0
    return small_course


@pytest.mark.slow
def test_what_is_not_seen_in_the_transcript_is_told(grader: Grader, asking: SmallCourse) -> None:
    assert (asking.expected / "sum.canonical.because.json").read_text() == (
        '{"format": 1, "because": [], "typed": [7, 15]}\n'
    )
    assert not (asking.expected / "shown.canonical.because.json").exists()
    asking.hand_in("ahead", AHEAD)
    asking.hand_in("asks", REFERENCE)
    printed = grader("grade", "submissions").stdout
    assert f"ahead: {NOTE}" in " ".join(printed.split())
    assert "asks: " not in printed
    rows = {
        row["student"]: row["tests"] for row in json.loads((asking.reports / "results.json").read_text())["submissions"]
    }
    assert [(test["verdict"], test["notes"]) for test in rows["ahead"][:2]] == [
        (
            "passed",
            [
                {
                    "kind": "read-ahead",
                    "sentence": "Input is read before the output that should come before it is printed "
                    "(line 1 and 1 more of the input).",
                }
            ],
        ),
        ("wrong-output", []),
    ]
    assert all(not test["notes"] for test in rows["asks"])


@pytest.mark.slow
def test_a_program_that_switches_the_echo_off_and_shows_what_it_read_later(grader: Grader, asking: SmallCourse) -> None:
    asking.hand_in("quiet", QUIET)
    assert f"quiet: {NOTE.replace('sum', 'shown')}" in " ".join(grader("grade", "submissions").stdout.split())


@pytest.mark.parametrize(
    ("transcript", "offset", "is_late"),
    [
        ("Word: \nThank you\n", 6, False),
        ("Word: you\nThank you\n", 6, False),
        ("Word: you\n", 0, True),
        ("", 0, False),
    ],
    ids=["hidden", "shown", "shown late", "nothing printed"],
)
def test_what_is_shown_where_it_was_read(transcript: str, offset: int, is_late: bool) -> None:
    outcome = Outcome(
        transcript=transcript,
        typed=(TypedLine(offset, "you"),),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0,
        cpu_seconds=0,
    )
    assert (shown_late_note(outcome) is not None) == is_late


def test_input_that_is_read_later_is_no_reading_ahead() -> None:
    assert read_ahead_note((5, 9), (TypedLine(5, "a"), TypedLine(12, "b"))) is None
    assert read_ahead_note((), (TypedLine(0, "a"),)) is None
    assert read_ahead_note((0, 9), (TypedLine(0, "a"), TypedLine(8, "b"))) is not None
