"""Of checkers and interactors, a bundle holds those of public tests and the files that they reach."""

from pathlib import Path

import pytest

from grader.plugins.bundling.bundle import data_files
from grader.plugins.bundling.public_content import public_content
from grader.spec.course import Course
from tests.conftest import SmallCourse

CHECKER = """\
import importlib
from pathlib import Path
from grader.checkers import passed
from rules import twice
FOLDER = Path(__file__).parent
WORDS = (FOLDER / "words.txt").read_text()
LEVELS = [(FOLDER / "levels" / f"{level}.txt").read_text() for level in (1, 2)]
DEALS = sorted(FOLDER.glob("deal-*.txt"))
LATER = importlib.import_module("later")
def check(input, expected, actual):
    return passed() if 2 * 2 else None
"""
PLAY = "def play(program):\n    program.expect_end()\n"
REACHED = {
    "checkers/open.py": CHECKER,
    "checkers/rules/__init__.py": "from .numbers import twice\n",
    "checkers/rules/numbers.py": "import deeper\ntwice = 2\n",
    "checkers/deeper.py": 'NAME = "deep.json"\n',
    "checkers/deep.json": "{}",
    "checkers/later.py": "",
    "checkers/words.txt": "words",
    "checkers/levels/1.txt": "one",
    "checkers/levels/2.txt": "two",
    "checkers/deal-1.txt": "a deal",
    "checkers/of-option.txt": "chosen by the test",
    "interactors/host.py": f"import manners\n{PLAY}",
    "interactors/manners.py": "",
}
HIDDEN = {
    "checkers/secret_checker.py": f"{CHECKER}SECRET = 'solution'\n",
    "checkers/secret_rules.py": "SECRET = 'solution'\n",
    "checkers/secret/table.txt": "solution",
    "checkers/of-hidden-option.txt": "solution",
    "interactors/secret_host.py": f"import secret_moves\n{PLAY}",
    "interactors/secret_moves.py": "SECRET = 'solution'\n",
    "interactors/words.txt": "solution",
}
TESTS = """\
format: 1
program: double.py
part: double
tests:
  - {id: judged, visibility: public, points: 7, input: [1], checker: open, checker_options: {file: of-option.txt}}
  - {id: played, visibility: public, points: 1, interactor: host, interactor_seed: 7}
  - {id: in-secret, points: 1, input: [2], checker: secret_checker, checker_options: {file: of-hidden-option.txt}}
  - {id: played-in-secret, points: 1, interactor: secret_host}
"""


@pytest.fixture
def course(small_course: SmallCourse) -> Path:
    """Return a course with checkers and interactors of public and of hidden tests."""
    assignment = small_course.folder / "test_specs" / "doubles"
    tests = assignment / "tests" / "double.yaml"
    part = next(line for line in tests.read_text().splitlines() if line.startswith("part:"))
    tests.write_text(TESTS.replace("part: double", part))
    for name, text in {**REACHED, **HIDDEN}.items():
        file = small_course.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for variant in ("canonical", "wordy"):
        (small_course.expected / f"judged.{variant}.txt").write_text("Number: 1\nDouble: 2\n")
    return small_course.folder


def data_of(course: Path) -> dict[str, bytes]:
    """Return the files of a bundle that depend on the assignment."""
    assignment = Course(course).assignment("doubles")
    return data_files(assignment, public_content(assignment, checkers=True, interactors=True))


def test_a_bundle_has_what_public_tests_reach(course: Path) -> None:
    data = data_of(course)
    judging = {
        name.removeprefix("data/"): text.decode()
        for name, text in data.items()
        if name.split("/")[1] in ("checkers", "interactors")
    }
    assert judging == REACHED
    assert [name for name, content in data.items() if b"solution" in content or b"secret" in content] == []


def test_a_bundle_does_not_depend_on_the_checkers_and_interactors_of_hidden_tests(course: Path) -> None:
    before = data_of(course)
    for name in HIDDEN:
        (course / name).write_text(f"{(course / name).read_text()}\n")
    assert data_of(course) == before
