"""The guides to writing tests: what they show is what appears, and they fit a screen and a half."""

import shutil
from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.guides import OPENINGS
from tests.docs.running import csv_rows
from tests.docs.shown import check_shown

GUIDES = ROOT / "docs" / "guides"


def needs(program: str, package: str) -> pytest.MarkDecorator:
    """Skip a test where a program is not installed."""
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs the Debian package {package}")


COMPILED = {
    "c-with-make": [needs(tool, tool) for tool in ("gcc", "make", "valgrind")],
    "languages": [needs("g++", "g++"), needs("javac", "default-jdk-headless")],
}
PLAIN = (
    *("checkers", "differences", "expect", "functions", "interactors", "new-assignment", "own-tests"),
    *("partial-credit", "repl-and-commands", "screens"),
)
MAX_WORDS = 500


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PLAIN, *(pytest.param(name, marks=marks) for name, marks in COMPILED.items())])
def test_a_guide_shows_what_appears(name: str, tmp_path: Path) -> None:
    check_shown(GUIDES / f"{name}.md", tmp_path / "course")


@pytest.mark.slow
def test_a_confirmed_rule_costs_what_the_guide_says(tmp_path: Path) -> None:
    guide = GUIDES / "code-rules.md"
    check_shown(guide, tmp_path / "course")
    [row] = csv_rows(tmp_path / "course" / "reports" / "count" / "results.csv")
    assert f"from 2.5 to {row['mark']}" in guide.read_text()


@pytest.mark.slow
def test_the_session_that_a_reader_plays_becomes_a_test(tmp_path: Path) -> None:
    check_shown(GUIDES / "good-tests.md", tmp_path / "course")
    recorded = (tmp_path / "course" / "test_specs" / "park" / "expected" / "played.canonical.txt").read_text()
    assert recorded == "Minutes: 61\nYou pay 4.\n"


@pytest.mark.parametrize("name", ["code-rules", "good-tests", *COMPILED, *PLAIN])
def test_a_guide_is_short_and_begins_with_what_it_shows(name: str) -> None:
    text = (GUIDES / f"{name}.md").read_text(encoding="utf-8")
    title, blank, first, *_ = text.splitlines()
    assert (title[:2], blank) == ("# ", "")
    assert first.startswith(OPENINGS)
    assert len(text.split()) <= MAX_WORDS
