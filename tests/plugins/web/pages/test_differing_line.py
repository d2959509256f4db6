import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from grader.plugins.web.pages.differing_line import differing_line

TEXTS = st.text(st.one_of(st.sampled_from("<>&\"' \t\x1b\x00\u202e\u2066\ufe0f\udcff\U0001f0a1—"), st.characters()))


def text_of(html: Markup) -> str:
    return Markup(re.sub(r"<[^>]*>", "", html)).unescape()


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


@given(TEXTS.filter(lambda text: "\n" not in text), st.integers(0, 20), st.integers(0, 20))
def test_a_differing_line_loses_nothing(line: str, start: int, length: int) -> None:
    start = min(start, len(line))
    end = min(start + length, len(line))
    said = text_of(differing_line(line, start, end))
    harmless = [one for one in line if one.isascii() and one.isprintable() and one != " "]
    place = 0
    for one in harmless:
        place = said.index(one, place) + 1
