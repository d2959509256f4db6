"""Every program of the sample class gets the verdicts that are written beside it."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from _pytest.mark import ParameterSet
from deepdiff import DeepDiff

from grader.class_files.manual_marks import read_manual_marks
from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.interaction import FunctionCall
from grader.model.judgement import Verdict
from grader.plugins.code_rules.functions import RequiredFunctions
from grader.rules.check import check_rules
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.course import Course
from grader.store.database import ResultStore, open_store
from tests import ROOT
from tests.intake.taking import submission_in
from tests.sandbox import is_missing

SUBMISSIONS = sorted(file.parent for file in (ROOT / "submissions").rglob("verdicts.yaml"))

# Mistakes that real submissions made, or that only a well chosen deck or input shows.
DEFECTS = {
    "cse231-proj10": {
        "empty-column-without-number",
        "empty-column-zero-based",
        "empty-column-glued",
        "empty-column-without-message",
        "deal-on-an-empty-stock-appends-none",
        "deal-on-an-empty-stock-crashes",
        "deal-on-an-empty-stock-loops",
        "empty-line-crashes",
        "f-with-a-letter-crashes",
        "f-with-a-negative-number-crashes",
        "t-with-letters-crashes",
        "option-error-as-first-command-crashes",
        "extra-tokens-accepted",
        "restart-without-rules-and-menu",
        "errors-of-t-in-the-wrong-order",
        "aces-low",
        "won-too-early",
        "hard-coded",
    },
    "cse231-lab10a": {
        "not-seeded",
        "other-seed",
        "not-dealt-alternately",
        "second-card-not-shown",
        "tasks-missing",
        "ten-and-faces-equal",
        "hard-coded",
    },
    "cse231-lab10b": {
        "aces-low",
        "equal-ranks-won",
        "equal-ranks-crash",
        "cards-of-a-draw-are-lost",
        "cards-of-a-draw-change-hands",
        "won-cards-on-top",
        "blank-after-the-prompt",
        "prompt-after-an-empty-hand",
        "capital-n-goes-on",
        "enter-stops",
        "no-winner-after-a-stop",
        "long-game-ended",
    },
    "cse231-proj09": {
        "not-shuffled",
        "written-for-python-2",
        "value-not-checked",
        "mixed-runs-move-with-four-suits",
        "suits-count-with-one-suit",
        "facedown-cards-move",
        "uncovered-card-not-turned",
        "stack-number-not-checked",
        "faulty-move-command-crashes",
        "deal-counts-as-a-move",
        "other-points-for-a-run",
        "deal-with-an-empty-stack",
        "deal-from-an-empty-stock",
        "winning-not-noticed",
    },
}


def verdicts_of(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((folder / "verdicts.yaml").read_text())
    return content


def stated(folder: Path) -> dict[str, set[str]]:
    fails = verdicts_of(folder)["fails"]
    return {part: set([words] if isinstance(words, str) else words) for part, words in fails.items()}


def caught(folder: Path) -> dict[str, dict[str, str]]:
    """The defects of a sample, each with tests that catch it and their verdicts."""
    found: dict[str, dict[str, str]] = verdicts_of(folder).get("defects", {})
    return found


# Each of their loops takes the whole of a time limit, for which a shorter one will do.
LOOPING = {"endless-loop-and-rounding", "deal-loops-negative-crashes"}
SECONDS_TO_LOOP = 3
# Assignments of many tests, or of programs that search. Some of their samples show at any time that all is well.
LARGE = {"comp9021-25t3-a1", "cse231-proj10", "cse231-proj09", "cse231-lab10b", "cs509-2003-pa3"}
AT_ANY_TIME = {
    "draws-are-lost",
    "other-file-names",
    "right-extend",
    "seed-once-simulate-returns",
}


def takes_long(folder: Path) -> bool:
    return folder.name in LOOPING or (folder.parent.name in LARGE and folder.name not in AT_ANY_TIME)


def samples() -> list[ParameterSet]:
    """Every sample."""
    return [
        pytest.param(
            folder,
            id=f"{folder.parent.name}-{folder.name}",
            marks=[pytest.mark.slow] if takes_long(folder) else [],
        )
        for folder in SUBMISSIONS
    ]


@pytest.fixture(scope="module")
def environment() -> Iterator[RunEnvironment]:
    with open_environment() if is_missing else sandboxed_environment((ROOT,)) as opened:
        yield opened


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResultStore]:
    """One for all workers: checkers take long, and most students print the same."""
    folder = tmp_path_factory.getbasetemp()
    with open_store(
        (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "sample-class.sqlite3"
    ) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("folder", samples())
def test_verdicts_are_as_stated(folder: Path, environment: RunEnvironment, store: ResultStore) -> None:
    if any(folder.glob("*.cpp")) and not shutil.which("g++"):
        pytest.skip("needs the Debian package g++")
    assignment = Course(ROOT).assignment(folder.parent.name)
    if folder.name in LOOPING:
        assignment = replace(assignment, limits=replace(assignment.limits, wall_seconds=SECONDS_TO_LOOP))
    provided = [module.file for module in assignment.provided]
    submission = submission_in(folder, assignment.file_names, assignment.zone, provided)
    transcripts = load_transcripts(assignment, assignment.tests)
    outcomes = OutcomeSource(environment, ResultCache(store, "harness"))
    graded = grade_submission(assignment, assignment.tests, transcripts, submission, outcomes, tick=lambda: None)
    found: dict[str, set[str]] = {}
    for result in graded.results:
        if result.verdict is not Verdict.PASSED:
            found.setdefault(result.test.part, set()).add(str(result.verdict))
    assert DeepDiff(stated(folder), found) == {}
    assert [result.rule.id for result in graded.rules if not result.kept] == verdicts_of(folder).get("breaks", [])
    verdicts = {result.test.id: str(result.verdict) for result in graded.results}
    for tests in caught(folder).values():
        assert tests == {test: verdicts[test] for test in tests}
        assert Verdict.PASSED not in tests.values()


@pytest.mark.parametrize("assignment_id", DEFECTS)
def test_every_known_defect_is_in_a_sample_and_caught_by_a_test(assignment_id: str) -> None:
    folders = [folder for folder in SUBMISSIONS if folder.parent.name == assignment_id]
    found = [(defect, tests) for folder in folders for defect, tests in caught(folder).items()]
    assert {defect for defect, _ in found} == DEFECTS[assignment_id]
    assert all(tests for _, tests in found)
    assert {folder for folder in folders if not caught(folder)} == {folder for folder in folders if not stated(folder)}


@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_every_assignment_has_a_sample_class(assignment_id: str) -> None:
    folders = [folder for folder in SUBMISSIONS if folder.parent.name == assignment_id]
    assert len(folders) >= 6
    assert {folder.name.startswith("right-") for folder in folders} == {True, False}


def test_right_programs_lose_nothing_and_wrong_ones_something() -> None:
    without_failure = {folder.name for folder in SUBMISSIONS if not stated(folder)}
    right = {folder.name for folder in SUBMISSIONS if folder.name.startswith("right-")}
    assert without_failure - right == {"course-tight-20-minutes-late", "six-days-late"}
    assert right <= without_failure


@pytest.mark.parametrize("folder", [folder for folder in SUBMISSIONS if not stated(folder)], ids=lambda one: one.name)
def test_right_programs_keep_every_rule(folder: Path) -> None:
    assignment = Course(ROOT).assignment(folder.parent.name)
    files = {program: folder / program for program in assignment.program_of if (folder / program).exists()}
    broken = [result for result in check_rules(assignment, files, files, ()) if not result.kept]
    assert broken == []


@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_references_keep_every_rule(assignment_id: str) -> None:
    assignment = Course(ROOT).assignment(assignment_id)
    files = {program.file: program.reference for program in assignment.programs}
    broken = [result for result in check_rules(assignment, files, files, ()) if not result.kept]
    assert broken == []


@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_every_function_that_a_handout_names_is_tested_by_itself(assignment_id: str) -> None:
    assignment = Course(ROOT).assignment(assignment_id)
    checks = [rule.check for rule in assignment.rules if isinstance(rule.check, RequiredFunctions)]
    named = {one.partition("(")[0] for check in checks for one in check.functions} - {"main", "play"}
    calls = [test.interaction for test in assignment.tests if isinstance(test.interaction, FunctionCall)]
    assert named == {call.calls[0].partition("(")[0] for call in calls}
    assert len(named) == (9 if assignment_id == "cse231-proj10" else 0)


def test_marks_by_hand_fit_the_rubric() -> None:
    for file in (ROOT / "submissions").glob("*/marks.*"):
        assignment = Course(ROOT).assignment(file.parent.name)
        students = [folder.name for folder in SUBMISSIONS if folder.parent == file.parent]
        assert read_manual_marks(file, assignment, students).notes == ()
