"""How many failing programs get a proved repair, how small it is, and what it costs.

- `refactory FOLDER`, the content of `data.zip` of Refactory (githubhuyang/refactory): a class of each question, with
  each stated call as a separate test. `--public` looks for hints with every other call alone, as on a student's
  machine; all calls then judge the repaired programs.
- `c-pack-ipas FOLDER`, a copy of C-Pack-IPAs (pmorvalho/C-Pack-IPAs): a class of each exercise.
- `mistakes`: the mistakes of `test_specs/*/audit.yaml`, each put into the reference and then written differently.

A class has `--wrong` wrong and `--right` right programs, drawn with `--seed`. No data set is part of the project.
Searches run one at a time, so that the processor time of each is known.

Run as `python -m benchmarks.repairs DATA [FOLDER] [--of NAME ...] [--wrong N] [--right N] [--seed N] [--public]`.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from threading import Event

from benchmarks import c_pack_ipas
from benchmarks.disguise import disguised
from benchmarks.fuzz_power import copy_course
from benchmarks.groups import Mistake, mistakes_of
from benchmarks.labelled_programs import ASSIGNMENT, LabelledPrograms, Question, write_course
from benchmarks.patch_size import patched, relative_patch_size
from benchmarks.processor_time import processor_time
from benchmarks.refactory import QUESTIONS, calls_of, labelled_programs, question_folder, question_with
from grader.api.grade import grade
from grader.api.request import GradeOptions, GradeRequest, Tick
from grader.expected.transcripts import load_transcripts
from grader.files.source_text import source_text
from grader.grading.grade_submission import open_grading
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, GradedSubmission
from grader.model.submission import Submission
from grader.plugins.auditing.base_program import read_reference
from grader.plugins.locating.repairing.class_step import find_repairs
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.failing import failing_programs
from grader.plugins.locating.repairing.finding import ProgramRepair, Repairs
from grader.plugins.locating.repairing.hint_search import HintSearch
from grader.plugins.locating.repairing.hints import SECONDS_OF_HINTS
from grader.plugins.locating.repairing.repairer import CANNOT_BE_TRIED
from grader.plugins.scaffolding.author import generate
from grader.run.environment import open_environment
from grader.spec.course import Course


@dataclass(frozen=True, kw_only=True)
class Search:
    """The repairs of a class by student, of `failing` programs, and the processor time and patch size of each."""

    failing: Sequence[str]
    repairs: Mapping[str, Repairs]
    seconds: Sequence[float]
    sizes: Sequence[float] = ()

    @property
    def programs(self) -> Mapping[str, ProgramRepair]:
        """The repair of each student's first program that has one."""
        repairs = {name: self.repairs[name].programs for name in self.failing if name in self.repairs}
        return {name: programs[0] for name, programs in repairs.items() if programs}

    def printed(self) -> dict[str, object]:
        """Return the figures to print."""
        repairs = self.programs.values()
        return {
            "failing": len(self.failing),
            "repaired": len(repairs),
            "repaired in all tests": sum(not repair.failing for repair in repairs),
            "share": round(len(repairs) / max(1, len(self.failing)), 3),
            "tokens, median": median(repair.tokens for repair in repairs) if repairs else None,
            "relative patch size, mean": round(mean(self.sizes), 3) if self.sizes else None,
            "relative patch size, median": round(median(self.sizes), 3) if self.sizes else None,
            "seconds, median": round(median(self.seconds), 2) if self.seconds else None,
            "seconds, mean": round(mean(self.seconds), 2) if self.seconds else None,
            "out of time": sum(bool(of_student.out_of_time) for of_student in self.repairs.values()),
        }


def search(graded: ClassResult, request: GradeRequest, students: Sequence[str]) -> Search:
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
    found = Search(failing=failing, repairs=repairs, seconds=[after - before for before, after in pairwise(times)])
    submissions = {row.student: row.graded.submission for row in graded.rows}
    return replace(found, sizes=list(_sizes(found.programs, submissions)))


def _sizes(repairs: Mapping[str, ProgramRepair], submissions: Mapping[str, Submission]) -> Iterator[float]:
    """Yield the relative patch sizes of repairs of Python programs."""
    for student, repair in repairs.items():
        file = submissions[student].file(repair.program)
        # A program with another syntax has no tree.
        with suppress(SyntaxError):
            text = source_text(file.path) if file else ""
            yield relative_patch_size(text, patched(text, repair.diff))


@contextmanager
def graded_class(question: Question, programs: Mapping[str, bytes]) -> Iterator[tuple[ClassResult, GradeRequest]]:
    """Yield a graded class of a question, with the request to grade it."""
    with TemporaryDirectory() as name:
        course = Path(name)
        write_course(question, course)
        list(generate(course=course))
        submissions = course / "submissions" / ASSIGNMENT
        for student, text in programs.items():
            (submissions / student).mkdir(parents=True)
            (submissions / student / question.file).write_bytes(text)
        request = GradeRequest(folder=submissions, course=course, options=GradeOptions(jobs=1))
        yield grade(submissions, course=course), request


def drawn(programs: LabelledPrograms, options: argparse.Namespace) -> LabelledPrograms:
    """Return as many programs of each label as asked, by chance."""
    chance = random.Random(options.seed)

    def some(labelled: Mapping[str, bytes], most: int, label: str) -> dict[str, bytes]:
        names = chance.sample(sorted(labelled), min(most, len(labelled)))
        return {f"{label}-{name}": labelled[name] for name in names}

    return LabelledPrograms(some(programs.right, options.right, "right"), some(programs.wrong, options.wrong, "wrong"))


def of_question(question: Question, programs: LabelledPrograms) -> dict[str, object]:
    """Return the figures of a class with right and wrong programs."""
    with graded_class(question, {**programs.right, **programs.wrong}) as (graded, request):
        return search(graded, request, list(programs.wrong)).printed()


def with_public_tests(question: Question, programs: LabelledPrograms) -> dict[str, object]:
    """Return the figures of hints found with every other test alone, and how many of them all tests contradict.

    As time on a busy machine says little, a search has the seconds of a hint as processor time.
    """
    public = replace(question, tests=question.tests[::2])
    with graded_class(public, programs.wrong) as (graded, _), processor_time() as seconds:
        failing = [row for row in graded.rows if not row.graded.passes_all_tests]
        times = [seconds()]
        repaired: dict[str, str] = {}
        for row in failing:
            for text in islice(hinted(graded.assignment, row.graded, seconds), 1):
                repaired[row.student] = text
            times.append(seconds())
    versions = {f"{name}-after": text.encode() for name, text in repaired.items()}
    before = {**programs.right, **{name: programs.wrong[name] for name in repaired}}
    with graded_class(question, {**before, **versions}) as (graded, _):
        passed = {
            row.student: {result.test.id for result in row.graded.results if result.verdict is Verdict.PASSED}
            for row in graded.rows
        }
    return {
        "failing": len(failing),
        "hints": len(repaired),
        "share": round(len(repaired) / max(1, len(failing)), 3),
        "seconds, median": round(median(after - before for before, after in pairwise(times)), 2) if failing else None,
        "breaks a hidden test": [name for name in repaired if not passed[name] <= passed[f"{name}-after"]],
        "fails a hidden test": [name for name in repaired if len(passed[f"{name}-after"]) < len(question.tests)],
    }


def hinted(assignment: Assignment, graded: GradedSubmission, clock: Callable[[], float]) -> Iterator[str]:
    """Yield the repaired programs of a submission's hints."""
    transcripts = load_transcripts(assignment, assignment.tests)
    with (
        open_environment() as environment,
        open_grading(
            assignment, assignment.tests, transcripts, graded.submission, OutcomeSource(environment)
        ) as grading,
    ):
        for program in failing_programs(assignment, graded):
            search = HintSearch(
                program=program,
                public=graded.results,
                grading=grading,
                runners=environment,
                end=clock() + SECONDS_OF_HINTS,
                clock=clock,
            )
            with suppress(*CANNOT_BE_TRIED):
                yield from (edited_source(program.text, proved.edits) for proved in search.proved())


def refactory(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield the figures of each question of Refactory."""
    for number in options.of or [question.number for question in QUESTIONS]:
        folder = question_folder(options.folder, int(number))
        calls = [{"id": f"call-{place}", "call": call} for place, call in enumerate(calls_of(folder))]
        measure = with_public_tests if options.public else of_question
        figures = measure(question_with(folder, calls), drawn(labelled_programs(folder), options))
        yield {"question": number, **figures}


def c_pack(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield the figures of each exercise of C-Pack-IPAs."""
    for exercise in options.of or c_pack_ipas.EXERCISES:
        question, programs = c_pack_ipas.read_exercise(options.folder, exercise)
        yield {"exercise": exercise, **of_question(question, drawn(programs, options))}


def audited(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield the figures of the mistakes in each assignment's audit.yaml."""
    chance = random.Random(options.seed)
    with TemporaryDirectory() as name:
        course = Path(name)
        copy_course(course)
        for assignment in map(Course(course).assignment, options.of or Course(course).assignment_ids()):
            right = {program.file: read_reference(program.reference) for program in assignment.programs}
            mistakes = mistakes_of(assignment)
            chosen = chance.sample(mistakes, min(options.wrong, len(mistakes)))
            folder = course / "submissions" / assignment.id
            for number, mistake in enumerate(chosen):
                _hand_in(mistake, right, folder / f"wrong-{number}", chance)
            request = GradeRequest(folder=folder, course=course, options=GradeOptions(jobs=1))
            graded = grade(folder, course=course, assignment=assignment.id)
            wrong = [f"wrong-{number}" for number in range(len(chosen))]
            yield {"assignment": assignment.id, **search(graded, request, wrong).printed()}


def _hand_in(mistake: Mistake, right: dict[str, str], folder: Path, chance: random.Random) -> None:
    folder.mkdir(parents=True)
    for name, text in mistake.made_in(right).items():
        (folder / name).write_text(disguised(text, chance), encoding="utf-8")


_DATA = {"refactory": refactory, "c-pack-ipas": c_pack, "mistakes": audited}


def main() -> None:
    """Print the figures of each class."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", choices=list(_DATA))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--of", nargs="+", help="questions, exercises or assignments")
    parser.add_argument("--wrong", type=int, default=20)
    parser.add_argument("--right", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--public", action="store_true")
    options = parser.parse_args()
    for figures in _DATA[options.data](options):
        print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
