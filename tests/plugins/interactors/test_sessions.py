"""Sessions of real programs with real interactors, in a terminal and through pipes: what each side sees and does."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from decimal import Decimal
from threading import Event, Timer

import pytest

from grader.model.outcome import CheckResult, CheckStatus, Termination, TypedLine
from grader.model.program import Limits
from grader.run.run_slots import cores
from tests.plugins.interactors.conftest import Play

PASSED = CheckResult(CheckStatus.PASSED, "", None)


def wrong(reason: str) -> CheckResult:
    return CheckResult(CheckStatus.WRONG, reason, None)


ECHOING = """
name = input("Name? ")
while name:
    print("Hello", name)
    name = input("Name? ")
"""


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """Endless loops beside the sessions."""
    with ExitStack() as stack:
        for _ in range(2 * cores()):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


def test_each_line_answers_what_was_printed(play: Play) -> None:
    outcome = play(
        "number = 3\nwhile number < 100:\n    number += int(input(f'{number}? '))\nprint('end', number)",
        """
        while match := program.expect(r"^(\\d+)\\? $|^end (\\d+)$"):
            if match[2]:
                program.expect_end()
                return
            program.send(2 * int(match[1]))
        """,
    )
    assert outcome.answer == PASSED
    assert outcome.ending is Termination.EXITED
    assert [typed.text for typed in outcome.typed] == ["6", "18", "54", "162"]


def test_the_transcript_of_a_terminal_shows_what_was_typed(at_terminal: Play) -> None:
    outcome = at_terminal(ECHOING, "program.send('Ada')\nprogram.send('')")
    assert outcome.transcript == "Name? Ada\nHello Ada\nName? \n"
    assert outcome.typed == (TypedLine(6, "Ada"), TypedLine(26, ""))


def test_the_transcript_of_pipes_has_only_what_was_printed(through_pipes: Play) -> None:
    outcome = through_pipes(ECHOING, "program.send('Ada')\nprogram.send('')")
    assert outcome.transcript == "Name? Hello Ada\nName? "
    assert outcome.typed == (TypedLine(6, "Ada"), TypedLine(22, ""))


def test_what_the_interactor_sees_has_no_echo(play: Play) -> None:
    outcome = play(
        ECHOING,
        """
        seen = [program.read_prompt()]
        program.send("Ada")
        seen.append(program.read_prompt())
        program.send("")
        program.unknown(repr([*seen, program.expect_end()]))
        """,
    )
    assert outcome.answer == CheckResult(CheckStatus.UNKNOWN, "['Name? ', 'Hello Ada\\nName? ', '']", None)


def test_a_password_that_is_not_shown_is_seen_neither(at_terminal: Play) -> None:
    outcome = at_terminal(
        "from getpass import getpass\nprint(getpass('Password: ')[::-1])",
        """
        program.expect("Password: ")
        program.send("abba")
        program.unknown(program.expect_end())
        """,
    )
    assert outcome.answer is not None
    assert outcome.answer.reason == "\nabba\n"


def test_the_same_seed_gives_the_same_game(play: Play) -> None:
    body = "for _ in range(20):\n    program.send(program.random.randint(0, 10**9))\nprogram.end_of_input()"
    source = "import sys\nfor line in sys.stdin: print(line)"
    first, again = play(source, body, seed="7"), play(source, body, seed="7")
    assert first.typed == again.typed
    assert first.transcript == again.transcript
    assert play(source, body, seed="8").typed != first.typed


def test_options_reach_the_interactor_and_not_the_program(play: Play) -> None:
    outcome = play(
        "import os\nprint(sorted(os.environ))\ninput()",
        "if 'flavour' in program.read_prompt(): program.wrong('seen')\nprogram.send(program.options['flavour'])",
        options=(("flavour", "mint"),),
    )
    assert outcome.answer == PASSED
    assert outcome.typed[0].text == "mint"


def test_the_end_of_input(play: Play) -> None:
    outcome = play(
        "import sys\nprint(len(sys.stdin.read()))",
        "program.send('four')\nprogram.end_of_input()\nprogram.expect('^5$')\nprogram.expect_end()",
    )
    assert outcome.answer == PASSED
    assert outcome.ending is Termination.EXITED


@pytest.mark.parametrize("length", [5, 5_000, 100_000])
def test_long_lines_arrive_whole(play: Play, length: int) -> None:
    outcome = play(
        "import sys\nprint(len(sys.stdin.readline()))",
        f"program.send('x' * {length})\nassert program.expect_end() == '{length + 1}\\n'",
    )
    assert outcome.answer == PASSED
    assert [len(typed.text) for typed in outcome.typed] == [length]


@pytest.mark.slow
def test_much_output_between_two_lines(play: Play) -> None:
    outcome = play(
        "for number in range(200_000): print(number)\ninput('ready? ')\nprint('bye')",
        "program.expect('^199999$')\nprogram.expect('ready')\nprogram.send('')\nprogram.expect('bye')",
    )
    assert outcome.answer == PASSED


def test_bytes_that_are_no_text(play: Play) -> None:
    outcome = play(
        "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe')\nsys.stdout.flush()\ninput()",
        "program.unknown(ascii(program.read_prompt()))",
    )
    assert outcome.answer is not None
    assert outcome.answer.reason == r"'\udcff\udcfe'"


def test_a_score(play: Play) -> None:
    outcome = play("print('hm')", "program.expect_end()\nprogram.wrong('half of it', score=0.5)")
    assert outcome.answer == CheckResult(CheckStatus.WRONG, "half of it", Decimal("0.5"))


def test_a_program_that_is_wrong_is_stopped_at_once(play: Play) -> None:
    outcome = play("while True: input()", "program.send('x')\nprogram.wrong('enough')")
    assert (outcome.ending, outcome.answer) == (Termination.STOPPED, wrong("enough"))
    assert outcome.exit_code is None


def test_a_program_that_is_right_comes_to_its_end(play: Play) -> None:
    outcome = play(
        "try:\n    while True: print(input())\nexcept EOFError:\n    print('bye')",
        "program.send('x')\nprogram.passed()",
    )
    assert (outcome.ending, outcome.exit_code, outcome.answer) == (Termination.EXITED, 0, PASSED)
    assert outcome.transcript.endswith("bye\n")


@pytest.mark.parametrize(
    ("source", "body", "sentence"),
    [
        ("print(1)", "program.send(5)", "The program ends before it asks for the input `5`."),
        ("print(1)", "program.end_of_input()", "The program ends before it reads the end of the input."),
        ("print(1)", "program.read_prompt()", "The program ends where it should ask for input."),
        ("input('? ')", "program.expect_end()", "The program asks for input where it should end."),
        (
            "print('one'); input('two? ')",
            "program.expect('three')",
            "The program asks for input where it should print output that fits `three`; its last line is `two? `.",
        ),
        (
            "print('one')",
            "program.expect('two', 'the number 2')",
            "The program ends where it should print the number 2; its last line is `one`.",
        ),
        ("pass", "program.expect('x', 'a card')", "The program ends where it should print a card."),
        (
            "print('one'); print('two')",
            "program.read_line()\nprogram.read_line()\nprogram.read_line('a third line')",
            "The program ends where it should print a third line; its last line is `two`.",
        ),
    ],
)
def test_what_is_said_of_a_program_that_does_something_else(play: Play, source: str, body: str, sentence: str) -> None:
    assert play(source, body).answer == wrong(sentence)


def test_output_that_is_kept_back_is_noticed_at_once(through_pipes: Play) -> None:
    outcome = through_pipes("import sys\nprint(500)\nsys.stdin.readline()", "program.read_line('a guess')")
    assert outcome.answer == wrong("The program asks for input where it should print a guess; is its output flushed?")


def test_a_last_line_without_a_newline_is_a_line(play: Play) -> None:
    outcome = play("print('a\\nb', end='')", "assert [program.read_line(), program.read_line()] == ['a', 'b']")
    assert outcome.answer == PASSED


def test_a_prompt_is_no_line(play: Play) -> None:
    outcome = play("print('one')\ninput('two? ')", "program.read_line()\nprogram.read_line('a second line')")
    assert outcome.answer == wrong(
        "The program asks for input where it should print a second line; its last line is `two? `."
    )


def test_a_prompt_is_done_with_when_it_is_answered_and_lines_are_not(play: Play) -> None:
    outcome = play(
        "print('one')\ninput('two? ')\nprint('three')",
        "program.send('x')\nassert (program.read_line(), program.read_line()) == ('one', 'three')\nprogram.passed()",
    )
    assert outcome.answer == PASSED


def test_a_pattern_may_span_lines_and_what_follows_stays(play: Play) -> None:
    outcome = play(
        "print('a\\nb\\nc\\nd')",
        r"""
        assert program.expect(r"a\nb").start() == 0
        assert program.expect("^c$")
        assert program.expect_end() == "\nd\n"
        """,
    )
    assert outcome.answer == PASSED


def test_very_many_lines_are_read_one_by_one(through_pipes: Play) -> None:
    outcome = through_pipes(
        "for number in range(100_000): print(number)",
        "for number in range(100_000): assert program.read_line() == str(number)\nprogram.expect_end()",
    )
    assert outcome.answer == PASSED


def test_a_number_is_never_seen_in_two_pieces(play: Play) -> None:
    outcome = play(
        """
        import sys, time
        for digit in "1234567":
            sys.stdout.write(digit)
            sys.stdout.flush()
            time.sleep(0.01)
        input()
        """,
        "program.unknown(program.expect(r'\\d+')[0])",
    )
    assert outcome.answer is not None
    assert outcome.answer.reason == "1234567"


@pytest.mark.slow
@pytest.mark.usefixtures("busy_machine")
def test_a_busy_machine_changes_nothing(play: Play) -> None:
    outcome = play(
        "total = 0\nfor number in range(100):\n    print(number)\n    total += int(input(f'{total}? '))\nprint(total)",
        """
        for number in range(100):
            program.expect(rf"^{number}$")
            program.expect(r"^\\d+\\? $")
            program.send(number)
        program.expect("^4950$")
        program.expect_end()
        """,
    )
    assert outcome.answer == PASSED
    assert len(outcome.typed) == 100


@pytest.mark.slow
def test_what_the_interactor_thinks_is_not_the_time_of_the_program(play: Play) -> None:
    outcome = play(
        "input()\nprint('done')",
        "import time\ntime.sleep(11)\nprogram.send('x')\ntime.sleep(11)\nprogram.expect('done')\nprogram.expect_end()",
        limits=Limits(wall_seconds=20),
    )
    assert outcome.answer == PASSED


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("import time\ntime.sleep(1000)", "program.read_prompt()"),
        ("input()\nwhile True: pass", "program.send('x')\nprogram.expect_end()"),
        ("while True: pass", "program.passed()"),
    ],
)
def test_the_time_of_the_program_is_limited(play: Play, source: str, body: str) -> None:
    outcome = play(source, body, limits=Limits(wall_seconds=0.3))
    assert outcome.ending is Termination.TIMED_OUT


def test_cancelled_sessions_end(play: Play) -> None:
    cancelled = Event()
    Timer(0.3, cancelled.set).start()
    outcome = play("input()", "import time\ntime.sleep(1000)", cancelled=cancelled)
    assert (outcome.ending, outcome.answer) == (Termination.CANCELLED, None)
