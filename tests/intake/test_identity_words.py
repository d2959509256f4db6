"""The words by which students are recognised, in any spelling."""

import unicodedata

import pytest

from grader.intake.identity_words import WordReplacer


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Jürgen Groß", "Jürgen Groß"),
        ("Jürgen Groß", "JÜRGEN GROSS"),
        ("Jürgen Groß", "jurgen gross"),
        ("İbrahim Yıldız", "İbrahim Yıldız"),
        ("İbrahim Yıldız", "ibrahim_yıldız"),
        ("Zoë Ångström", unicodedata.normalize("NFD", "Zoë Ångström")),
        (unicodedata.normalize("NFD", "Zoë Ångström"), "Zoë Ångström"),
        ("Ann Lee", "ann.lee"),
    ],
)
def test_a_name_is_replaced_however_it_is_spelled(name: str, text: str) -> None:
    assert WordReplacer({name: "z1"}).replaced(f"notes {text}, 2026") == ("notes z1, 2026", 1)


@pytest.mark.parametrize("text", ["Jürgen Große", "Jürgens Groß", "Jürgen und Groß"])
def test_other_names_stay(text: str) -> None:
    assert WordReplacer({"Jürgen Groß": "z1"}).replaced(text) == (text, 0)
