"""The first wrong screen gets a sentence that says what is wrong with it."""

import pytest

from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.plugins.screens import causes
from tests.judge.sessions import exited
from tests.plugins.screens.conftest import judged, screen_test

MENU = "    1|Menu\n    3|> New\n    4|  Quit\nkey: <down>\n    1|Menu\n    3|  New\n    4|> Quit\nkey: <enter>\nend\n"
KEYS = ("<down>", "<enter>")


def outcome_of(transcript: str) -> Outcome:
    test: Test = screen_test(KEYS)
    return exited(test, transcript)


@pytest.mark.parametrize(
    ("before", "after", "cause", "sentence"),
    [
        (
            "    3|  New\n    4|> Quit\n",
            "    3|> New\n    4|  Quit\n",
            causes.SCREEN_NOT_REDRAWN,
            "After `<down>`, the screen is as before; expected in row 3: `  New`.",
        ),
        (
            "    3|  New\n    4|> Quit\n",
            "    3|> New\n    4|> Quit\n",
            causes.SCREEN_NOT_CLEARED,
            "After `<down>`, row 3 still shows `>` of the screen before.",
        ),
        (
            "    4|> Quit\n",
            "    4|  Quit\n    5|>\n",
            causes.SCREEN_MARK,
            "After `<down>`, the `>` is at row 5, column 1; expected at 4, 1.",
        ),
        (
            "    3|> New\n    4|  Quit\n",
            "    3|> Old\n    4|  Quit\n",
            causes.SCREEN_TEXT,
            "On the first screen, row 3 is `> Old`; expected `> New`.",
        ),
        (
            "    4|> Quit\n",
            "",
            causes.SCREEN_TEXT,
            "After `<down>`, row 4 is empty; expected `> Quit`.",
        ),
        (
            "    4|> Quit\n",
            "    4|> Quit\n    9|?\n",
            causes.SCREEN_TEXT,
            "After `<down>`, row 9 is `?`; expected nothing there.",
        ),
        (
            "    1|Menu\n",
            "    1|^[[1mMenu\n",
            causes.SCREEN_ESCAPE,
            "On the first screen, row 1 shows a control code as text: `^[[1mMenu`.",
        ),
        (
            "end\n",
            "end\n    1|Bye\n",
            causes.SCREEN_TEXT,
            "After the program has ended, row 1 is `Bye`; expected nothing there.",
        ),
    ],
)
def test_the_difference_is_explained(before: str, after: str, cause: object, sentence: str) -> None:
    assert before in MENU
    judgement = judged(MENU, outcome_of(MENU.replace(before, after, 1)), *KEYS)
    assert judgement.diagnosis is not None
    assert (str(judgement.diagnosis.sentence), judgement.diagnosis.cause) == (sentence, cause)


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        (0, 1, "1 column too far to the right"),
        (0, -2, "2 columns too far to the left"),
        (1, 0, "1 row too low"),
        (-2, 0, "2 rows too high"),
        (1, 3, "1 row too low and 3 columns too far to the right"),
    ],
)
def test_a_drawing_in_another_place_is_recognised(rows: int, columns: int, words: str) -> None:
    texts = {5: "    ┌─┐", 6: "    │ │"}
    expected = "".join(f"{row:>5}|{text}\n" for row, text in texts.items())
    moved = {row + rows: " " * (4 + columns) + text.strip() for row, text in texts.items()}
    actual = "".join(f"{row:>5}|{text}\n" for row, text in moved.items())
    diagnosis = judged(f"{expected}key: q\nend\n", outcome_of(f"{actual}key: q\nend\n"), "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == f"On the first screen, everything is {words}."


@pytest.mark.parametrize(
    ("expected", "actual", "sentence"),
    [
        ("    1: 1-4 bold", "    1: 1-4 reverse", "this differs: `1: 1-4 reverse`; expected `1: 1-4 bold`."),
        ("    1: 1-4 bold", "", "this is missing: `1: 1-4 bold`."),
        ("", "cursor: hidden", "this is not expected: `cursor: hidden`."),
    ],
)
def test_colours_and_the_cursor_are_named(expected: str, actual: str, sentence: str) -> None:
    wanted, shown = (f"    1|Menu\n{line}{line and chr(10)}key: q\nend\n" for line in (expected, actual))
    diagnosis = judged(wanted, outcome_of(shown), "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == f"On the first screen, the text is right, but {sentence}"
    assert diagnosis.cause == causes.SCREEN_STYLE


def test_a_program_that_ends_too_early_is_told_so() -> None:
    short = MENU[: MENU.index("key: <enter>")] + "end\n"
    diagnosis = judged(MENU, outcome_of(short), *KEYS).diagnosis
    assert diagnosis is not None
    assert diagnosis.cause not in causes.CAUSES
