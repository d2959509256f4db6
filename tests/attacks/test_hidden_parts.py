"""Nothing that students get depends on the parts of a course that are hidden from them.

Two courses, or two classes, differ in nothing but drawn hidden parts. What is shown of a hidden test, as
docs/reference/platforms.md lists it, is the same in both classes, so every byte for students is the same.
"""

import json
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.api.check import prepare_check
from grader.cli.check import run_and_print
from grader.cli.output import Messages
from grader.grading.student_result import student_result
from grader.judge.causes.diagnose import all_causes
from grader.model.assignment import Assignment
from grader.model.counting import Counting
from grader.model.general_causes import OVERRIDE
from grader.model.interaction import Dialogue, FunctionCall, Interaction, ReplSession, StdinRun
from grader.model.judgement import Diagnosis, Judgement, Note, NoteKind, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.program import CourseFile, ProvidedSettings, StartSettings
from grader.model.results import ClassResult, TestResult
from grader.model.test import CauseHint, CheckerSettings, ComparisonPolicy, Hints, Test, Visibility
from grader.plugins.bundling.bundle import data_files, make_file
from grader.plugins.bundling.public_content import public_content
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.settings import Channel, InteractorSettings
from grader.plugins.own_tests.interaction import OwnTests, TrialProgram
from grader.reports.output_formats import core_formats
from grader.reports.write import place_reports, prepare_reports
from grader.spec.course import Course
from grader.spec.tests_file import USUAL_CHECKS
from grader.text.difference import FirstDifference
from tests.grading.hidden_example import ASSIGNMENT, CLASS, HIDDEN, PUBLIC

FEW = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = settings(FEW, max_examples=12)
SECRET = re.compile(rb"zq[a-z]{3,9}")
words = st.from_regex(r"zq[a-z]{3,9}", fullmatch=True)
texts = st.lists(words, min_size=1, max_size=4).map("\n".join)
lines = st.lists(words, max_size=4).map(tuple)
variables = st.dictionaries(words.map(str.upper), words, max_size=2)

# A course on disk: what a bundle holds of it, and what a self-check prints.

COURSE = """
format: 1
id: game
title: Game
programs: [{{file: game.py}}]
parts: [{{id: play, title: Playing, marks: {marks}}}]
due: 2030-01-01 00:00
time_zone: UTC
rules: [{{id: honest, title: nothing is hard-coded, rule: hard-coded-output, zero_mark: true}}]
"""
TESTS = """
format: 1
program: game.py
part: play
tests: {tests}
"""
OPEN = {
    "id": "open",
    "visibility": "public",
    "points": 1,
    "input": ["4"],
    "expected": "Number: 4\nDouble: 8\n",
}
PROGRAM = "print('Twice:', 2 * int(input('Number: ')))\n"
hidden_entries = st.lists(
    st.fixed_dictionaries(
        {"id": words, "points": st.integers(1, 9), "input": st.lists(words, max_size=4), "expected": texts},
        optional={
            "title": words,
            "args": st.lists(words, max_size=3),
            "environment": variables,
            "hint": words,
            "hidden_twin_of": st.just("open"),
        },
    ),
    max_size=6,
    unique_by=lambda entry: entry["id"],
)


def write_course(folder: Path, hidden: list[Mapping[str, object]], first: bool) -> None:
    """Write a course with these hidden tests, before or after the public one."""
    points = 1 + sum(int(str(entry["points"])) for entry in hidden)
    tests = folder / "test_specs" / "game" / "tests"
    tests.mkdir(parents=True, exist_ok=True)
    (tests.parent / "assignment.yaml").write_text(COURSE.format(marks=points))
    every = [*hidden, OPEN] if first else [OPEN, *hidden]
    (tests / "play.yaml").write_text(TESTS.format(tests=json.dumps(every)))
    (folder / "reference").mkdir(exist_ok=True)
    (folder / "reference" / "game.py").write_text(PROGRAM.replace("Twice", "Double"))


Bundler = Callable[[Assignment, Path], dict[str, bytes]]


def data_of_bundle(assignment: Assignment, _: Path) -> dict[str, bytes]:
    """Return all files of a bundle that depend on the assignment."""
    return data_files(assignment, public_content(assignment, checkers=True, interactors=True))


def whole_bundle(assignment: Assignment, folder: Path) -> dict[str, bytes]:
    """Return all files of a bundle."""
    file = folder / "grader.pyz"
    make_file(assignment, file, checkers=True, interactors=True)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return what a self-check of a wrong program prints in each format, without times and full marks."""
    program = folder / "game.py"
    program.write_text(PROGRAM)
    printed = {}
    for name in core_formats():
        prepared = prepare_check(program, course=folder, assignment="game")
        run_and_print(prepared, name, Messages(), show=3, save=None, full=False)
        captured = capsys.readouterr()
        without_token = re.sub(r"^::(stop-commands::)?[0-9a-f]{20,}(::)?$", "", captured.out + captured.err, flags=re.M)
        printed[name] = re.sub(r"\d+\.\d+", "0.0", re.sub(r'"\d+"', '"0"', without_token))
    return printed


courses = st.tuples(hidden_entries, st.booleans())


def check_bundle_and_self_check(
    drawn: tuple[tuple[list[Mapping[str, object]], bool], ...],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    bundle_of: Bundler,
) -> None:
    seen = []
    for hidden, first in drawn:
        write_course(folder, hidden, first)
        seen.append((bundle_of(Course(folder).assignment("game"), folder), checked(folder, capsys)))
    (bundle, printed), other = seen
    assert (bundle, printed) == other
    assert not any(SECRET.search(content) for content in bundle.values())


@given(st.tuples(courses, courses))
@settings(FEW, max_examples=2)
def test_bundle_and_self_check_do_not_depend_on_hidden_tests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], drawn: tuple[tuple[list[Mapping[str, object]], bool], ...]
) -> None:
    check_bundle_and_self_check(drawn, tmp_path, capsys, data_of_bundle)


@pytest.mark.slow
@given(st.tuples(courses, courses))
@settings(FEW, max_examples=3)
def test_no_bundle_of_many_courses_depends_on_hidden_tests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], drawn: tuple[tuple[list[Mapping[str, object]], bool], ...]
) -> None:
    check_bundle_and_self_check(drawn, tmp_path, capsys, whole_bundle)


# A class with results: all that is written for students.


@dataclass(frozen=True)
class Shown:
    """What the documents say is shown of a hidden test; whether it is a twin decides whether its hint is."""

    points: Decimal
    bonus: bool
    verdict: Verdict
    cause: int
    score: Decimal | None
    hint: str
    is_twin: bool


shown_parts = st.lists(
    st.builds(
        Shown,
        points=st.integers(0, 5).map(Decimal),
        bonus=st.booleans(),
        verdict=st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.INTERNAL_ERROR]),
        cause=st.integers(0, len(all_causes()) - 1),
        score=st.none() | st.sampled_from([Decimal(0), Decimal("0.5")]),
        hint=st.sampled_from(["", "Is an ace higher than a king?"]),
        is_twin=st.booleans(),
    ),
    max_size=4,
)


def interactions() -> st.SearchStrategy[Interaction]:
    """Return interactions of every kind."""
    call = st.builds(
        lambda calls, setup, typed: FunctionCall(
            calls=calls, variables={}, setup=setup, checks=frozenset(USUAL_CHECKS), cards=None, lines=typed
        ),
        *(lines, lines, lines),
    )
    interactor = st.builds(lambda name: InteractorSettings(name=name, file=Path(name), content=name), words)
    return st.one_of(
        st.builds(Dialogue, lines),
        st.builds(ReplSession, lines),
        st.builds(StdinRun, st.none() | words, texts),
        call,
        st.builds(lambda module, text: OwnTests(module, (TrialProgram(module, text),)), words, texts),
        st.builds(InteractorRun, interactor, st.sampled_from(Channel)),
    )


@st.composite
def hidden_results(draw: st.DrawFn, shown: list[Shown]) -> tuple[TestResult, ...]:
    """Return results of which this is shown; all else is drawn."""
    return tuple(draw(hidden_result(number, part)) for number, part in enumerate(shown))


@st.composite
def hidden_result(draw: st.DrawFn, number: int, shown: Shown) -> TestResult:
    word, text = draw(words), draw(texts)
    cause = all_causes()[shown.cause]
    start = StartSettings(
        arguments=draw(lines), environment=draw(variables), files=(CourseFile(word, word, Path(word)),)
    )
    test = Test(
        id=f"{draw(words)}{number}",
        title=draw(words),
        program=HIDDEN.program,
        part=HIDDEN.part,
        visibility=Visibility.HIDDEN,
        points=shown.points,
        interaction=draw(interactions()),
        ending=HIDDEN.ending,
        comparison=draw(st.builds(ComparisonPolicy, ignore_characters=words, wildcard_lines=lines)),
        hidden_twin_of=PUBLIC.id if shown.is_twin else None,
        provision=ProvidedSettings(edition=draw(words)),
        start=start,
        checker=draw(st.none() | st.builds(CheckerSettings, words, words.map(Path), st.just(()))),
        provided=draw(lines),
        counting=Counting(bonus=shown.bonus),
        hints=Hints(always=shown.hint, of_test=(CauseHint(all_causes()[shown.cause - 1].id, draw(words)),)),
    )
    printed = draw(texts)
    outcome = Outcome(
        transcript=printed,
        typed=(),
        ending=Termination.EXITED,
        exit_code=draw(st.integers(0, 3)),
        signal=None,
        unsent=draw(st.integers(0, 3)),
        wall_seconds=draw(st.floats(0, 9)),
        cpu_seconds=draw(st.floats(0, 9)),
        errors=draw(st.just("") | texts),
    )
    failed = shown.verdict is not Verdict.PASSED and cause != OVERRIDE
    judgement = Judgement(
        verdict=shown.verdict,
        divergence=draw(st.none() | st.just(FirstDifference(1, 1, word, printed))) if failed else None,
        diagnosis=Diagnosis(cause, word) if failed else None,
        notes=(Note(NoteKind.NUMBERS, word),),
        differences=draw(lines),
        score=shown.score,
    )
    return TestResult(test=test, judgement=judgement, outcome=outcome, expected=text, because=draw(st.none() | words))


def class_with(hidden: tuple[TestResult, ...], first: bool) -> ClassResult:
    """Return the class of the examples with other hidden tests."""
    own = tuple(result.test for result in hidden)
    assignment = replace(ASSIGNMENT, tests=(*own, PUBLIC) if first else (PUBLIC, *own))
    rows = []
    for row in CLASS.rows:
        public = row.graded.results[0]
        results = (*hidden, public) if first else (public, *hidden)
        rows.append(student_result(assignment, replace(row.graded, results=results), {}))
    return replace(CLASS, assignment=assignment, rows=tuple(rows))


def pages_for_students(graded: ClassResult, folder: Path) -> dict[str, bytes]:
    """Return the files for students in a folder of reports, by name."""
    prepare_reports(graded, folder / "reports")
    place_reports(folder / "reports")
    return {file.name: file.read_bytes() for file in (folder / "reports" / "students").iterdir()}


classes = shown_parts.flatmap(
    lambda shown: st.tuples(hidden_results(shown), hidden_results(shown), st.booleans(), st.just(shown))
)
Drawn = tuple[tuple[TestResult, ...], tuple[TestResult, ...], bool, list[Shown]]


def check_class(drawn: Drawn, files_of: Callable[[ClassResult], dict[str, bytes]]) -> None:
    """Compare the files for students of two classes that differ only in hidden parts."""
    hidden, changed, first, _ = drawn
    seen, again = (files_of(class_with(results, first)) for results in (hidden, changed))
    assert sorted(seen) == sorted(again)
    assert [name for name in seen if seen[name] != again[name]] == []
    assert [name for name, content in seen.items() if SECRET.search(content)] == []


@pytest.mark.slow
@given(classes)
@FEW
def test_nothing_for_students_has_more_of_a_hidden_test_than_is_shown(tmp_path: Path, drawn: Drawn) -> None:
    check_class(drawn, lambda graded: pages_for_students(graded, tmp_path))


@pytest.mark.slow
@given(classes)
@MANY
def test_nothing_for_students_of_many_classes_has_more_than_is_shown(tmp_path: Path, drawn: Drawn) -> None:
    check_class(drawn, lambda graded: pages_for_students(graded, tmp_path))
