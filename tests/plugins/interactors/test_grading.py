"""From the course to the verdict: what an interactor finds is what counts, unless the program ended badly."""

import subprocess
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.authoring.generate import GenerationError, generate
from grader.expected.transcripts import load_transcripts
from grader.files.digest import digest
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.bundling.bundle import BundleError, make_file
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.process import InteractorError
from grader.plugins.web.pages.result_view import replay
from grader.reports.terminal.test_result import failure_text
from grader.run.environment import RunEnvironment, open_environment
from grader.run.system import SystemKind, can_run
from grader.spec.course import Course
from grader.store.database import open_store
from tests.conftest import bare_python

ASSIGNMENT = """\
format: 1
id: demo
title: Demo
programs: [{file: game.py, variants: [canonical, other]}]
parts: [{id: play, title: Play, marks: 1}]
due: 2025-10-27 11:59
time_zone: Australia/Sydney
limits: {wall_seconds: 20}
"""
TESTS = """\
format: 1
program: game.py
part: play
points: 1
tests:
  - {id: game, visibility: public, interactor: twice, interactor_options: {number: 21}, through: THROUGH}
"""
TWICE = """\
from words import SAID

def play(program):
    number = int(program.options["number"])
    program.expect("Number: ")
    program.send(number)
    double = int(program.read_line("a number"))
    if double == number + 1:
        program.passed("nearly", score="0.5")
    if double == number + 2:
        program.unknown("is this a number?")
    if double == number + 3:
        return 1 / 0
    if double != 2 * number:
        program.wrong(SAID)
"""
RIGHT = "print(2 * int(input('Number: ')))"
OTHER = "number = int(input('Number: '))\n"


def course(folder: Path, through: str = "terminal") -> Assignment:
    files = {
        "test_specs/demo/assignment.yaml": ASSIGNMENT,
        "test_specs/demo/tests/play.yaml": TESTS.replace("THROUGH", through),
        "interactors/twice.py": TWICE,
        "interactors/words.py": "SAID = 'This is not twice as much.'\n",
        "reference/game.py": RIGHT,
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return Course(folder).assignment("demo")


def graded(assignment: Assignment, source: str, outcomes: OutcomeSource, folder: Path) -> TestResult:
    file = folder / "game.py"
    file.write_text(source)
    submission = Submission(
        student="a", files=(SubmittedFile("game.py", file),), submitted=None, time_source=TimeSource.NONE, notes=()
    )
    transcripts = load_transcripts(assignment, assignment.tests)
    [result] = grade_submission(
        assignment, assignment.tests, transcripts, submission, outcomes, tick=lambda: None
    ).results
    return result


@pytest.mark.parametrize("through", ["terminal", pytest.param("pipes", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("source", "verdict", "points", "cause", "said"),
    [
        (RIGHT, Verdict.PASSED, 1, None, ""),
        (f"{OTHER}print(3 * number)", Verdict.WRONG_OUTPUT, 0, "interactor", "This is not twice as much."),
        (f"{OTHER}print(number + 1)", Verdict.PASSED, Decimal("0.5"), "interactor", "nearly"),
        (f"{OTHER}print(number + 2)", Verdict.INTERNAL_ERROR, 0, "needs-review", "A person must decide: is this a"),
        (
            f"{OTHER}print(number + 3)",
            Verdict.INTERNAL_ERROR,
            0,
            "internal-error",
            "ZeroDivisionError: division by zero",
        ),
        (f"{OTHER}raise SystemExit(3)", Verdict.WRONG_OUTPUT, 0, "interactor", "ends where it should print a number"),
        (f"{RIGHT}\nraise SystemExit(3)", Verdict.EXIT_STATUS, 0, "exit-status", "The exit status is 3"),
        (f"{RIGHT}\ninput()", Verdict.CRASH, 0, "reads-past-input", "asks for input again"),
        (f"{OTHER}number.no()", Verdict.CRASH, 0, "crash", "AttributeError"),
        (f"{RIGHT}\n1 / 0", Verdict.CRASH, 0, "crash", "ZeroDivisionError"),
        ("(", Verdict.CRASH, 0, "syntax-error", "Python cannot read the program"),
        (f"{OTHER}import os\nos.abort()", Verdict.CRASH, 0, "signal", "SIGABRT"),
        (f"{OTHER}x = [0] * 10**10", Verdict.MEMORY_LIMIT, 0, "memory-limit", "memory"),
    ],
)
def test_verdicts(
    source: str,
    verdict: Verdict,
    points: Decimal,
    cause: str | None,
    said: str,
    through: str,
    everywhere: RunEnvironment,
    tmp_path: Path,
) -> None:
    result = graded(course(tmp_path, through), source, OutcomeSource(everywhere), tmp_path)
    found = result.judgement.diagnosis
    assert (result.verdict, result.points) == (verdict, points)
    assert (found and found.cause.id) == cause
    assert said in (found.sentence if found else "")


def test_reports_show_the_game(everywhere: RunEnvironment, tmp_path: Path) -> None:
    source = f"{OTHER}print(3 * number)"
    shown = {}
    for through in ("terminal", "pipes"):
        result = graded(course(tmp_path, through), source, OutcomeSource(everywhere), tmp_path)
        shown[through] = [line.plain for line in failure_text(result)]
        assert [step.typed for step in replay(result)] == ["21", None]
    assert shown["terminal"][1:] == [
        "  run: python3 game.py   against the interactor twice",
        "  This is not twice as much.",
        "  the end of the session, as it was shown",
        "  | Number: 21",
        "  | 63",
    ]
    assert shown["pipes"][-3:] == [
        "  the end of the session, > where something was typed",
        "  | Number: > 21",
        "  | 63",
    ]


def test_an_outcome_is_kept_until_the_interactor_changes(everywhere: RunEnvironment, tmp_path: Path) -> None:
    chance = f"import time\n{RIGHT}\nprint(time.perf_counter_ns())"
    with open_store(tmp_path / "store.sqlite3") as store:
        outcomes = OutcomeSource(everywhere, ResultCache(store, "harness"))

        def played(assignment: Assignment) -> object:
            return graded(assignment, chance, outcomes, tmp_path).outcome

        first = played(course(tmp_path))
        assert played(course(tmp_path)) == first
        (tmp_path / "interactors" / "words.py").write_text("SAID = 'No.'\n")
        second = played(Course(tmp_path).assignment("demo"))
        assert second != first
        assert played(with_seed(Course(tmp_path).assignment("demo"), "2")) != second
        assert played(Course(tmp_path).assignment("demo")) == second


def with_seed(assignment: Assignment, seed: str) -> Assignment:
    [test] = assignment.tests
    run = test.interaction
    assert isinstance(run, InteractorRun)
    changed = replace(run, interactor=replace(run.interactor, seed=seed))
    return replace(assignment, tests=(replace(test, interaction=changed),))


def test_where_the_course_lies_makes_no_difference(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    here, there = (course(tmp_path / name).tests[0].interaction for name in ("here", "there"))
    assert isinstance(here, InteractorRun)
    assert isinstance(there, InteractorRun)
    assert here.interactor.file != there.interactor.file
    assert digest(here) == digest(there)


def generated(assignment: Assignment) -> object:
    # What cannot be generated cancels all that is under way.
    with open_environment() as environment:
        return generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: None)


@pytest.mark.slow
def test_a_reference_that_does_not_pass_is_refused(tmp_path: Path) -> None:
    assignment = course(tmp_path)
    assert generated(assignment) == {}
    (tmp_path / "reference" / "game.py").write_text(f"{OTHER}print(3 * number)")
    with pytest.raises(GenerationError, match="fails the test game: This is not twice as much") as error:
        generated(assignment)
    assert "Its output ends with:\nNumber: 21\n63" in str(error.value)


def test_an_interactor_that_fails_is_told_when_references_are_run(tmp_path: Path) -> None:
    assignment = course(tmp_path)
    (tmp_path / "reference" / "game.py").write_text(f"{OTHER}print(number + 3)")
    with pytest.raises(InteractorError, match=r"ZeroDivisionError: division by zero \(twice\.py, line 13\)"):
        generated(assignment)


@pytest.mark.slow
def test_only_bundles_that_may_have_interactors_do(tmp_path: Path) -> None:
    assignment = course(tmp_path)
    with pytest.raises(BundleError, match="without an interactor; --interactors would hand these out too"):
        make_file(assignment, tmp_path / "grader.pyz")
    made = make_file(assignment, tmp_path / "grader.pyz", interactors=True)
    assert ([test.id for test in made.tests], made.left_out) == (["game"], 0)
    (tmp_path / "interactors" / "twice.py").unlink()
    (tmp_path / "game.py").write_text("print(6)")
    command = [*bare_python(), str(made.path), "check", str(tmp_path / "game.py")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env={})
    assert run.returncode == 1, run.stdout + run.stderr
    assert "The program ends where it should print" in run.stdout


def test_what_has_no_terminals_has_no_interactors(tmp_path: Path) -> None:
    [test] = course(tmp_path).tests
    assert [can_run(system, test) for system in SystemKind] == [True, True, False]
