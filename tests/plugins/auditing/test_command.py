"""`grader audit` as an instructor uses it."""

import re
import sys

import pytest

from grader.cli.main import app
from grader.errors import GraderError
from tests.conftest import RIGHT, Grader, SmallCourse
from tests.sandbox import needs_sandbox

pytestmark = needs_sandbox


@pytest.mark.slow
def test_survivors_are_shown_and_weak_tests_are_a_failure(grader: Grader, small_course: SmallCourse) -> None:
    reference = small_course.folder / "reference" / "double.py"
    reference.write_text(reference.read_text().replace("2 * number", "2 * number if number > 0 else -1"))
    run = grader("audit", "doubles", "--matrix")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "mutants are caught (" in run.stdout
    assert '-print(f"{word}: {2 * number if number > 0 else -1}")' in run.stdout
    assert '+print(f"{word}: {2 * number if number > 1 else -1}")' in run.stdout
    assert "Tests that catch nothing that others do not: " in run.stdout
    assert grader("audit", "doubles", "--min-percent", "10").returncode == 0


@pytest.mark.slow
def test_what_only_hidden_tests_catch_and_what_none_does(grader: Grader, small_course: SmallCourse) -> None:
    """A weak assignment: its public tests know small numbers only, and no test knows one of three digits."""
    (small_course.folder / "test_specs" / "doubles" / "audit.yaml").write_text(
        """\
format: 1
mistakes:
  - {program: double.py, about: ten is the largest, find: 2 * number, replace: "2 * min(number, 10)"}
  - {program: double.py, about: 99 is the largest, find: 2 * number, replace: "2 * min(number, 99)"}
"""
    )
    run = grader("audit", "doubles", "--sample", "0", "--min-percent", "51", "--matrix")
    assert run.returncode == 1, run.stderr
    assert "1 of 2 mutants are caught (50.0%)" in run.stdout
    assert re.search(
        r"survives every test of double.py \(99 is the largest\); needed is a test in which it shows\n"
        r"    @@ .*\n(     .*\n)*"
        r'    -print\(f"{word}: {2 \* number}"\)\n'
        r'    \+print\(f"{word}: {2 \* min\(number, 99\)}"\)\n',
        run.stdout,
    ), run.stdout
    assert re.search(
        r"Hidden tests that are needed, for no public test catches these mutants:\n"
        r"    \w{8} \(ten is the largest\): hidden-11, hidden-12\n",
        run.stdout,
    ), run.stdout


@pytest.mark.slow
def test_samples_and_expected_files_are_looked_at(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right-one", RIGHT)
    (folder / "verdicts.yaml").write_text("about: right\nfails: {doubles: crash}\n")
    (small_course.expected / "small.canonical.txt").write_text("Number: 4\nDouble: 9\n")
    run = grader("audit", "doubles", "--sample", "0", "--min-percent", "0")
    assert run.returncode == 1, run.stderr
    assert "stale: " in run.stdout
    assert "right-one, doubles: got wrong-output; stated crash" in run.stdout


@pytest.mark.slow
def test_a_program_left_to_chance_is_named(grader: Grader, small_course: SmallCourse) -> None:
    reference = small_course.folder / "reference" / "double.py"
    reference.write_text(reference.read_text() + "import time\nprint(time.time_ns())\n")
    run = grader("audit", "doubles", "--sample", "0", "--min-percent", "0")
    assert run.returncode == 2
    assert "does not behave the same each time it runs the test small: line 3 is `" in run.stderr


def test_without_cosmic_ray_the_extra_is_named(small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cosmic_ray.ast", None)
    monkeypatch.chdir(small_course.folder)
    with pytest.raises(GraderError, match=r"install it with: .*\[audit\]"):
        app(["audit", "doubles"], standalone_mode=False)


@pytest.mark.slow
def test_programs_of_students_who_pass_get_mistakes_too(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", RIGHT.replace("print", "if 0 > 1:\n    print(0 - 1 + 2 - 3)\nprint"))
    small_course.hand_in("bob", RIGHT.replace("2 *", "3 *"))
    run = grader("audit", "doubles", "submissions/doubles", "--sample", "12", "--min-percent", "0")
    assert run.returncode == 0, run.stderr
    assert re.search(
        r"\n  s-\w{8} is reached by no test of double.py \(\S+, in the program of ann\); needed is a test that "
        r"gets there\n.*\n     if 0 > 1:\n    -    print\(0 - 1 \+ 2 - 3\)\n",
        run.stdout,
    ), run.stdout
    assert "bob" not in run.stdout


@pytest.mark.slow
def test_two_mistakes_at_once(grader: Grader) -> None:
    run = grader("audit", "doubles", "--order", "2", "--sample", "4", "--min-percent", "0")
    assert run.returncode == 0, run.stderr
    assert re.search(r"\n    pairs of mistakes by operators in references: \d of 4 pass; ", run.stdout), run.stdout


@pytest.mark.slow
def test_a_class_in_which_no_one_passes_is_refused(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("bob", RIGHT.replace("2 *", "3 *"))
    run = grader("audit", "doubles", "submissions/doubles")
    assert run.returncode == 2
    assert "No submission in submissions/doubles passes all tests of doubles" in run.stderr
