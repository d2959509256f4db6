"""docs/term.md does what it says, and documents term.yaml."""

from pathlib import Path

from grader.plugins.term.term_file import TermFile
from grader.spec.course import Course
from tests import ROOT
from tests.docs.file_keys import check_plugin_file
from tests.docs.running import run_document
from tests.plugins.term.term_course import write_course
from tests.prepared_grader import PreparedGrader
from tools.document_steps import BLOCK

DOCUMENT = ROOT / "docs" / "term.md"


def example(info: str) -> str:
    """The first block of this kind in the document."""
    return next(block["body"] for block in BLOCK.finditer(DOCUMENT.read_text()) if block["info"] == info)


def test_the_commands_of_the_document(tmp_path: Path) -> None:
    course = tmp_path / "course"
    write_course(course, example("yaml"))
    assert len(run_document(DOCUMENT, course)) == 3
    assert (course / "reports" / "term.json").exists()
    assert Course(tmp_path / "comp9021-26t1").assignment("a1").due.isoformat() == "2026-02-20T17:00:00+11:00"


def test_the_table_is_the_one_of_the_example(prepared: PreparedGrader, tmp_path: Path) -> None:
    write_course(tmp_path, example("yaml"))
    assert prepared.run("term", folder=tmp_path).stdout == example("text")


def test_its_file_is_documented_and_has_a_schema(tmp_path: Path) -> None:
    check_plugin_file(DOCUMENT, "term", TermFile, tmp_path)
