"""The documents do what they say: files in them are written, commands in them are run, links lead somewhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.course import make_course
from grader.class_files.comments import CommentsFile
from grader.class_files.extensions import ExtensionsFile
from grader.class_files.manual_marks import MarksFile
from grader.class_files.overrides import OverridesFile
from grader.class_files.roster import RosterFile
from grader.config.validation import SpecModel
from grader.plugins.bundling.bundle import make_file
from grader.spec.assignment_file import AssignmentFile
from grader.spec.course import Course
from grader.spec.tests_file import TestsFile
from tests import ROOT
from tests.conftest import Grader
from tests.docs.file_keys import check_keys
from tests.docs.running import copy_parts, csv_rows, in_pipes, run_document
from tests.docs.test_manual import MANUAL
from tests.sandbox import needs_sandbox
from tools.document_steps import BLOCK, Command, steps

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *MANUAL]


EXAMPLES = """
import doctest, re, sys
text = "".join(re.findall(r"^```pycon\\n(.*?)^```$", open(sys.argv[1]).read(), re.M | re.S))
examples = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], None, 0)
failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
print(tried, "examples")
sys.exit(failed)
"""


@needs_sandbox
@pytest.mark.slow
def test_the_examples_of_the_interface_in_python(tmp_path: Path) -> None:
    copy_parts(tmp_path, "reference", "test_specs/cse231-lab10a", "submissions/cse231-lab10a")
    command = [sys.executable, "-c", EXAMPLES, str(ROOT / "docs" / "api.md")]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert int(run.stdout.split()[0]) > 20


@needs_sandbox
@pytest.mark.parametrize("page", ["start/install.md", "concepts/sandbox.md"])
def test_the_doctor_says_what_the_documents_show(page: str, grader: Grader) -> None:
    shown = re.findall(r"^yes  ([a-z ]+)$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.M)
    printed = re.findall(r"^(?:yes|no) +([a-z ]+):", grader("doctor").stdout, re.M)
    assert shown == printed


def test_the_page_on_installing() -> None:
    """The demo is run in test_first_minute.py."""
    commands = [Command("grader doctor", 0), Command("grader demo", 0)]
    assert list(steps(ROOT / "docs" / "start" / "install.md")) == commands


def test_the_command_line(tmp_path: Path) -> None:
    assert len(run_document(ROOT / "docs" / "command-line.md", tmp_path)) == 11


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


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("assignment.yaml", AssignmentFile),
        ("tests/*.yaml", TestsFile),
        ("roster.yaml, roster.csv", RosterFile),
        ("extensions.yaml, extensions.csv", ExtensionsFile),
        ("overrides.yaml, overrides.csv", OverridesFile),
        ("marks.yaml, marks.csv", MarksFile),
        ("comments.yaml", CommentsFile),
    ],
)
def test_every_key_of_the_spec_files_is_documented_with_an_example(
    heading: str, model: type[SpecModel], tmp_path: Path
) -> None:
    check_keys(ROOT / "docs" / "spec-format.md", heading, model, tmp_path)


def test_the_result_keys_are_documented() -> None:
    documented = (ROOT / "docs" / "results-format.md").read_text()
    source = (ROOT / "grader" / "reports" / "results_json.py").read_text()
    for key in re.findall(r'^        "([a-z_]+)":', source, re.M):
        assert re.search(rf"[`.]{key}`", documented), key
