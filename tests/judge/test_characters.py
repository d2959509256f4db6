import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.text.escape import LOOK_ALIKES, escape_controls, is_odd, legend, marked, name, show_invisible

UNHURRIED = settings(deadline=None)

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


def is_safe(text: str) -> bool:
    """Whether nothing in `text` can move a cursor, reverse the writing, or fail to be encoded."""
    unsafe = [one for one in text if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp")]
    return not unsafe and not set(text) & set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@UNHURRIED
@given(ANY)
def test_harmless_text_is_safe_for_a_terminal(text: str) -> None:
    assert is_safe(escape_controls(text))
    escape_controls(text).encode()


@UNHURRIED
@given(ANY, st.integers(0, 60), st.integers(0, 60))
def test_visible_text_is_safe_for_a_terminal(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    assert all(map(is_safe, show_invisible(text, start, end)))
    assert all(map(is_safe, legend(marked(text, start, end))))


@UNHURRIED
@given(st.text("abc \u2639\ufe0f\t-\u2013", max_size=30))
def test_visible_pieces_begin_where_they_should(text: str) -> None:
    for start in range(len(text)):
        before, differing, after = show_invisible(text, start, start + 1)
        assert before + differing + after == "".join(show_invisible(text, start, start + 1))
        assert differing == show_invisible(text[start], 0, 1)[1]


@pytest.mark.parametrize(
    ("character", "expected"),
    [
        ("\ufe0f", "U+FE0F (variation selector-16)"),
        ("\t", "tab (U+0009)"),
        ("\r", "carriage return (U+000D)"),
        ("\x1b", "escape (U+001B)"),
        ("\x00", "null character (U+0000)"),
        ("\u00a0", "U+00A0 (no-break space)"),
        ("\u200b", "U+200B (zero width space)"),
        ("\u200d", "U+200D (zero width joiner)"),
        ("\ufeff", "byte order mark (U+FEFF)"),
        ("\u2013", "U+2013 (en dash)"),
        ("\u2019", "U+2019 (right single quotation mark)"),
        ("\uff1a", "U+FF1A (fullwidth colon)"),
        ("\U0001f60a", "U+1F60A (smiling face with smiling eyes)"),
        ("\U0001f0c0", "U+1F0C0 (a character without a name)"),
        ("\udcff", "byte 0xFF (not UTF-8)"),
        ("\ud800", "U+D800 (a character without a name)"),
    ],
)
def test_names(character: str, expected: str) -> None:
    assert name(character) == expected


@pytest.mark.parametrize("character", [*"\t\r\x00\x1b\u00a0\u200b\ufeff\u2013\u2019\ufe0f\u0301", "\udcff"])
def test_odd_characters_are_marked_where_the_text_differs(character: str) -> None:
    assert is_odd(character)
    before, differing, after = show_invisible(f"a{character}b", 1, 2)
    assert (before, after) == ("a", "b")
    assert differing != character
    assert marked(f"a{character}b", 1, 2) == character
    assert legend(character) == [f"{differing} {name(character)}"]


@pytest.mark.parametrize("character", [*"ab1-|\u00e9\u4e2d\u2639\U0001f60a\U0001f0a1 "])
def test_ordinary_characters_are_not_odd(character: str) -> None:
    assert not is_odd(character)


def test_a_variation_selector_is_marked_only_where_it_differs() -> None:
    lost = "lost! \u2639\ufe0f 4"
    assert show_invisible(lost, 9, 10) == ("lost! \u2639\ufe0f ", "4", "")
    assert show_invisible(lost, 7, 8) == ("lost! \u2639", "<U+FE0F>", " 4")
    assert escape_controls(lost) == lost
    assert marked(lost, 9, 10) == ""


def test_emoji_of_several_characters_are_left_alone() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert escape_controls(family) == family


def test_blanks_are_marked_where_they_differ_and_at_the_end() -> None:
    assert show_invisible("a b  c  ", 3, 5) == ("a b", "··", "c··")
    assert show_invisible("   ", 0, 0) == ("", "", "···")
    assert legend(marked("a  b", 1, 2)) == ["· space"]


def test_tabs_and_controls_are_marked_everywhere() -> None:
    assert show_invisible("\ta\x1b[31m", 1, 2) == ("→", "a", "<U+001B>[31m")
    assert escape_controls("\ta\x1b[31m\r\udcff\u202e") == "→a<U+001B>[31m␍<0xFF><U+202E>"


def test_look_alikes_stand_for_ascii_characters() -> None:
    assert all(isinstance(plain, str) and plain.isascii() for plain in LOOK_ALIKES.values())
    assert "\uff28\uff49\uff01".translate(LOOK_ALIKES) == "Hi!"
