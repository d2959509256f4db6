from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.text.escape import quote, quote_both

UNHURRIED = settings(deadline=None)


def test_short_text_stands_as_it_is() -> None:
    assert quote("    \u2639\ufe0f ") == "`    \u2639\ufe0f `"
    assert quote("") == "a blank line"


def test_long_and_harmful_text() -> None:
    assert quote("x" * 61) == f"`{'x' * 60}…`"
    assert quote("\x1b[31m\t\udcff") == "`<U+001B>[31m→<0xFF>`"
    assert quote("\x1b" * 10_000_000) == f"`{'<U+001B>' * 7}<U+0…`"


def test_both_are_plain_when_they_look_different() -> None:
    assert quote_both("lost \u2639\ufe0f", "won") == ("`lost \u2639\ufe0f`", "`won`")


def test_both_are_marked_when_they_look_the_same() -> None:
    assert quote_both("a \u2639\ufe0f", "a  \u2639") == ("`a \u2639<U+FE0F>`", "`a ·\u2639`")
    assert quote_both("a", "") == ("`a`", "a blank line")


def test_long_texts_are_cut_at_the_same_place() -> None:
    assert quote_both("a" * 100 + "b", "a" * 100 + "cd") == (f"`…{'a' * 30}b`", f"`…{'a' * 30}cd`")
    assert quote_both("b" + "a" * 100, "c") == (f"`b{'a' * 59}…`", "`c`")


@UNHURRIED
@given(st.text("ab \u2639\ufe0f\u200b\u2013\x1b", max_size=150), st.text("ab \u2639\ufe0f\u200b-\x1b", max_size=150))
def test_quotes_of_different_texts_are_different_and_short(expected: str, actual: str) -> None:
    assume(expected != actual)
    wanted, found = quote_both(expected, actual)
    assert wanted != found
    assert max(len(wanted), len(found)) <= 103
