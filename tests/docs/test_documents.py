"""The documents do what they say: files in them are written, commands in them are run, links lead somewhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.course import make_course
from grader.plugins.bundling.bundle import make_file
from grader.spec.course import Course
from tests import ROOT
from tests.docs.running import copy_parts, csv_rows, in_pipes, run_document
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
def test_the_instructors_guide(tmp_path: Path) -> None:
    copy_parts(tmp_path, "checkers", "reference", "test_specs", "submissions/cse231-lab10a")
    shapes = {
        "moodle": "moodle-zip",
        "canvas": "canvas",
        "gradescope": "gradescope",
        "hw1": "git",
        "class": "folders-zip",
    }
    downloads = tmp_path / "downloads"
    for name, shape in shapes.items():
        made = make_course(2, seed=1).write(downloads / f"made-{name}", shape, "lab10a.py")
        ending = "-submissions" if name == "hw1" else made.suffix
        made.rename(downloads / f"{name}{ending}")
    shutil.make_archive(str(downloads / "gradescope"), "zip", downloads / "gradescope")
    commands = run_document(ROOT / "docs" / "instructor-guide.md", tmp_path)
    assert len([command for command in commands if " downloads/" in command]) == 6
    rows = csv_rows(tmp_path / "moodle-reports" / "cse231-lab10a" / "results.csv")
    assert [row["student"] for row in rows] == ["z5000000", "z5000001", "z9999999"]


@pytest.mark.slow
def test_the_example_of_a_checker(tmp_path: Path) -> None:
    assert len(run_document(ROOT / "docs" / "checkers.md", tmp_path)) == 6
    rows = (tmp_path / "reports" / "parts" / "results.csv").read_text().splitlines()
    assert rows[1].split(",")[1] == "1.25"


@pytest.mark.slow
def test_the_example_of_an_interactor(tmp_path: Path) -> None:
    document = ROOT / "docs" / "interactors.md"
    assert len(run_document(document, tmp_path)) == 5
    rows = (tmp_path / "reports" / "think" / "results.csv").read_text().splitlines()
    assert rows[1].split(",")[1] == "0"
    results = (tmp_path / "reports" / "think" / "results.json").read_text(encoding="utf-8")
    [quoted] = re.findall(r"^> (After .*)$", document.read_text(), re.M)
    assert quoted in results


@pytest.mark.slow
def test_the_page_of_example_courses(tmp_path: Path) -> None:
    copy_parts(tmp_path, "docs/examples/cs50")
    assert len(run_document(ROOT / "docs" / "examples.md", tmp_path)) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "readme", sorted((ROOT / "docs" / "examples").glob("*/README.md")), ids=lambda file: file.parent.name
)
def test_what_an_example_course_says_of_itself(readme: Path, tmp_path: Path) -> None:
    shutil.copytree(readme.parent, tmp_path, dirs_exist_ok=True)
    assert run_document(readme, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="needs the Debian package g++")
@pytest.mark.skipif(not shutil.which("javac"), reason="needs the Debian package default-jdk-headless")
def test_the_examples_of_function_tests(tmp_path: Path) -> None:
    document = ROOT / "docs" / "function-tests.md"
    assert len(run_document(document, tmp_path)) == 13
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    said = ""
    python = ("bank/someone/bank.py", "twttr/anna/test_twttr.py", "twttr/ben/test_twttr.py")
    for student in (*python, "text/someone/text.c", "stack/someone/stack.cpp", "words/someone/Words.java"):
        said += in_pipes(f"grader check submissions/{student}", tmp_path, {**os.environ, "PATH": path})[1]
    shown = re.findall(r"^```text\n(.*?)^```$", document.read_text(), re.M | re.S)
    assert len(shown) == 4
    for line in "".join(shown).splitlines():
        assert " ".join(line.split()) in " ".join(said.split())


@pytest.mark.slow
def test_the_games_of_the_checkers_document_are_made(tmp_path: Path) -> None:
    lines = (ROOT / "docs" / "checkers.md").read_text().splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("python ")]
    assert len(commands) == 2
    for command in commands:
        script = [sys.executable, str(ROOT / command[0]), *command[1:]]
        assert subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=True).stdout


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
