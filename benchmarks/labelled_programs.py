"""Beginners' programs that a public data set labels as correct or wrong, graded as a class and in random sessions.

Each question becomes a course with one assignment: its tests come from the data set, each program is a submission, and
a grammar written from the question's description defines the content of random sessions. The data set is not part of
this project.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeAlias

import yaml

from benchmarks.processor_time import processor_time
from grader.api.grade import grade
from grader.model.judgement import Verdict
from grader.plugins.scaffolding.author import generate
from grader.plugins.searching.fuzzing.api import FuzzedClass, FuzzOptions, fuzz

ASSIGNMENT = "question"
_SECONDS = 7200.0
SECONDS_LIMIT = 5
"""Time limits for each test, elapsed and of the processor."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, its reference in `file`, its tests without points, and an entry of fuzz.yaml without `id`."""

    title: str
    file: str
    reference: bytes
    tests: Sequence[Mapping[str, object]]
    sessions: Mapping[str, object] | None = None


@dataclass(frozen=True)
class LabelledPrograms:
    """Programs by name, the correct ones and the wrong ones."""

    right: Mapping[str, bytes]
    wrong: Mapping[str, bytes]

    def every(self, step: int) -> "LabelledPrograms":
        """Return every `step`-th program with either label."""
        right, wrong = (dict(list(programs.items())[::step]) for programs in (self.right, self.wrong))
        return LabelledPrograms(right, wrong)


ReadQuestion: TypeAlias = Callable[[Path, str], tuple[Question, LabelledPrograms]]
"""A function that reads the question with this name, and its programs, from the folder of the data set."""


def write_course(question: Question, course: Path) -> None:
    """Write a course whose only assignment is the question."""
    assignment = course / "test_specs" / ASSIGNMENT
    (assignment / "tests").mkdir(parents=True)
    (course / "reference").mkdir()
    (course / "reference" / question.file).write_bytes(question.reference)
    _write(
        assignment / "assignment.yaml",
        {
            "format": 1,
            "id": ASSIGNMENT,
            "title": question.title,
            "programs": [{"file": question.file}],
            "parts": [{"id": "all", "title": "all", "marks": 1}],
            "due": "2026-01-01 12:00",
            "time_zone": "UTC",
            "limits": {"wall_seconds": SECONDS_LIMIT, "cpu_seconds": SECONDS_LIMIT},
        },
    )
    head = {"format": 1, "program": question.file, "part": "all", "visibility": "public"}
    tests = [{**test, "points": int(place == 0)} for place, test in enumerate(question.tests)]
    _write(assignment / "tests" / "tests.yaml", {**head, "tests": tests})
    if question.sessions is not None:
        _write(assignment / "fuzz.yaml", {"format": 1, "sessions": [{"id": "random", **question.sessions}]})


def _write(file: Path, content: object) -> None:
    file.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=10_000), encoding="utf-8")


def hand_in(question: Question, programs: LabelledPrograms, course: Path) -> Path:
    """Submit all programs under names that begin with their label, and return the folder of the class."""
    folder = course / "submissions" / ASSIGNMENT
    for label, some in (("right", programs.right), ("wrong", programs.wrong)):
        for own, content in some.items():
            student = folder / f"{label}-{own}"
            student.mkdir(parents=True)
            (student / question.file).write_bytes(content)
    return folder


def measure(question: Question, programs: LabelledPrograms, *, sessions: int) -> Iterator[str]:
    """Return the figures to print for a question: how many programs get their label, and what random sessions find."""
    with TemporaryDirectory() as name, processor_time() as worked:
        course = Path(name)
        write_course(question, course)
        folder = hand_in(question, programs, course)
        list(generate([ASSIGNMENT], course=course))
        start = time.monotonic()
        rows = grade(folder, course=course, assignment=ASSIGNMENT).rows
        graded, graded_work = time.monotonic() - start, worked()
        passed = {row.student for row in rows if {one.verdict for one in row.graded.results} == {Verdict.PASSED}}
        agreeing = {row.student for row in rows if row.student.startswith("right") == (row.student in passed)}
        right = sum(row.student.startswith("right") for row in rows)
        yield (
            f"{question.title}: {right} called right, {len(rows) - right} wrong; {len(agreeing)} of {len(rows)} get "
            f"their label; {graded:.0f} s, {graded_work:.0f} s of processor time"
        )
        yield from (f"  other than its label: {one}" for one in sorted({row.student for row in rows} - agreeing))
        if question.sessions is not None and passed:
            start = time.monotonic()
            found = fuzz(ASSIGNMENT, course=course, options=FuzzOptions(sessions=sessions, seconds=_SECONDS))
            yield from _of_sessions(found, time.monotonic() - start, worked() - graded_work)


def _of_sessions(found: FuzzedClass, seconds: float, work: float) -> Iterator[str]:
    right = sum(name.startswith("right") for name in found.differing)
    accepted = sum(name.startswith("right") for name in found.accepted)
    shared = [one for findings in found.findings for one in findings.differences]
    lengths = [sum(map(len, one.difference.session.texts)) for one in shared]
    length = f"; the shortest have {median(lengths):.0f} characters (median of {len(lengths)})" if lengths else ""
    yield (
        f"  of {accepted} called right that pass {right} differ, of {len(found.accepted) - accepted} called wrong "
        f"{len(found.differing) - right}; {found.played} sessions, {seconds:.0f} s, {work:.0f} s of processor time"
        f"{length}"
    )
    for one in shared:
        yield f"    {', '.join(one.students)}: {' | '.join(one.difference.session.texts)}"


def main_of(about: str | None, kind: str, names: Sequence[str], read: ReadQuestion) -> None:
    """Run the command of a data set described by `about`, and measure these questions, called `kind` in options.

    `read` reads a question from the folder of the data set.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(f"--{kind}", nargs="*", default=list(names), choices=names, metavar="ID", dest="names")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only each N-th program")
    asked = parser.parse_args()
    for name in asked.names:
        question, programs = read(asked.folder, name)
        for line in measure(question, programs.every(asked.every), sessions=asked.sessions):
            print(line, flush=True)
