"""The page of `grader term` shows the table of an example term, and its commands are run there."""

from pathlib import Path

import pytest

from tests import ROOT
from tests.docs.running import run_document
from tests.plugins.term.term_course import write_course
from tests.prepared_grader import PreparedGrader
from tools.document_steps import BLOCK

PAGE = ROOT / "docs" / "reference" / "commands" / "term.md"


@pytest.mark.slow
def test_the_commands_of_the_page(tmp_path: Path) -> None:
    write_course(tmp_path)
    assert len(run_document(PAGE, tmp_path)) == 2
    assert (tmp_path / "reports" / "term.json").exists()


def test_the_table_is_the_one_of_the_example(prepared: PreparedGrader, tmp_path: Path) -> None:
    write_course(tmp_path)
    tables = [block["body"] for block in BLOCK.finditer(PAGE.read_text()) if block["info"] == "text"]
    assert prepared.run("term", folder=tmp_path).stdout in tables
