"""docs/record.md does what it says, in the course of the tutorial."""

from pathlib import Path

from tests import ROOT
from tests.docs.running import run_document, write_files


def test_the_game_of_the_document_becomes_a_test(tmp_path: Path) -> None:
    write_files(ROOT / "docs" / "tutorial-instructor.md", tmp_path)
    assert len(run_document(ROOT / "docs" / "record.md", tmp_path)) == 1
    recorded = (tmp_path / "test_specs" / "nim" / "expected" / "long.canonical.txt").read_text()
    assert recorded.endswith("Player 2, take 1 to 1: 1\nPlayer 2 wins.\n")
