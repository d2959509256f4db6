import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.plugins.content_causes.characters import SUBTLE_DIFFERENCES, SubtleDifference, differences_between

UNHURRIED = settings(deadline=None)
TEXTS = st.text("aA1.- \t\r\u2639\ufe0f\u200b\u00e9e\u0301\u2013\u2026\x1b[m\udcff", max_size=20)


@pytest.mark.parametrize(
    ("expected", "actual", "cause", "said"),
    [
        ("a", "a ", "trailing-whitespace", "there is one extra space at the end"),
        ("a ", "a   ", "trailing-whitespace", "there are 2 extra spaces at the end"),
        ("a  ", "a", "trailing-whitespace", "2 spaces are missing at the end"),
        ("a ", "a", "trailing-whitespace", "one space is missing at the end"),
        ("a", "a\t", "trailing-whitespace", "there is one extra tab at the end"),
        ("a", "a\t ", "trailing-whitespace", "there are 2 extra spaces or tabs at the end"),
        ("a\t", "a ", "trailing-whitespace", "spaces and tabs at the end are mixed up"),
        ("", "\t", "trailing-whitespace", "there is one tab, but it should be empty"),
        ("    x y", "   x y", "spacing", "there are 3 spaces before `x`, expected 4"),
        ("x  y", "x y", "spacing", "there is one space before `y`, expected 2"),
        ("x: 0", "x:0", "spacing", "there is no space before `0`, expected one"),
        ("10", "1 0", "spacing", "there is one space before `0`, expected none"),
        ("\t\tx", "\tx", "tabs", "there is one tab before `x`, expected 2"),
        ("x", "\tx", "tabs", "there is one tab before `x`, expected none"),
        ("\tx", "x", "tabs", "there is no tab before `x`, expected one"),
        ("\tx", "    x", "tabs", "there are spaces where a tab is expected"),
        ("    x", "\tx", "tabs", "there is a tab where spaces are expected"),
        ("\tab", "a\tb", "tabs", "the tabs are in the wrong place"),
        ("\t x", " \tx", "spacing", "there is one space before a tab, expected none (and one more place in the line)"),
        ("So Sorry", "So sorry", "case", "uppercase and lowercase letters differ: `sorry`, expected `Sorry`"),
        (
            "a\u200b",
            "a",
            "invisible-character",
            "the invisible character U+200B (zero width space) is missing after a",
        ),
        (
            "a",
            "a\x00",
            "invisible-character",
            "there is an extra invisible character, null character (U+0000), after a",
        ),
        ("a\r", "a", "carriage-return", "a carriage return (U+000D) is missing"),
        (
            "a",
            "\x1b[1ma\x1b[0m",
            "ansi-escape",
            "there are terminal commands, such as for colours or to clear the screen",
        ),
        ("\x1b[1ma", "a", "ansi-escape", "terminal commands are missing or differ"),
        (
            "don't",
            "don\u2019t",
            "confusable-character",
            "there is U+2019 (right single quotation mark) where U+0027 (apostrophe) is expected, which looks alike",
        ),
        (
            "Seed...",
            "Seed\u2026",
            "confusable-character",
            "there is U+2026 (horizontal ellipsis) where U+002E (full stop) is expected, which looks alike",
        ),
        (
            "Seed\uff1a",
            "Seed:",
            "confusable-character",
            "there is U+003A (colon) where U+FF1A (fullwidth colon) is expected, which looks alike",
        ),
        (
            "\u2639",
            "\u2639\ufe0e",
            "variation-selector",
            "there is an extra invisible character, U+FE0E (variation selector-15), after \u2639",
        ),
        (
            "\ufe0f",
            "",
            "variation-selector",
            "the invisible character U+FE0F (variation selector-16) is missing at character 1",
        ),
        (
            "e\u0301",
            "\u00e9",
            "unicode-normalization",
            "an accented letter is written as one character instead of several, though it looks the same",
        ),
    ],
)
def test_kind_and_words(expected: str, actual: str, cause: str, said: str) -> None:
    kind = next(differences_between(expected, actual))
    assert (kind.cause.id, kind.say(expected, actual)) == (cause, said)


@UNHURRIED
@pytest.mark.parametrize(
    "kind",
    [SubtleDifference(cause, *functions) for cause, functions in SUBTLE_DIFFERENCES.items()],
    ids=lambda kind: kind.cause.id,
)
@given(TEXTS)
def test_a_text_and_its_rewriting_are_of_the_kind_and_the_difference_can_be_said(
    kind: SubtleDifference, text: str
) -> None:
    rewritten = kind.rewrite(text)
    if rewritten == text or kind.rewrite(rewritten) != rewritten:
        return
    for expected, actual in ((text, rewritten), (rewritten, text)):
        kinds = list(differences_between(expected, actual))
        assert kind in kinds
        assert all(0 < len(one.say(expected, actual)) < 200 for one in kinds)


def test_other_words_are_of_no_kind() -> None:
    assert list(differences_between("So sorry", "So sad")) == []


def test_extremely_long_lines_are_not_looked_at() -> None:
    assert list(differences_between("a" * 200_000, "a" * 200_000 + " ")) == []
