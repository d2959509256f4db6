"""Partial credit by frames."""

from fractions import Fraction

import pytest

from grader.plugins.screens.partial_frames import PartialFrames

MENU, HELP, GAME = "    1|> Play\n", "    1|Press Enter.\n", "    1| │ │\n"
EXPECTED = f"{MENU}key: h\n{HELP}key: x\n{MENU}key: p\n{GAME}key: q\nend\n"


@pytest.mark.parametrize(
    ("actual", "share", "words"),
    [
        (EXPECTED.replace(HELP, ""), Fraction(2, 3), "2 of 3 screens are right"),
        (EXPECTED.replace(HELP, MENU).replace(GAME, MENU), Fraction(1, 3), "1 of 3 screens is right"),
        (EXPECTED.replace(f"x\n{MENU}", f"x\n{HELP}"), Fraction(2, 3), "2 of 3 screens are right"),
        (f"{MENU}key: h\n{HELP}key: x\n", Fraction(1, 3), "1 of 3 screens is right"),
        (EXPECTED + "    1|bye\n", Fraction(2, 3), "2 of 3 screens are right"),
        ("", Fraction(0), "0 of 3 screens are right"),
        ("end\n", Fraction(0), "0 of 3 screens are right"),
    ],
)
def test_the_share_is_of_different_frames(actual: str, share: Fraction, words: str) -> None:
    assert PartialFrames().share(EXPECTED, actual) == (share, words)


def test_colours_and_the_cursor_count() -> None:
    expected, actual = (f"{MENU}cursor: {cursor}\nkey: h\n{HELP}" for cursor in ("hidden", "row 1, column 1"))
    assert PartialFrames().share(expected, actual)[0] == Fraction(1, 2)


def test_nothing_is_earned_where_nothing_is_expected() -> None:
    assert PartialFrames().share("", MENU)[0] == 0
