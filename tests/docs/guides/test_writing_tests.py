"""The guides to writing tests show what appears when their steps are followed."""

import shutil
from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.guides.pasted import check_guide
from tests.docs.running import csv_rows

GUIDES = ROOT / "docs" / "guides"


def needs(program: str, package: str) -> pytest.MarkDecorator:
    """Skip a test where a program is not installed."""
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs the Debian package {package}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "checkers",
        "code-rules",
        "differences",
        "expect",
        "functions",
        "good-tests",
        "interactors",
        "new-assignment",
        "own-tests",
        "partial-credit",
        "repl-and-commands",
        pytest.param("c-with-make", marks=[needs("gcc", "gcc"), needs("make", "make"), needs("valgrind", "valgrind")]),
        pytest.param("languages", marks=[needs("g++", "g++"), needs("javac", "default-jdk-headless")]),
    ],
)
def test_what_a_guide_shows(name: str, tmp_path: Path) -> None:
    assert check_guide(GUIDES / f"{name}.md", tmp_path / "course")


@pytest.mark.slow
def test_a_confirmed_rule_takes_its_points(tmp_path: Path) -> None:
    guide = GUIDES / "code-rules.md"
    check_guide(guide, tmp_path / "course")
    [row] = csv_rows(tmp_path / "course" / "reports" / "count" / "results.csv")
    assert f"from 2.5 to {row['mark']}" in guide.read_text()
