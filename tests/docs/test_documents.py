"""The documents do what they say: files in them are written, commands in them are run, links lead somewhere."""

import re
import shutil
from pathlib import Path

import pytest

from grader.plugins.bundling.bundle import make_file
from grader.spec.course import Course
from tests import ROOT
from tests.docs.running import copy_parts, csv_rows, run_document
from tests.sandbox import needs_sandbox
from tools.document_steps import BLOCK, Command, steps

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.slow
def test_the_instructors_tutorial_from_an_empty_folder(tmp_path: Path) -> None:
    assert len(run_document(ROOT / "docs" / "tutorial-instructor.md", tmp_path)) == 16
    rows = csv_rows(tmp_path / "reports" / "nim" / "results.csv")
    assert [(row["student"], row["mark"]) for row in rows] == [("anna", "10"), ("ben", "2")]
    assert (tmp_path / "reports" / "html" / "nim" / "students" / "ben.html").exists()


@needs_sandbox
def test_the_sandbox_can_be_tried_out(tmp_path: Path) -> None:
    assert run_document(ROOT / "docs" / "sandbox.md", tmp_path) == ["grader doctor"]


def test_the_page_on_installing() -> None:
    """Both commands are run elsewhere: for the page on the sandbox, and in test_first_minute.py."""
    assert list(steps(ROOT / "docs" / "install.md")) == [Command("grader doctor", 0), Command("grader demo", 0)]


@pytest.mark.slow
def test_the_page_of_example_courses(tmp_path: Path) -> None:
    copy_parts(tmp_path, "docs/examples/cs50")
    assert len(run_document(ROOT / "docs" / "examples" / "README.md", tmp_path)) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "readme", sorted((ROOT / "docs" / "examples").glob("*/README.md")), ids=lambda file: file.parent.name
)
def test_what_an_example_course_says_of_itself(readme: Path, tmp_path: Path) -> None:
    shutil.copytree(readme.parent, tmp_path, dirs_exist_ok=True)
    assert run_document(readme, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "specs"),
    [
        # `generate --check` runs all references.
        ("README.md", "test_specs"),
        ("CONTRIBUTING.md", "test_specs/comp9021-25t3-a1"),
        ("docs/tutorial-student.md", "test_specs/comp9021-25t3-a1"),
    ],
)
def test_commands_in_the_course_folder(name: str, specs: str, tmp_path: Path) -> None:
    copy_parts(tmp_path, "checkers", "reference", specs, "submissions/comp9021-25t3-a1")
    make_file(Course(ROOT).assignment("comp9021-25t3-a1"), tmp_path / "grader.pyz")
    for program in ROOT.glob("submissions/comp9021-25t3-a1/right-classes/solitaire_?.py"):
        shutil.copy(program, tmp_path)
    assert run_document(ROOT / name, tmp_path)


def test_make_commands_exist_and_continuous_integration_runs_them() -> None:
    targets = set(re.findall(r"^([a-z./-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = {
        word
        for document in DOCUMENTS
        for block in BLOCK.finditer(document.read_text())
        for word in re.findall(r"^make (\S+)", block["body"], re.M)
    }
    assert {"demo", "test"} <= named <= targets
    assert {"make demo", "make test"} <= set((ROOT / ".ci" / "run").read_text().splitlines())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_commands_for_those_who_take_part_name_what_there_is(document: Path) -> None:
    """`make X` and `python -m X` in the text: continuous integration runs the one, and other tests the other."""
    targets = set(re.findall(r"^([a-z./-]+):", (ROOT / "Makefile").read_text(), re.M))
    text = document.read_text()
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= targets
    for module in re.findall(r"(?:^|`)python -m ((?:tests|benchmarks)[.\w]*)", text, re.M):
        assert ROOT.joinpath(*module.split(".")).with_suffix(".py").exists(), module


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text()):
        if not target.startswith("https://"):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
