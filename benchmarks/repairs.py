"""How many failing programs get a proved repair, how small it is, and what it costs.

With FOLDER, the content of `data.zip` of Refactory (githubhuyang/refactory): a class of each question, of which every
`--right`-th right program and every `--every`-th wrong one are graded, with each stated call as a separate test.
Nothing of it is part of the project. Searches run one at a time, so that the processor time of each is known.

Run as `python -m benchmarks.repairs FOLDER [--questions N ...] [--every N] [--right N]`.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from threading import Event

from benchmarks.labelled_programs import ASSIGNMENT, write_course
from benchmarks.processor_time import processor_time
from benchmarks.refactory import QUESTIONS, calls_of, labelled_programs, question_folder, question_with
from grader.api.author import generate
from grader.api.grade import grade
from grader.api.request import GradeOptions, GradeRequest, Tick
from grader.model.results import ClassResult
from grader.plugins.locating.repairing.class_step import find_repairs
from grader.plugins.locating.repairing.finding import ProgramRepair


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of a class: failing programs, their repairs, and the seconds of processor time of each search."""

    failing: int
    repairs: Sequence[ProgramRepair]
    seconds: Sequence[float]
    out_of_time: int

    def printed(self) -> dict[str, object]:
        """Return the figures to print."""
        whole = sum(not repair.failing for repair in self.repairs)
        return {
            "failing": self.failing,
            "repaired": len(self.repairs),
            "repaired in all tests": whole,
            "share": round(len(self.repairs) / max(1, self.failing), 3),
            "tokens, median": median(repair.tokens for repair in self.repairs) if self.repairs else None,
            "seconds, median": round(median(self.seconds), 2) if self.seconds else None,
            "seconds, mean": round(mean(self.seconds), 2) if self.seconds else None,
            "out of time": self.out_of_time,
        }


def of_question(data: Path, number: int, *, every: int, right: int) -> Figures:
    """Grade a class of a question of Refactory, and look for repairs."""
    folder = question_folder(data, number)
    programs = labelled_programs(folder)
    calls = [{"id": f"call-{place}", "call": call} for place, call in enumerate(calls_of(folder))]
    with TemporaryDirectory() as name:
        course = Path(name)
        write_course(question_with(folder, calls), course)
        generate(course=course)
        submissions = course / "submissions" / ASSIGNMENT
        chosen = {**dict(list(programs.right.items())[::right]), **dict(list(programs.wrong.items())[::every])}
        for student, text in chosen.items():
            (submissions / student).mkdir(parents=True)
            (submissions / student / "answer.py").write_bytes(text)
        wrong = [student for student in programs.wrong if student in chosen]
        request = GradeRequest(folder=submissions, course=course, options=GradeOptions(jobs=1))
        return figures(grade(submissions, course=course), request, wrong)


def figures(graded: ClassResult, request: GradeRequest, students: Sequence[str]) -> Figures:
    """Look for the repairs of a graded class."""
    with processor_time() as seconds:
        times: list[float] = []

        @contextmanager
        def progress(_task: str, steps: int) -> Iterator[Tick]:
            if steps:
                times.append(seconds())
            yield lambda: times.append(seconds())

        repairs = find_repairs(graded, request, progress, Event())
    failing = [row.student for row in graded.rows if row.student in students and not row.graded.passes_all_tests]
    of_students = [repairs[student] for student in failing if student in repairs]
    return Figures(
        failing=len(failing),
        repairs=[program for of_student in of_students for program in of_student.programs],
        seconds=[after - before for before, after in pairwise(times)],
        out_of_time=sum(bool(of_student.out_of_time) for of_student in of_students),
    )


def main() -> None:
    """Print the figures of each class."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, nargs="*", default=[question.number for question in QUESTIONS])
    parser.add_argument("--every", type=int, default=25)
    parser.add_argument("--right", type=int, default=1)
    options = parser.parse_args()
    for number in options.questions:
        class_figures = of_question(options.folder, number, every=options.every, right=options.right)
        print(json.dumps({"question": number, **class_figures.printed()}), flush=True)


if __name__ == "__main__":
    main()
