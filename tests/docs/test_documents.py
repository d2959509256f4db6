"""The documents do what they say: files in them are written, commands in them are run, links lead somewhere."""

import re
import shutil
from pathlib import Path

import pytest

from grader.spec.course import Course
from tests import ROOT
from tests.conftest import Grader
from tests.docs.running import copy_parts, run_document
from tests.docs.test_manual import MANUAL
from tests.sandbox import needs_sandbox
from tools.document_steps import BLOCK, Command, steps

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *MANUAL]
# A few students show what a command does; that each sample gets its verdicts, test_example_courses.py and
# test_sample_class.py show.
FEW = 2
SAMPLE = "comp9021-25t3-a1"
STUDENTS = "prompt-and-capital-letter", "right-classes"


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_page_of_example_courses(tmp_path: Path) -> None:
    copy_parts(tmp_path, "docs/examples/cs50")
    assert len(run_document(ROOT / "docs" / "examples" / "README.md", tmp_path)) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "readme", sorted((ROOT / "docs" / "examples").glob("*/README.md")), ids=lambda file: file.parent.name
)
def test_what_an_example_course_says_of_itself(readme: Path, tmp_path: Path) -> None:
    text = readme.read_text(encoding="utf-8")

    def others(folder: str, names: list[str]) -> list[str]:
        """Return the students of a class except the first two and any named in the document."""
        if Path(folder).parent != readme.parent / "submissions":
            return []
        return [name for name in sorted(names)[FEW:] if f"/{name}/" not in text]

    shutil.copytree(readme.parent, tmp_path, dirs_exist_ok=True, ignore=others)
    assert run_document(readme, tmp_path)


@pytest.mark.slow
def test_commands_in_the_readme(tmp_path: Path) -> None:
    """The references of a part and of an assignment are run; audits of all shipped assignments run all."""
    copy_parts(tmp_path, "checkers", "reference", "test_specs/cse231-lab10a", f"test_specs/{SAMPLE}")
    copy_parts(tmp_path, *(f"submissions/{SAMPLE}/{student}" for student in STUDENTS))
    leave_the_first_game(tmp_path / "test_specs" / SAMPLE)
    assert run_document(ROOT / "README.md", tmp_path)


def leave_the_first_game(specs: Path) -> None:
    settings = specs / "assignment.yaml"
    settings.write_text(re.sub(r"  - \{id: solitaire_(?:1-simulate|2-).*\n", "", settings.read_text()))
    for file in [*specs.glob("tests/solitaire_2-*"), specs / "tests" / "solitaire_1-simulate.yaml"]:
        file.unlink()
    tests = {test.id for test in Course(specs.parents[1]).assignment(specs.name).tests}
    for file in (specs / "expected").iterdir():
        if file.name.partition(".")[0] not in tests:
            file.unlink()


@pytest.mark.slow
def test_commands_for_those_who_contribute(tmp_path: Path) -> None:
    copy_parts(tmp_path, "checkers", "reference", "test_specs/cse231-lab10a")
    assert run_document(ROOT / "CONTRIBUTING.md", tmp_path)


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
