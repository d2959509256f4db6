"""The catalogue of causes with the output of real programs: one right game, and a spoiled one for each cause."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.judge import judge
from grader.model.interaction import typed_lines
from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import ComparisonPolicy, IgnoredDifference
from grader.run.interpreter import Interpreter, student_environment
from grader.run.terminal.session import run_dialogue
from tests.judge.sessions import game

RIGHT = """\
from random import seed, shuffle

CARDS = [chr(0x1F0A1 + n) for n in range(10)]


def deal(start):
    deck = list(CARDS)
    seed(start)
    shuffle(deck)
    return deck


def main():
    deck = deal(int(input("Seed: ")))
    print("Hand:\\t" + " ".join(deck[:5]))
    print()
    print("It's a caf\\u00e9 game - play!")
    bid = input("Bid: ")
    print("You bid", bid)
    print("Left: 5 cards")
    print("Last:", deck[-1])
    print("Well done \\u2639\\ufe0f")
    input("Again? ")
    print("The end")
    print("Goodbye")


main()
"""
GAME = game("4", "three", "no")


@pytest.fixture(scope="module")
def hold(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Outcome]:
    """Holds the session of a program."""
    python: Interpreter = student_environment(tmp_path_factory.mktemp("python"))

    def held(program: str) -> Outcome:
        folder: Path = tmp_path_factory.mktemp("student")
        (folder / GAME.program).write_text(program, encoding="utf-8")
        launch = python.program(GAME.program, folder)
        return run_dialogue(launch, typed_lines(GAME.interaction), echo=True, limits=Limits(wall_seconds=30))

    return held


@pytest.fixture(scope="module")
def judged(hold: Callable[[str], Outcome]) -> Callable[[str], Judgement]:
    """Judges a program against the right one."""
    expected = hold(RIGHT).transcript
    return lambda program: judge(GAME, expected, hold(program))


SPOILED = [
    ("trailing-whitespace", 'print("The end")', 'print("The end ")', "there is one extra space at the end"),
    ("tabs", '"Hand:\\t"', '"Hand:   "', "there are spaces where a tab is expected"),
    ("blank-line", "    print()\n", "", "A blank line is missing at line 3; all else is right."),
    ("blank-line", '    print("You', '    print()\n    print("You', "There is an extra blank line at line 6"),
    ("case", '"Well done', '"well done', "uppercase and lowercase letters differ: `well`, expected `Well`"),
    ("variation-selector", "\\ufe0f", "", "U+FE0F (variation selector-16) is missing after ☹"),
    (
        "confusable-character",
        "game - play",
        "game \\u2013 play",
        "U+2013 (en dash) where U+002D (hyphen-minus) is expected",
    ),
    (
        "confusable-character",
        "It's",
        "It\\u2019s",
        "U+2019 (right single quotation mark) where U+0027 (apostrophe) is expected",
    ),
    ("unicode-normalization", "caf\\u00e9", "cafe\\u0301", "written as several characters instead of one"),
    ("number", "Left: 5", "Left: 6", "in line 7 the number after `Left:` is 6, one more than the expected 5."),
    (
        "line-order",
        '    print("Left: 5 cards")\n    print("Last:", deck[-1])\n',
        '    print("Last:", deck[-1])\n    print("Left: 5 cards")\n',
        "lines 7 and 8 are swapped",
    ),
    (
        "asks-at-another-time",
        '    print()\n    print("It\'s a caf\\u00e9 game - play!")\n    bid = input("Bid: ")\n',
        '    bid = input("Bid: ")\n    print()\n    print("It\'s a caf\\u00e9 game - play!")\n',
        "In line 3 the program asks `Bid: ` (`three` was typed there); expected at this place: a blank line.",
    ),
    ("wrong-prompt", 'input("Bid: ")', "input()", "In line 5 the program asks for input without the prompt `Bid: `"),
    ("wrong-prompt", '"Bid: "', '"Bid:"', "In the prompt in line 5 one space is missing at the end"),
    ("echoed-input", '    print("You', '    print(bid)\n    print("You', "Line 6 repeats what was typed, `three`"),
    (
        "crash",
        '    print("Last:", deck[-1])\n',
        '    print("Last:", deck[10])\n',
        'The program stops in line 21 (`print("Last:", deck[10])`) with IndexError: list index out of range.',
    ),
    ("truncated-output", '    print("Goodbye")\n', "", "The output is right up to line 11 and stops there"),
    ("wrong-deal", "    seed(start)\n", "    seed(start + 1)\n", "The first card is wrong"),
    ("wrong-deal", "    seed(start)\n", "    seed(start)\n    shuffle(deck)\n", "The first card is wrong"),
    (
        "extra-line",
        "    deck = deal(",
        '    print("Welcome")\n    deck = deal(',
        "all else is right, one line too late",
    ),
    ("missing-line", '    print("Left: 5 cards")\n', "", "all else is right, one line too early"),
    (
        "encoding",
        "from random",
        'import sys\nsys.stdout.reconfigure(encoding="latin-1", errors="replace")\nfrom random',
        "the characters that are not ASCII are replaced by question marks",
    ),
    ("encoding", "caf\\u00e9", "caf\\u00c3\\u00a9", "are printed byte by byte, as if UTF-8 were Latin-1"),
]


@pytest.mark.parametrize(
    ("cause", "right", "wrong", "said"), SPOILED, ids=[f"{one[0]}: {one[2][:30]!r}" for one in SPOILED]
)
def test_cause(judged: Callable[[str], Judgement], cause: str, right: str, wrong: str, said: str) -> None:
    assert RIGHT.count(right) == 1
    diagnosis = judged(RIGHT.replace(right, wrong)).diagnosis
    assert diagnosis is not None
    assert (diagnosis.cause.id, said in diagnosis.sentence) == (cause, True), diagnosis.sentence


def test_echoed_input_of_every_line_is_ignored_and_noted_where_the_course_says_so(
    hold: Callable[[str], Outcome],
) -> None:
    echoing = (
        "ask = input\n\n\ndef input(prompt):\n    line = ask(prompt)\n    print(line)\n    return line\n\n\ndef deal("
    )
    lenient = replace(GAME, comparison=ComparisonPolicy(ignore=frozenset({IgnoredDifference.ECHOED_INPUT})))
    judgement = judge(lenient, hold(RIGHT).transcript, hold(RIGHT.replace("def deal(", echoing)))
    assert judgement.diagnosis is None
    assert [str(note.kind) for note in judgement.notes] == ["echoed-input"]
