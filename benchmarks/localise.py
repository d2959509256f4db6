"""Measures how often a faulty line is among the first lines that each formula ranks as suspicious.

The tests of the assignment are run on programs whose faulty lines are known:

- without FOLDER, the mistakes of `test_specs/*/audit.yaml`, each put into its reference, without the names of rules
  (`because`), which no student writes;
- with FOLDER, the unpacked `data.zip` of Refactory (githubhuyang/refactory), which is not part of this project: the
  wrong programs of beginners that differ from a correct program in at most three lines. Both programs are compared and
  run in the form that `ast.unparse` writes.

A faulty line is a changed line, or a line next to a place where lines are missing. Only programs that pass some tests
and fail others are ranked. For comparison, there are the results of Ochiai's formula without small changes of the
programs, and the results without either: all lines that failing tests run, starting with the lines that ran last.

Run as `python -m benchmarks.localise [FOLDER] [--assignments ID ...] [--questions N ...] [--every N]`.
"""

import argparse
import ast
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from math import inf
from pathlib import Path

from benchmarks.labelled_programs import ASSIGNMENT, write_course
from benchmarks.refactory import QUESTIONS, calls_of, prelude_of, question_folder, question_with
from grader.authoring.reference_files import all_references
from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.assignment import Assignment
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.auditing.audit_file import read_audit_settings
from grader.plugins.auditing.base_program import references
from grader.plugins.locating.locate import traced_programs
from grader.plugins.locating.ranking import Formula, Spectrum, TracedProgram, ochiai, read_statements, suspects_in
from grader.plugins.scaffolding.author import generate
from grader.run.environment import sandboxed_environment
from grader.run.run_slots import cores
from grader.spec.course import Course

_COURSE = Path(__file__).parents[1]
_SECONDS, _SECONDS_RECORDED = 3.0, 10.0
_MAX_DIFFERING = 3
_FIRST = (1, 3, 5)
_UNCHANGED: Mapping[str, Formula] = {"ochiai, no changes": ochiai, "none": lambda seen: float(seen.failed > 0)}
"""Formulas that rank without small changes to the program."""


def tarantula(seen: Spectrum) -> float:
    """Return the share of failing tests that run a line, divided by its sum with the share of passing tests."""
    failed = seen.failed / seen.all_failed
    return failed / (failed + seen.passed / seen.all_passed) if failed else 0.0


def dstar(seen: Spectrum) -> float:
    """Compute D* with the exponent 2, from 0 to infinity."""
    others = seen.passed + seen.all_failed - seen.failed
    return seen.failed**2 / others if others else inf


FORMULAS: Mapping[str, Formula] = {"ochiai": ochiai, "tarantula": tarantula, "dstar": dstar}


@dataclass(frozen=True)
class FaultyProgram:
    """A program with a fault: its file, its text, and the numbers of the lines at fault."""

    file: str
    text: str
    faulty: frozenset[int]


@dataclass(frozen=True)
class Trial:
    """A faulty program, and the lines that its tests run; None if all pass or all fail."""

    program: FaultyProgram
    traced: TracedProgram | None


def changed_lines(right: Sequence[str], wrong: Sequence[str]) -> tuple[int, frozenset[int]]:
    """Return the number of lines in which two programs differ, and their numbers in the wrong one, counted from 1."""
    size = 0
    changed: set[int] = set()
    for tag, start, end, own_start, own_end in SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        size += max(end - start, own_end - own_start)
        beside = (own_start, own_start + 1) if own_start == own_end else range(own_start + 1, own_end + 1)
        changed.update(line for line in beside if 1 <= line <= len(wrong))
    return size, frozenset(changed)


def mistakes(assignment: Assignment) -> Iterator[FaultyProgram]:
    """Return the references with the mistakes of audit.yaml."""
    for mutant in read_audit_settings(assignment, list(references(assignment))).mutants:
        right, wrong = (_as_student_writes(text) for text in (mutant.base.source, mutant.source))
        yield FaultyProgram(mutant.base.file, "\n".join(wrong), changed_lines(right, wrong)[1])


class _WithoutReasons(ast.NodeTransformer):
    """A transformer that replaces `because(rule, text)` by the text."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != "because":
            return node
        match node.args:
            case [ast.Starred(value=pair)]:
                return ast.Subscript(pair, ast.Constant(1), ast.Load())
            case _:
                return node.args[1]

    def visit_Try(self, node: ast.Try) -> ast.AST | None:
        imports = isinstance(node.body[0], ast.ImportFrom) and node.body[0].module == "because"
        return None if imports else self.generic_visit(node)


def _as_student_writes(text: str) -> list[str]:
    return ast.unparse(_WithoutReasons().visit(ast.parse(text))).split("\n")


def beginners(folder: Path, prelude: str) -> Iterator[FaultyProgram]:
    """Yield the wrong programs of a question that are close to a correct one, each preceded by `prelude`."""
    correct = sorted({tuple(text) for file in folder.glob("code/[cr]*/*.py") if (text := _unparsed(file))})
    start = prelude.count("\n")
    for file in sorted((folder / "code" / "wrong").glob("*.py")):
        text = _unparsed(file)
        if text is None:
            continue
        close = [changed_lines(one, text) for one in correct if _may_be_close(one, text)]
        size, lines = min(close, key=lambda found: found[0], default=(0, frozenset()))
        if 0 < size <= _MAX_DIFFERING:
            yield FaultyProgram("answer.py", prelude + "\n".join(text), frozenset(line + start for line in lines))


def _unparsed(file: Path) -> list[str] | None:
    try:
        return ast.unparse(ast.parse(file.read_bytes())).split("\n")
    except (SyntaxError, ValueError):
        return None


def _may_be_close(one: Sequence[str], other: Sequence[str]) -> bool:
    first, second = Counter(one), Counter(other)
    return max((first - second).total(), (second - first).total()) <= _MAX_DIFFERING


def trials(assignment: Assignment, programs: Iterable[FaultyProgram]) -> Iterator[Trial]:
    """Run the tests of each program; a test that takes some seconds counts as an endless loop."""
    transcripts = load_transcripts(assignment, assignment.tests)
    limited = with_short_limit(assignment)
    with (
        tempfile.TemporaryDirectory() as name,
        sandboxed_environment((_COURSE,)) as environment,
        ThreadPoolExecutor(cores()) as pool,
    ):
        outcomes = OutcomeSource(environment)

        def trial(numbered: tuple[int, FaultyProgram]) -> Trial:
            number, program = numbered
            submission = hand_in(assignment, program, Path(name) / str(number))
            tests = [test for test in assignment.tests if test.program == program.file]
            graded = grade_submission(limited, tests, transcripts, submission, outcomes, tick=lambda: None)
            slower = replace(limited, limits=replace(limited.limits, wall_seconds=_SECONDS_RECORDED))
            return Trial(program, next(traced_programs(slower, graded, outcomes), None))

        yield from pool.map(trial, enumerate(programs))


def with_short_limit(assignment: Assignment) -> Assignment:
    """Return the assignment without rules and with a short time limit for each test."""
    limits = replace(assignment.limits, wall_seconds=min(_SECONDS, assignment.limits.wall_seconds))
    return replace(assignment, limits=limits, rules=())


def hand_in(assignment: Assignment, program: FaultyProgram, folder: Path) -> Submission:
    """Write a program and the other programs of the reference into a new folder."""
    folder.mkdir()
    file = folder / program.file
    file.write_text(program.text, encoding="utf-8")
    beside = (SubmittedFile(name, path) for path, name in all_references(assignment) if name != program.file)
    files = (SubmittedFile(program.file, file), *beside)
    return Submission(student=folder.name, files=files, submitted=None, time_source=TimeSource.NONE, notes=())


def place_of_fault(trial: Trial, formula: Formula) -> int | None:
    """Return the rank of the first faulty line among the suspicious ones, counted from 1."""
    if trial.traced is None:
        return None
    program = trial.program
    starts = read_statements(program.text).starts
    faulty = {starts[line] for line in program.faulty}
    for rank, line in enumerate(suspects_in(trial.traced, formula).lines, 1):
        if line.place.file == program.file and line.place.line in faulty:
            return rank
    return None


def figures(found: Sequence[Trial]) -> dict[str, object]:
    """Return the number of programs, and the shares of ranked programs with a faulty line among the first."""
    ranked = [trial for trial in found if trial.traced is not None]
    unchanged = [replace(trial, traced=replace(trial.traced, repairs={})) for trial in ranked if trial.traced]
    rankings = [(ranked, FORMULAS), (unchanged, _UNCHANGED)]
    return {"programs": len(found), "ranked": len(ranked)} | {
        name: _shares([place_of_fault(trial, formula) for trial in those])
        for those, formulas in rankings
        for name, formula in formulas.items()
    }


def _shares(places: Sequence[int | None]) -> Mapping[str, float]:
    counts = {most: sum(place is not None and place <= most for place in places) for most in _FIRST}
    return {f"first {most}": round(count / max(1, len(places)), 3) for most, count in counts.items()}


def _shipped(ids: Sequence[str], every: int) -> list[Trial]:
    course = Course(_COURSE)
    found: list[Trial] = []
    for name in ids or course.assignment_ids():
        assignment = course.assignment(name)
        found += trials(assignment, list(mistakes(assignment))[::every])
    return found


def _of_beginners(data: Path, numbers: Iterable[int], every: int) -> list[Trial]:
    found: list[Trial] = []
    for number in numbers:
        folder = question_folder(data, number)
        with tempfile.TemporaryDirectory() as name:
            course = Path(name)
            tests = [{"id": f"call-{place}", "call": call} for place, call in enumerate(calls_of(folder))]
            write_course(question_with(folder, tests), course)
            list(generate([ASSIGNMENT], course=course))
            assignment = Course(course).assignment(ASSIGNMENT)
            found += trials(assignment, list(beginners(folder, prelude_of(folder)))[::every])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--assignments", nargs="*", default=(), metavar="ID")
    parser.add_argument("--questions", type=int, nargs="*", default=[question.number for question in QUESTIONS])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only each N-th program")
    asked = parser.parse_args()
    found = (
        _shipped(asked.assignments, asked.every)
        if asked.folder is None
        else _of_beginners(asked.folder, asked.questions, asked.every)
    )
    print(json.dumps(figures(found), indent=1))


if __name__ == "__main__":
    main()
