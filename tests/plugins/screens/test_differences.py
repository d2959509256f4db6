"""The first wrong screen gets a sentence that says what is wrong with it."""

from dataclasses import replace

import pytest

from grader.judge.judge import judge
from grader.model.outcome import Outcome
from grader.model.program import ProvidedSettings, StartSettings
from grader.model.test import Test
from grader.plugins.screens import causes
from tests.judge.sessions import exited
from tests.plugins.screens.conftest import Press, judged, screen_settings, screen_test

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
            "After `<down>`, the text on the screen is as before; expected in row 3: `  New`.",
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
            "    3|> New\n    4|  Quit\n",
            "    3|> New\n    5|Quit\n",
            causes.SCREEN_SHIFTED,
            "On the first screen, `Quit` is at row 5, column 1; expected at 4, 3.",
        ),
        (
            "    3|  New\n    4|> Quit\n",
            "    3|> New\n",
            causes.SCREEN_TEXT,
            "After `<down>`, row 3 is `> New`; expected `  New`.",
        ),
        (
            "    1|Menu\n    3|  New\n    4|> Quit\n",
            "",
            causes.SCREEN_EMPTY,
            "After `<down>`, the screen is empty; expected in row 1: `Menu`.",
        ),
        (
            "    1|Menu\n    3|  New\n    4|> Quit\nkey: <enter>\n",
            "",
            causes.SCREEN_ENDED,
            "After `<down>`, the program has ended; expected a screen with `Menu` in row 1.",
        ),
        (
            MENU,
            "end\n    1|Menu\n",
            causes.SCREEN_ENDED,
            "Before the first key, the program has ended; expected a screen with `Menu` in row 1.",
        ),
        (
            "key: <enter>\nend\n",
            "key: <enter>\n    1|Menu\n    3|  New\n    4|> Quit\n",
            causes.SCREEN_ENDED,
            "After `<enter>`, the program still waits for a key; it should have ended.",
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
        (
            "    1: 1-4 bold",
            "    1: 1-4 reverse",
            "this is not: row 1, columns 1–4: `reverse`; expected `bold`.",
        ),
        ("    1: 1-4 bold", "", "this is not: row 1, columns 1–4: plain; expected `bold`."),
        (
            "cursor: row 1, column 2",
            "cursor: hidden",
            "this is not: `cursor: hidden`; expected `cursor: row 1, column 2`.",
        ),
    ],
)
def test_colours_and_the_cursor_are_named(expected: str, actual: str, sentence: str) -> None:
    wanted, shown = (f"    1|Menu\n{line}{line and chr(10)}key: q\nend\n" for line in (expected, actual))
    diagnosis = judged(wanted, outcome_of(shown), "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == f"On the first screen, the text is right, but {sentence}"
    assert diagnosis.cause == causes.SCREEN_STYLE


def test_a_key_that_is_pressed_more_than_once_has_a_number() -> None:
    wanted = "key: x\n    1|1\nkey: x\n    1|2\nkey: q\nend\n"
    diagnosis = judged(wanted, outcome_of(wanted.replace("    1|2", "    1|3")), "x", "x", "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == "After `x` (step 2), row 1 is `3`; expected `2`."


def test_a_value_that_is_drawn_again_is_not_called_old() -> None:
    wanted = "    1|Turns: 0\nkey: x\n    1|Turns: 1\n    2|Go\nkey: q\nend\n"
    diagnosis = judged(wanted, outcome_of(wanted.replace("Turns: 1", "Turns: 0")), "x", "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == "After `x`, row 1 is `Turns: 0`; expected `Turns: 1`."


def test_a_result_that_vanishes_with_the_screen_leaves_it_empty() -> None:
    wanted = "    1|Cards\nkey: q\nend\n    1|You won.\n"
    diagnosis = judged(wanted, outcome_of(wanted.replace("    1|You won.\n", "")), "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == "After the program has ended, the screen is empty; expected in row 1: `You won.`."


DEALT = (
    "    1|[ ##] [ ##]\n   11|Turns: 0\nkey: x\n    1|[10♠] [ ##]\n   11|Turns: 0\nkey: x\n    1|[10♠] [ K♥]\n"
    "   11|Turns: 1\nkey: q\nend\n"
)


@pytest.mark.parametrize(
    ("start", "provision", "words"),
    [
        (
            StartSettings(arguments=("--deal", "2")),
            ProvidedSettings(),
            "the cards are not those for the argument 2: in row 1, `J♣` is shown where `10♠` is expected. Does seed() "
            "get this number, as an int, before shuffle()? Is the deck built and laid out in the right order?",
        ),
        (
            StartSettings(arguments=("2", "3")),
            ProvidedSettings(),
            "these are other cards than expected: in row 1, `J♣` is shown where `10♠` is expected. Are the cards "
            "shuffled with the right seed, and laid out in the right order?",
        ),
        (
            StartSettings(),
            ProvidedSettings(random_seed=2),
            "these are other cards than expected: in row 1, `J♣` is shown where `10♠` is expected. Are the cards "
            "shuffled and laid out in the same way as the handout says?",
        ),
    ],
)
def test_another_deal_is_recognised(start: StartSettings, provision: ProvidedSettings, words: str) -> None:
    keys = ("x", "x", "q")
    test = replace(screen_test(keys), start=start, provision=provision)
    shown = exited(test, DEALT.replace("10♠", " J♣").replace("K♥", "8♦"))
    diagnosis = judge(test, DEALT, shown).diagnosis
    assert diagnosis is not None
    assert (str(diagnosis.sentence), diagnosis.cause) == (f"After `x` (step 1), {words}", causes.SCREEN_DEAL)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[10♠] [ K♥]", "[10♠] [ ##]"),
        ("[10♠] [ K♥]", "[10♠] [ 8♦]"),
        ("Turns: 1", "Turns: 2"),
    ],
)
def test_other_mistakes_with_cards_are_not_another_deal(before: str, after: str) -> None:
    diagnosis = judged(DEALT, outcome_of(DEALT.replace(before, after)), "x", "x", "q").diagnosis
    assert diagnosis is not None
    assert diagnosis.cause == causes.SCREEN_TEXT


def test_a_deal_whose_first_cards_are_right_by_chance_is_recognised() -> None:
    wanted = "".join(f"    1|[{card}]\nkey: x\n" for card in ("A♠", "K♥", "Q♦", "J♣")) + "end\n"
    shown = wanted.replace("K♥", "7♣").replace("Q♦", "9♥").replace("J♣", "8♦")
    diagnosis = judged(wanted, outcome_of(shown), *"xxxx").diagnosis
    assert diagnosis is not None
    assert diagnosis.cause == causes.SCREEN_DEAL
    assert "`7♣` is shown where `K♥` is expected" in str(diagnosis.sentence)


WON = "    1|X │ O\nkey: <enter>\n    1|X wins.\nkey: x\n    1|Menu\n    2|> Quit\nkey: q\nend\n"


def test_a_screen_that_is_skipped_is_recognised() -> None:
    shown = WON.replace("    1|X wins.\n", "    1|Menu\n    2|> Quit\n")
    diagnosis = judged(WON, outcome_of(shown), "<enter>", "x", "q").diagnosis
    assert diagnosis is not None
    assert (str(diagnosis.sentence), diagnosis.cause) == (
        "After `<enter>`, the screen is the one expected only after the next key, `x`; expected first, in row 1: "
        "`X wins.`.",
        causes.SCREEN_SKIPPED,
    )


def test_rows_without_the_gaps_between_them_are_recognised() -> None:
    wanted = "    2| >[ ##] [ ##]\n    4|  [ ##] [ ##]\n    6|  [ ##] [ ##]\n   11|Turns: 0\nkey: q\nend\n"
    shown = wanted.replace("    4|", "    3|").replace("    6|", "    4|")
    diagnosis = judged(wanted, outcome_of(shown), "q").diagnosis
    assert diagnosis is not None
    assert (str(diagnosis.sentence), diagnosis.cause) == (
        "On the first screen, `[ ##] [ ##]` is at row 3, column 3; expected at 4, 3.",
        causes.SCREEN_SHIFTED,
    )


def test_an_empty_first_screen_is_one_before_the_first_key() -> None:
    shown = MENU.replace("    1|Menu\n    3|> New\n    4|  Quit\n", "", 1)
    diagnosis = judged(MENU, outcome_of(shown), *KEYS).diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == "Before the first key, the screen is empty; expected in row 1: `Menu`."


def test_a_row_with_words_is_named_before_others() -> None:
    board = "    1|X │ O\n    2|O │ X\n    3|X to move\n"
    won = board.replace("to move", "wins.")
    wanted = f"{board}key: x\n{won}key: q\nend\n"
    diagnosis = judged(wanted, outcome_of(f"{board}key: x\nend\n"), "x", "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence).endswith("the program has ended; expected a screen with `X wins.` in row 3.")


@pytest.mark.parametrize(
    ("expected", "actual", "words"),
    [
        ("     │   │", "    │   │", "1 column too far to the left"),
        ("     │   │", "       │   │", "2 columns too far to the right"),
    ],
)
def test_a_row_whose_text_is_drawn_several_times_may_be_in_the_wrong_column(
    expected: str, actual: str, words: str
) -> None:
    wanted, shown = (f"    2|{row}\n    3|  ───┼───┼───\n    4|{row}\nkey: q\nend\n" for row in (expected, actual))
    diagnosis = judged(wanted, outcome_of(shown), "q").diagnosis
    assert diagnosis is not None
    assert (str(diagnosis.sentence), diagnosis.cause) == (
        f"On the first screen, row 2 is {words}: `{actual}`; expected `{expected}`.",
        causes.SCREEN_SHIFTED,
    )


@pytest.mark.parametrize(
    ("expected", "actual", "words"),
    [
        (
            "X │ O",
            "X | O",
            "row 1 has `|`, U+007C (vertical line), where `│`, U+2502 (box drawings light vertical), is expected.",
        ),
        (
            "┌─┐",
            "+-+",
            "row 1 has `+`, U+002B (plus sign), where `┌`, U+250C (box drawings light down and right), is expected.",
        ),
        (
            "X ║ O",
            "X │ O",
            "row 1 has `│`, U+2502 (box drawings light vertical), where `║`, U+2551 (box drawings double vertical), is "
            "expected.",
        ),
    ],
)
def test_lines_of_other_characters_are_named(expected: str, actual: str, words: str) -> None:
    wanted, shown = (f"    1|{row}\nkey: q\nend\n" for row in (expected, actual))
    diagnosis = judged(wanted, outcome_of(shown), "q").diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence) == f"On the first screen, {words}"
    assert diagnosis.cause == causes.SCREEN_TEXT


def test_a_crash_of_curses_tells_the_size_of_the_screen(press: Press) -> None:
    program = "import curses\ncurses.wrapper(lambda screen: screen.move(20, 0))\n"
    settings = screen_settings(rows=10, columns=30)
    outcome = press(program, "q", settings=settings)
    diagnosis = judge(screen_test(("q",), settings), "key: q\nend\n", outcome).diagnosis
    assert diagnosis is not None
    assert str(diagnosis.sentence).endswith(
        "wmove() returned ERR: this place is outside the window, or the text does not fit; the whole screen has 10 "
        "rows and 30 columns here."
    )
