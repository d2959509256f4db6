"""`grader fuzz` as an instructor uses it."""

import re
import shutil
from functools import partial
from pathlib import Path

import pytest

from grader.cli.main import app
from grader.errors import GraderError
from tests.conftest import Grader
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox


@pytest.fixture
def grader(prepared: PreparedGrader, moves_course: Path) -> Grader:
    """Runs the command line in the course folder."""
    run = partial(prepared.run, folder=moves_course)
    assert run("generate", "moves").returncode == 0
    return run


def only(course: Path, entry: str) -> None:
    """Leave one entry in fuzz.yaml."""
    file = course / "test_specs" / "moves" / "fuzz.yaml"
    head, *entries = file.read_text().partition("leave_out:")[0].split("  - id: ")
    [kept] = (one for one in entries if one.startswith(entry))
    file.write_text(f"{head}  - id: {kept}")


@needs_sandbox
@pytest.mark.slow
def test_who_differs_is_told_with_the_shortest_session_which_becomes_a_test(grader: Grader, moves_course: Path) -> None:
    run = grader("fuzz", "moves", "--sessions", "40", "--add")
    assert run.returncode == 1, run.stderr
    said = " ".join(run.stdout.split())
    assert "forgets: not like the reference in this session type add 77 type q" in said
    assert "in line 2 the number is 0; expected 77." in said
    assert "zero, zero-too: not like the reference in this session call largest([])" in said
    assert "None expected, found 0" in said
    assert "random-sums: count.py 40 sessions, with 4 submissions that pass all tests." in said
    assert run.stdout.splitlines()[-1].startswith("4 accepted submissions probed with ")
    assert run.stdout.splitlines()[-1].endswith(" sessions, 3 differ.")
    tests = moves_course / "test_specs" / "moves" / "tests"
    assert "input: [add 77, q]" in (tests / "random-moves.yaml").read_text()
    assert "ignore: [trailing-whitespace]" in (tests / "random-moves.yaml").read_text()
    assert "call: 'largest([])'" in (tests / "random-lists.yaml").read_text()
    assert "forgets" not in (tests / "random-moves.yaml").read_text()
    assert not (tests / "random-sums.yaml").exists()
    assert "all 5 expected files are fresh" in grader("generate", "--check", "moves").stdout
    assert not (moves_course / ".hypothesis").exists()
    # Those that differed pass no longer all tests, and no session is written twice.
    again = grader("fuzz", "moves", "--sessions", "40", "--add")
    assert again.returncode == 0, again.stdout
    assert "1 accepted submission probed" in again.stdout
    assert "written" not in again.stdout


@needs_sandbox
@pytest.mark.slow
def test_the_same_seed_finds_the_same(grader: Grader, moves_course: Path) -> None:
    only(moves_course, "random-lists")
    first = grader("fuzz", "moves", "--sessions", "20")
    assert first.returncode == 1, first.stderr
    assert grader("fuzz", "moves", "--sessions", "20").stdout == first.stdout


@pytest.mark.slow
@needs_sandbox
def test_what_the_reference_does_not_handle_is_charged_to_no_one(grader: Grader, moves_course: Path) -> None:
    file = moves_course / "test_specs" / "moves" / "fuzz.yaml"
    calls = """["largest([1, 2])", "largest(['a', 1])"]"""
    file.write_text(f"format: 1\nsessions:\n  - {{id: mixed, test: largest, call: {calls}}}\n")
    run = grader("fuzz", "moves", "--sessions", "6")
    assert run.returncode == 0, run.stdout
    assert "1 session and no other, with 4 submissions that pass all tests." in run.stdout
    assert "Dropped, because the reference does not handle them: 1 (`largest(['a', 1])` raises TypeError" in run.stdout


@needs_sandbox
@pytest.mark.slow
def test_a_program_that_differs_by_chance_is_not_reported(grader: Grader, moves_course: Path) -> None:
    only(moves_course, "random-sums")
    program = moves_course / "submissions" / "moves" / "right" / "count.py"
    chance = "import random\nif len(lines) > 2:\n    print(random.random())\n"
    program.write_text(f"import sys\nlines = list(sys.stdin)\nprint(sum(map(int, lines)))\n{chance}")
    run = grader("fuzz", "moves", "--sessions", "6")
    assert run.returncode == 0, run.stdout
    assert "Differences that do not count, because they were gone when all was played again: " in run.stdout


@needs_sandbox
@pytest.mark.slow
def test_lines_that_the_reference_does_not_read_are_left_out(grader: Grader, moves_course: Path) -> None:
    file = moves_course / "test_specs" / "moves" / "fuzz.yaml"
    file.write_text("format: 1\nsessions:\n  - {id: ends, test: adds, input: [clear, q, 'add {1..200}', q]}\n")
    run = grader("fuzz", "moves", "--sessions", "8")
    assert run.returncode == 0, run.stdout
    assert "1 session, with 4 submissions" in run.stdout


@needs_sandbox
@pytest.mark.slow
def test_calls_that_differ_only_together_are_told_and_do_not_count(grader: Grader, moves_course: Path) -> None:
    only(moves_course, "random-lists")
    result = "max(numbers, default=None) if len(seen) < 3 else 7"
    forgetful = f"def largest(numbers, seen=[]):\n    seen.append(1)\n    return {result}\n"
    for student in ("zero", "zero-too"):
        shutil.rmtree(moves_course / "submissions" / "moves" / student)
    (moves_course / "submissions" / "moves" / "forgets" / "lists.py").write_text(forgetful)
    run = grader("fuzz", "moves", "--sessions", "20")
    assert run.returncode == 0, run.stdout
    # One for each round of calls, and a round may draw fewer calls than are asked for in all.
    assert re.search(r"gone when all was played again: [1-9]\d*\.", run.stdout)


@needs_sandbox
@pytest.mark.slow
def test_a_submission_is_like_one_variant_in_all_sessions(grader: Grader, moves_course: Path) -> None:
    specs = moves_course / "test_specs" / "moves"
    count = "{file: count.py, variants: [canonical, wordy]}"
    assignment = specs / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("{file: count.py}", count))
    word = "'yes' if os.environ['REFERENCE_VARIANT'] == 'canonical' else 'yeah'"
    reference = f"import os\nnumber = int(input())\nword = {word}\nprint(word if number else 'no')\n"
    (moves_course / "reference" / "count.py").write_text(reference)
    (specs / "tests" / "count.yaml").write_text(
        "format: 1\nprogram: count.py\npart: all\ntests:\n  - {id: none, points: 1, stdin_text: '0'}\n"
    )
    (specs / "fuzz.yaml").write_text('format: 1\nsessions:\n  - {id: any, test: none, input: ["{0..30}"]}\n')
    words = {"right": "'yeah'", "forgets": "'yes'", "zero": "'yes' if number < 10 else 'yeah'"}
    for student, word in words.items():
        program = f"number = int(input())\nprint(({word}) if number else 'no')\n"
        (moves_course / "submissions" / "moves" / student / "count.py").write_text(program)
    shutil.rmtree(moves_course / "submissions" / "moves" / "zero-too")
    assert grader("generate", "moves").returncode == 0
    run = grader("fuzz", "moves", "--sessions", "25")
    assert run.returncode == 1, run.stdout
    assert "3 accepted submissions" in run.stdout
    assert "1 differs." in run.stdout
    assert "  zero: not like the reference in this session" in run.stdout


@needs_sandbox
@pytest.mark.slow
def test_the_reference_handles_nothing(grader: Grader, moves_course: Path) -> None:
    file = moves_course / "test_specs" / "moves" / "fuzz.yaml"
    file.write_text("format: 1\nsessions:\n  - {id: random-moves, test: adds, input: ['add {1..9}']}\n")
    run = grader("fuzz", "moves", "--sessions", "3")
    assert run.returncode == 2
    assert "The reference game.py handles no session of `random-moves`: its exit status is 1" in run.stderr


@pytest.mark.slow
@needs_sandbox
def test_no_submission_passes_all_tests(grader: Grader, moves_course: Path) -> None:
    for student in ("right", "forgets", "zero", "zero-too"):
        (moves_course / "submissions" / "moves" / student / "count.py").write_text("")
    run = grader("fuzz", "moves")
    assert run.returncode == 2
    assert "passes all tests of moves: there is none to play with." in run.stderr


def test_without_hypothesis_the_extra_is_named(moves_course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.searching.fuzzing.search.find_spec", lambda _: None)
    monkeypatch.chdir(moves_course)
    with pytest.raises(GraderError, match=r"install it with: .*\[fuzz\]"):
        app(["fuzz", "moves"], standalone_mode=False)
