"""Versions run in forks as they do in a session, and only programs that can do no harm do so."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import as_handed_in
from grader.model.assignment import Assignment
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Termination
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import SubmittedFile
from grader.model.test import Test
from grader.plugins.locating.repairing.failing import MendedProgram
from grader.plugins.locating.repairing.forked_trial import Forks
from grader.plugins.locating.repairing.forked_versions import (
    MAX_BYTES,
    ForkedVersion,
    ForkServer,
    can_be_forked,
    fork_server,
    is_harmless,
)
from grader.run.find_python import StudentPython
from grader.selfcheck.check import submission_at
from grader.spec.course import Course
from tests.conftest import SmallCourse

TESTS = """\
format: 1
program: double.py
part: doubles
visibility: public
points: 2
tests:
  - {id: small, input: [4]}
  - {id: piped, stdin_text: "4\\n"}
  - {id: call, call: double(4)}
  - {id: closed, sealed: true, input: [5]}
  - {id: prompt, repl: ["import double"]}
"""
PROGRAM = """\
def double(number):
    return 2 * number


if __name__ == "__main__":
    print("Double:", double(int(input("Number: "))))
"""


@pytest.fixture
def assignment(small_course: SmallCourse) -> Assignment:
    tests = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(TESTS)
    return Course(small_course.folder).assignment("doubles")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ForkServer]:
    (tmp_path / "helper.py").write_text("def twice(number):\n    return 2 * number\n")
    with fork_server(StudentPython(), [SubmittedFile("helper.py", tmp_path / "helper.py")], 60, Event()) as started:
        yield started


def named(assignment: Assignment, name: str) -> Test:
    return next(test for test in assignment.tests if test.id == name)


def test_what_can_be_forked(assignment: Assignment) -> None:
    forked = [test.id for test in assignment.tests if test.program == "double.py" and can_be_forked(test)]
    assert forked == ["small", "piped", "call"]
    assert load_transcripts(assignment, [])


def test_a_session_a_pipe_and_a_call(assignment: Assignment, server: ForkServer) -> None:
    version = ForkedVersion(PROGRAM, server, 5, 20)
    session, piped, call = (version.outcome(named(assignment, name)) for name in ("small", "piped", "call"))
    assert session.transcript == "Number: 4\nDouble: 8\n"
    assert [(line.offset, line.text) for line in session.typed] == [(8, "4")]
    assert (session.exit_code, session.unsent) == (0, 0)
    assert piped.transcript == "Number: Double: 8\n"
    assert call.call is not None
    assert call.call.returned == 8


def test_modules_beside_the_program_are_found(assignment: Assignment, server: ForkServer) -> None:
    version = ForkedVersion("from helper import twice\nprint(twice(4))\n", server, 5, 20)
    assert version.outcome(named(assignment, "small")).transcript == "8\n"


def test_endings(assignment: Assignment, server: ForkServer) -> None:
    test = named(assignment, "small")
    crash = ForkedVersion("print(1 / 0)\n", server, 5, 20).outcome(test)
    assert (crash.exit_code, crash.unsent) == (1, 1)
    assert "ZeroDivisionError" in crash.transcript
    assert ForkedVersion("import sys\nsys.exit(3)\n", server, 5, 20).outcome(test).exit_code == 3
    assert ForkedVersion("input()\ninput()\n", server, 5, 20).outcome(test).exit_code == 1
    assert ForkedVersion("def broken(\n", server, 5, 20).outcome(test).exit_code == 1
    loop = ForkedVersion("while True:\n    pass\n", server, 0.1, 20).outcome(test)
    assert loop.ending is Termination.TIMED_OUT
    flood = ForkedVersion("while True:\n    print('x' * 100_000)\n", server, 5, 20).outcome(test)
    assert flood.exit_code != 0
    assert len(flood.transcript) <= MAX_BYTES


def test_lines_in_the_order_of_their_last_run(assignment: Assignment, server: ForkServer) -> None:
    version = ForkedVersion("for n in (1, 2):\n    print(n)\nprint(3)\nprint(4)\n", server, 5, 20)
    assert list(version.lines(named(assignment, "small"), MAX_BYTES)) == [2, 1, 3, 4]
    assert list(version.lines(named(assignment, "small"), 3)) == [1, 2]
    assert list(version.lines(named(assignment, "small"), 5)) == [2, 1, 3]


def test_all_lines_that_a_call_runs_are_suspicious(
    assignment: Assignment, server: ForkServer, small_course: SmallCourse
) -> None:
    text = "def double(number):\n    result = number\n    return result\n"
    submission = submission_at(assignment, small_course.hand_in("ann", text))
    [test] = [test for test in as_handed_in(assignment, submission, assignment.tests) if test.id == "call"]
    judgement = Judgement(verdict=Verdict.WRONG_OUTPUT)
    outcome = ForkedVersion(text, server, 5, 20).outcome(test)
    result = TestResult(test=test, judgement=judgement, outcome=outcome, expected="8")
    graded = GradedSubmission(submission=submission, results=(result,), variants={})
    program = MendedProgram(name="double.py", text=text, graded=graded, results=[result])
    assert Forks(server, 5).ranks(program, result, []) == {3: 0, 2: 1, 1: 2}


IGNORES_SIGNALS = """\
import signal, time
for number in (signal.SIGALRM, signal.SIGPROF):
    signal.signal(number, signal.SIG_IGN)
while True:
    pass
"""


def test_no_version_outlives_its_time_or_sees_other_requests(assignment: Assignment, server: ForkServer) -> None:
    test = named(assignment, "small")
    assert ForkedVersion(IGNORES_SIGNALS, server, 0.1, 0.3).outcome(test).ending is Termination.TIMED_OUT
    assert ForkedVersion("import time\ntime.sleep(60)\n", server, 5, 0.3).outcome(test).ending is Termination.TIMED_OUT
    assert ForkedVersion("import os\nprint(os.read(0, 9))\n", server, 5, 20).outcome(test).transcript == "b''\n"


def test_an_interpreter_that_a_version_ends_does_not_answer(assignment: Assignment, server: ForkServer) -> None:
    version = ForkedVersion("import os\nos.kill(os.getppid(), 9)\n", server, 5, 20)
    with pytest.raises(OSError, match="the interpreter has ended"):
        version.outcome(named(assignment, "small"))


OF_PARENT = "import os, signal\nanswers = os.open(f'/proc/{os.getppid()}/fd/1', os.O_WRONLY)\n"


@pytest.mark.parametrize("answer", ["{}", '{"status": "0", "output": []}', "[]", "3", '{"status": 0, "output": 3}'])
def test_a_damaged_answer_is_an_error_of_the_interpreter(
    answer: str, assignment: Assignment, server: ForkServer
) -> None:
    version = ForkedVersion(f"{OF_PARENT}os.write(answers, b'{answer}\\n')\n", server, 5, 20)
    with pytest.raises(OSError, match="the interpreter's answer is damaged"):
        version.outcome(named(assignment, "small"))


def test_an_interpreter_that_a_version_stops_is_not_waited_for(assignment: Assignment, server: ForkServer) -> None:
    test = named(assignment, "small")
    whole = '{"status": 0, "output": "", "cpu": 0}'
    stops = f"{OF_PARENT}os.write(answers, b'{whole}\\n')\nos.kill(os.getppid(), signal.SIGSTOP)\n"
    ForkedVersion(stops, server, 5, 20).outcome(test)
    version = ForkedVersion("#" * 1_000_000, server, 5, -4)
    with pytest.raises(OSError, match="the interpreter does not answer"):
        version.outcome(test)


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        (PROGRAM, True),
        ("import math, random\nfrom helper import twice\n", True),
        ("import os\n", False),
        ("from shutil import rmtree\n", False),
        ("import collections.abc\n", True),
        ("from . import other\n", False),
        ("print(open('notes.txt').read())\n", False),
        ("__import__('os').remove('a')\n", False),
        ("import sys\nsys.modules['os'].remove('a')\n", False),
        ("print('", False),
    ],
)
def test_programs_that_can_do_no_harm(text: str, harmless: bool) -> None:
    assert is_harmless(text, frozenset({"helper"})) == harmless
