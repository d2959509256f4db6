import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.html.text import shown, visible_in_page

TEXTS = st.text(st.one_of(st.sampled_from("<>&\"' \t\x1b\x00\u202e\u2066\ufe0f\udcff\U0001f0a1—"), st.characters()))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a < b", "a &lt; b"),
        ("a\n\tb", 'a\n<i class="t">\t</i>b'),
        ("\x1b[1m", '<i class="c" title="escape (U+001B)">&lt;U+001B&gt;</i>[1m'),
        ("\u202e", '<i class="c" title="U+202E (right-to-left override)">&lt;U+202E&gt;</i>'),
        ("\udcff", '<i class="c" title="byte 0xFF (not UTF-8)">&lt;0xFF&gt;</i>'),
        ("🂡 ♠ é 李", "🂡 ♠ é 李"),
    ],
)
def test_shown(text: str, html: str) -> None:
    assert shown(text) == html


def test_plain_text_is_on_one_line() -> None:
    assert visible_in_page("a\nb\u202e🂡") == "a<U+000A>b<U+202E>🂡"


@given(TEXTS)
def test_whatever_is_shown_holds_no_markup_and_no_control_character_of_a_student(text: str) -> None:
    html = shown(text)
    assert set(re.findall(r"<(\w+)", html)) <= {"i"}
    for character in html:
        assert character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
    assert "\u202e" not in html
    assert "\u2066" not in html
