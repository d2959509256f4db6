"""How many failing programs get a proved repair, how small it is, and what it costs.

With FOLDER, the content of `data.zip` of Refactory (githubhuyang/refactory): a class of each question, of which every
`--right`-th right program and every `--every`-th wrong one are graded, with each stated call as a separate test.
Nothing of it is part of the project. Without FOLDER: the mistakes of `test_specs/*/audit.yaml`, each put into its
reference, beside which there are only the programs of `submissions` and, with `--reference`, the reference itself.

Run as `python -m benchmarks.repairs [FOLDER] [--questions N ...] [--assignments ID ...] [--every N] [--right N]`.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.labelled_programs import ASSIGNMENT, write_course
from benchmarks.processor_time import processor_time
from benchmarks.refactory import QUESTIONS, calls_of, labelled_programs, question_folder, question_with
from grader.api.author import generate
from grader.api.grade import grade
from grader.api.request import GradeRequest, no_progress
from grader.model.judgement import Verdict
from grader.model.results import ClassResult
from grader.plugins.locating.repairing.class_step import find_repairs
from grader.plugins.locating.repairing.finding import ProgramRepair


@dataclass(frozen=True)
class Figures:
    """The figures of a class: failing programs, their repairs, and the seconds of processor time of the search."""

    failing: int
    repairs: Sequence[ProgramRepair]
    seconds: float
    out_of_time: int = 0
    sizes: Sequence[int] = field(default_factory=list)

    def printed(self) -> dict[str, object]:
        """Return the figures to print."""
        whole = [repair for repair in self.repairs if not repair.failing]
        return {
            "failing": self.failing,
            "repaired": len(self.repairs),
            "all tests": len(whole),
            "share": round(len(self.repairs) / self.failing, 3) if self.failing else None,
            "share of all tests": round(len(whole) / self.failing, 3) if self.failing else None,
            "tokens, median": median(repair.tokens for repair in self.repairs) if self.repairs else None,
            "seconds each": round(self.seconds / self.failing, 2) if self.failing else None,
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
        return figures(grade(submissions, course=course), GradeRequest(folder=submissions, course=course), wrong)


def figures(graded: ClassResult, request: GradeRequest, students: Sequence[str]) -> Figures:
    """Look for the repairs of a graded class."""
    with processor_time() as seconds:
        repairs = find_repairs(graded, request, no_progress)
        used = seconds()
    failing = sum(
        row.student in students and any(result.verdict is not Verdict.PASSED for result in row.graded.results)
        for row in graded.rows
    )
    of_students = [repairs[student] for student in students if student in repairs]
    return Figures(
        failing=failing,
        repairs=[program for of_student in of_students for program in of_student.programs],
        seconds=used,
        out_of_time=sum(bool(of_student.out_of_time) for of_student in of_students),
    )


def main() -> None:
    """Print the figures of each class."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, nargs="*", default=[asked.number for asked in QUESTIONS])
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--right", type=int, default=4)
    asked = parser.parse_args()
    for number in asked.questions:
        found = of_question(asked.folder, number, every=asked.every, right=asked.right)
        print(json.dumps({"question": number, **found.printed()}), flush=True)


if __name__ == "__main__":
    main()
