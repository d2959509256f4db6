"""`--shortest`: which lines of a failed test are enough to see the failure, in a self-check and for a class."""

import re
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Grader
from tests.plugins.searching.fuzzing.conftest import COUNT, GAME
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox


@pytest.fixture
def grader(prepared: PreparedGrader, moves_course: Path) -> Grader:
    """Runs the command line in the course folder, in which every test is public."""
    for file in (moves_course / "test_specs" / "moves" / "tests").glob("*.yaml"):
        file.write_text(file.read_text().replace("part: all", "part: all\nvisibility: public"))
    run = partial(prepared.run, folder=moves_course)
    assert run("generate", "moves").returncode == 0
    return run


def check(grader: Grader, course: Path, name: str, program: str, *options: str) -> str:
    (course / name).write_text(program)
    return " ".join(grader("check", name, "--shortest", "--show", "0", *options).stdout.split())


@pytest.mark.slow
def test_the_lines_that_are_needed(grader: Grader, moves_course: Path) -> None:
    said = check(grader, moves_course, "game.py", GAME.replace("        total = 0", "        pass"))
    assert "adds, of 5 lines, fails in the same way with 3 type add 3 type clear type q" in said
    assert "in line 4 the number is 3; expected 0." in said


ROUNDS = """\
for number in range(6):
    print("Round", number + 1)
    if input("More? ") == "q":
        break
"""


@pytest.mark.slow
def test_a_session_that_ends_by_itself_may_end_as_another_test_does(grader: Grader, moves_course: Path) -> None:
    (moves_course / "reference" / "game.py").write_text(ROUNDS)
    file = moves_course / "test_specs" / "moves" / "tests" / "game.yaml"
    tests = "  - {id: all, points: 1, input: [y, y, y, y, y, y]}\n  - {id: one, points: 1, input: [q]}\n"
    file.write_text(file.read_text().partition("tests:\n")[0] + "tests:\n" + tests)
    assert grader("generate", "moves").returncode == 0
    said = check(grader, moves_course, "game.py", ROUNDS.replace("number + 1", "number + 1 + (number == 2)"))
    assert "all, of 6 lines, fails in the same way with 3 type y type y type q" in said


@pytest.mark.slow
def test_what_comes_after_the_wrong_line_may_differ(grader: Grader, moves_course: Path) -> None:
    said = check(grader, moves_course, "game.py", GAME.replace("= 0\nwhile", "= 1\nwhile") + "print(1 / (total - 2))\n")
    assert "adds, of 5 lines, fails in the same way with 2 type add 3 type q" in said


@pytest.mark.slow
def test_standard_input(grader: Grader, moves_course: Path) -> None:
    file = moves_course / "test_specs" / "moves" / "tests" / "count.yaml"
    file.write_text(file.read_text().replace('"1\\n2\\n"', '"1\\n2\\n3\\n70\\n5\\n"'))
    assert grader("generate", "moves").returncode == 0
    said = check(grader, moves_course, "count.py", COUNT.replace("int(line)", "int(line) % 64"))
    assert "sums, of 5 lines, fails in the same way with 1 type 70" in said


@pytest.mark.slow
def test_nothing_is_said_of_what_cannot_be_shortened(grader: Grader, moves_course: Path) -> None:
    assert "fails in the same way" not in check(grader, moves_course, "game.py", GAME)
    assert "fails in the same way" not in check(grader, moves_course, "lists.py", "def largest(numbers): return 0\n")
    (moves_course / "reference" / "game.py").unlink()
    assert "fails in the same way" not in check(grader, moves_course, "game.py", "print(1)\n")


def test_it_is_for_the_text_report(grader: Grader) -> None:
    run = grader("check", "submissions/moves/right", "--shortest", "--format", "json")
    assert run.returncode == 2
    assert "--shortest only works with the text report; remove --format." in run.stderr


@needs_sandbox
@pytest.mark.slow
def test_the_pages_of_a_class_show_it_for_a_shared_mistake(grader: Grader, moves_course: Path) -> None:
    for student in ("forgets", "zero"):
        program = moves_course / "submissions" / "moves" / student / "game.py"
        program.write_text(f"# {student}\n" + GAME.replace("        total = 0", "        pass"))
    run = grader("report", "submissions/moves", "--shortest")
    assert run.returncode == 0, run.stderr
    page = (moves_course / "reports" / "html" / "moves" / "groups.html").read_text()
    shown = page.partition("The shortest session that shows it")[2].partition("</ol>")[0]
    assert re.findall("<code>(.*?)</code>", shown) == ["add 3", "clear", "q"]
    assert page.count("The shortest session that shows it") == 1
    grader("report", "submissions/moves")
    page = (moves_course / "reports" / "html" / "moves" / "groups.html").read_text()
    assert "The shortest session that shows it" not in page
