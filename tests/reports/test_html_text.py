import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from grader.reports.html.text import differing_line, shown, visible_in_page

TEXTS = st.text(st.one_of(st.sampled_from("<>&\"' \t\x1b\x00\u202e\u2066\ufe0f\udcff\U0001f0a1—"), st.characters()))


def text_of(html: Markup) -> str:
    return Markup(re.sub(r"<[^>]*>", "", html)).unescape()


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


@pytest.mark.parametrize(
    ("line", "start", "end", "html"),
    [
        ("So sad", 3, 6, "So <mark>sad</mark>"),
        ("So ", 2, 3, 'So<mark><i class="c">·</i></mark>'),
        ("a  b", 1, 3, 'a<mark><i class="c">··</i></mark>b'),
        ("a b c ", 2, 3, 'a <mark>b</mark> c<i class="c">·</i>'),
        ("ab", 1, 1, 'a<mark class="gap"></mark>b'),
        ("all", 0, 3, "all"),
        ("alone ", 0, 0, 'alone<i class="c">·</i>'),
        ("a—b", 1, 2, 'a<mark><i class="c" title="U+2014 (em dash)">&lt;U+2014&gt;</i></mark>b'),
        ("a—b", 0, 1, "<mark>a</mark>—b"),
    ],
)
def test_differing_line(line: str, start: int, end: int, html: str) -> None:
    assert differing_line(line, start, end) == html


@given(TEXTS)
def test_whatever_is_shown_holds_no_markup_and_no_control_character_of_a_student(text: str) -> None:
    html = shown(text)
    assert set(re.findall(r"<(\w+)", html)) <= {"i"}
    for character in html:
        assert character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
    assert "\u202e" not in html
    assert "\u2066" not in html


@given(TEXTS.filter(lambda text: "\n" not in text), st.integers(0, 20), st.integers(0, 20))
def test_a_differing_line_loses_nothing(line: str, start: int, length: int) -> None:
    start = min(start, len(line))
    end = min(start + length, len(line))
    said = text_of(differing_line(line, start, end))
    harmless = [one for one in line if one.isascii() and one.isprintable() and one != " "]
    place = 0
    for one in harmless:
        place = said.index(one, place) + 1
