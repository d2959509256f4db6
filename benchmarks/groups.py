"""Measures how well `grader insight` groups students by their mistakes, and prints JSON.

A class is made from the mistakes in audit.yaml, so it is known who made which mistake. Several students make each
mistake: each uses different names and a different order of functions, and one in four has a unique spelling mistake in
a text. Other students make two of the mistakes. Two students belong together if they share a mistake, and they are
found if they share a group. Students who do not fail any tests are not counted.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from benchmarks.disguise import disguised, with_misspelling
from grader.analysis.failure_groups import FailureSignature, groups_of, signs_of
from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.auditing.audit_file import FILE_NAME, AuditFile
from grader.plugins.auditing.base_program import read_reference
from grader.run.environment import open_environment
from grader.run.run_slots import cores
from grader.spec.course import Course

ROOT = Path(__file__).parents[1]
_MISSPELT = 4
_SECONDS = 3.0

Programs = dict[str, str]
Pairs = set[tuple[str, str]]


@dataclass(frozen=True)
class Mistake:
    """A mistake of the catalogue, made by replacing a text that occurs once in a program."""

    program: str
    about: str
    find: str
    replace: str

    def is_possible(self, programs: Programs) -> bool:
        """Return whether the text occurs exactly once."""
        return programs[self.program].count(self.find) == 1

    def made_in(self, programs: Programs) -> Programs:
        """Return the programs with this mistake."""
        return {**programs, self.program: programs[self.program].replace(self.find, self.replace)}


@dataclass(frozen=True)
class Student:
    """A made-up student with the mistakes they share with others."""

    name: str
    mistakes: tuple[str, ...]
    programs: Mapping[str, str]


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    course = Course(ROOT)
    parser.add_argument("--assignments", nargs="+", choices=course.assignment_ids(), default=course.assignment_ids())
    parser.add_argument("--mistakes", type=int, default=12, help="of each assignment, chosen by chance")
    parser.add_argument("--students", type=int, default=4, help="with the same mistake")
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    found = {
        name: measured(course.assignment(name), options.mistakes, options.students, random.Random(options.seed))
        for name in options.assignments
    }
    print(json.dumps(found, indent=1))


def measured(assignment: Assignment, mistakes: int, students: int, chance: random.Random) -> dict[str, object]:
    """Return the precision and recall of the pairs of one class."""
    known = mistakes_of(assignment)
    made = list(made_class(assignment, chance.sample(known, min(mistakes, len(known))), students, chance))
    graded = [one for one in _graded(assignment, made) if any(_failures(one))]
    failing = {one.submission.student for one in graded}
    true = _pairs(failing, {student.name: student.mistakes for student in made})
    groups = groups_of(graded)
    shared = {name: [group.id for group in groups if name in group.students] for name in failing}
    found = _pairs(failing, shared)
    alike = _pairs(failing, {one.submission.student: [frozenset(_failures(one))] for one in graded})
    return {
        "students": len(made),
        "failing": len(failing),
        "mistakes": len({name for student in made if student.name in failing for name in student.mistakes}),
        "groups_of_several": sum(len(group.students) > 1 for group in groups),
        "pairs": len(true),
        "precision": _share(found & true, found),
        "recall": _share(found & true, true),
        "other_mistake_with_the_same_failures": len(alike - true),
    }


def made_class(
    assignment: Assignment, mistakes: Sequence[Mistake], students: int, chance: random.Random
) -> Iterator[Student]:
    """Yield `students` students per mistake, and half as many students as mistakes who make two of them."""
    right = {program.file: read_reference(program.reference) for program in assignment.programs}
    lists: list[tuple[Mistake, ...]] = [(mistake,) for mistake in mistakes for _ in range(students)]
    couples = [(one, other) for one, other in combinations(mistakes, 2) if other.is_possible(one.made_in(right))]
    lists += chance.sample(couples, min(len(mistakes) // 2, len(couples)))
    for number, made in enumerate(lists):
        programs = right
        for mistake in made:
            programs = mistake.made_in(programs)
        if number % _MISSPELT == _MISSPELT - 1:
            programs = {**programs, made[0].program: with_misspelling(programs[made[0].program], chance)}
        yield Student(
            f"s{number:04}",
            tuple(mistake.about for mistake in made),
            {name: disguised(text, chance) for name, text in programs.items()},
        )


def mistakes_of(assignment: Assignment) -> list[Mistake]:
    """Return the mistakes of the assignment's audit.yaml."""
    content = validate(read_document(assignment.folder / FILE_NAME), AuditFile).content
    return [Mistake(one.program, one.about, one.find, one.replace) for one in content.mistakes]


def _graded(assignment: Assignment, students: Iterable[Student]) -> list[GradedSubmission]:
    """Run every test on every student's programs; a test that takes some seconds counts as an endless loop."""
    limits = replace(assignment.limits, wall_seconds=min(_SECONDS, assignment.limits.wall_seconds))
    limited = replace(assignment, limits=limits, rules=())
    transcripts = load_transcripts(assignment, assignment.tests)
    with (
        tempfile.TemporaryDirectory() as name,
        open_environment(tests_at_a_time=cores()) as bench,
        ThreadPoolExecutor(cores()) as pool,
    ):
        folder, outcomes = Path(name), OutcomeSource(bench)

        def grade(student: Student) -> GradedSubmission:
            submission = _written(student, folder / student.name)
            return grade_submission(limited, assignment.tests, transcripts, submission, outcomes, tick=lambda: None)

        return list(pool.map(grade, students))


def _written(student: Student, folder: Path) -> Submission:
    folder.mkdir()
    for name, text in student.programs.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = tuple(SubmittedFile(name, folder / name) for name in student.programs)
    return Submission(student=student.name, files=files, submitted=None, time_source=TimeSource.NONE, notes=())


def _failures(graded: GradedSubmission) -> Iterator[FailureSignature]:
    for result in graded.results:
        if result.verdict not in (Verdict.PASSED, Verdict.INTERNAL_ERROR):
            yield from signs_of(result)


def _pairs(names: Iterable[str], labels: Mapping[str, Sequence[object]]) -> Pairs:
    """Return the pairs of students with a label in common."""
    return {(one, other) for one, other in combinations(sorted(names), 2) if set(labels[one]) & set(labels[other])}


def _share(part: Pairs, whole: Pairs) -> float | None:
    return round(len(part) / len(whole), 4) if whole else None


if __name__ == "__main__":
    main()
