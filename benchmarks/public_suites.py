"""Measures importers on public suites: grades every labelled program, and compares its label with the verdict.

The suites are not part of the project. FOLDER contains them: for `kattis` a copy of Kattis/problemtools, for `tested` a
copy of dodona-edu/universal-judge, whose own tests state the expected result of each program. Run as `python -m
benchmarks.public_suites kattis FOLDER`; `--only` selects problems or exercises.
"""

import argparse
import ast
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.api.grade import grade
from grader.api.request import GradeOptions
from grader.errors import GraderError
from grader.model.judgement import Verdict
from grader.model.results import StudentResult
from grader.plugins.importing.api import import_kattis, import_tested
from grader.plugins.importing.course_draft import ImportedAssignment, LabelledProgram
from grader.plugins.scaffolding.author import generate

_CRASHES = {Verdict.CRASH, Verdict.EXIT_STATUS, Verdict.MEMORY_LIMIT}
_REJECTED = set(Verdict) - {Verdict.PASSED, Verdict.INTERNAL_ERROR}
LABELS: Mapping[str, set[Verdict]] = {
    "wrong_answer": {Verdict.WRONG_OUTPUT},
    "run_time_error": _CRASHES,
    "time_limit_exceeded": {Verdict.TIMEOUT, Verdict.CPU_LIMIT},
    "rejected": _REJECTED,
    "wrong": _REJECTED,
    "runtime error": _REJECTED,
    "runtime-error": _CRASHES | {Verdict.WRONG_OUTPUT},
    "compilation error": _REJECTED,
    "compilation-error": {Verdict.BUILD_ERROR, Verdict.CRASH},
    "internal error": {Verdict.INTERNAL_ERROR},
}
"""The verdicts that at least one test must have; if a program is accepted, all tests must pass."""

_RIGHT = ("accepted", "correct", "solution")
_ARGUMENTS = 6
_ENDINGS = {
    "python": ".py", "c": ".c", "cpp": ".cpp", "java": ".java", "javascript": ".js", "bash": ".sh",
}  # fmt: skip
_CALLED = {language: _ENDINGS[language] for language in ("python", "c", "cpp", "java")}


@dataclass(frozen=True)
class Compared:
    """A program with its label and its result; `reason` is empty if they agree."""

    program: str
    label: str
    verdicts: str
    reason: str


def agrees(label: str, student: StudentResult) -> bool:
    """Return whether the result of a program agrees with its label."""
    verdicts = {result.verdict for result in student.graded.results}
    if label == "partially_accepted":
        return 0 < student.graded.raw < sum(group.group.points for group in student.graded.groups)
    if label in _RIGHT:
        return verdicts == {Verdict.PASSED}
    return not verdicts.isdisjoint(LABELS.get(label, set()))


def compared(made: ImportedAssignment, expected: Mapping[str, str]) -> Iterator[Compared]:
    """Grade all programs of an assignment; `expected` holds labels by file name, which replace their own."""
    if (made.course / "reference").is_dir():
        list(generate([made.id], course=made.course))
    folder = made.course / "submissions" / made.id
    graded = grade(folder, course=made.course, assignment=made.id, options=GradeOptions(no_cache=True, jobs=2))
    rows = {row.student: row for row in graded.rows}
    for one in made.labelled:
        label = expected.get(one.source, one.label)
        if label != "unlabelled":
            yield _one(made, one, label, rows[one.student])


def _one(made: ImportedAssignment, one: LabelledProgram, label: str, row: StudentResult) -> Compared:
    verdicts = Counter(str(result.verdict) for result in row.graded.results)
    failed = next((result for result in row.graded.results if result.verdict is not Verdict.PASSED), None)
    said = failed.judgement.diagnosis.sentence if failed and failed.judgement.diagnosis else "no diagnosis"
    reason = "" if agrees(label, row) else f"{failed.test.id if failed else 'all tests pass'}: {said}"
    words = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    return Compared(f"{made.id}/{one.source}", label, words, reason)


def kattis(folder: Path, work: Path, only: Collection[str]) -> Iterator[Compared | str]:
    """Compare all problems of the examples, or some."""
    for problem in sorted((folder / "examples").iterdir()):
        if not (problem / "problem.yaml").is_file() or (only and problem.name not in only):
            continue
        try:
            made = import_kattis(problem, into=work / problem.name)
            yield from (f"{made.id}: {note}" for note in made.notes if note.endswith("on this machine."))
            yield from compared(made, {})
        except GraderError as error:
            yield f"{problem.name}: {error}"


def tested(folder: Path, work: Path, only: Collection[str]) -> Iterator[Compared | str]:
    """Compare all suites that universal-judge's own tests run, or some exercises, with the results expected there."""
    facts: dict[tuple[str, str], dict[str, str]] = {}
    for file in sorted((folder / "tests").glob("test_*.py")):
        try:
            tree = ast.parse(file.read_text("utf-8"))
        except SyntaxError as error:
            yield f"{file.name}: this Python cannot read it ({error.msg})"
            continue
        for exercise, suite, program, label in _facts(tree):
            facts.setdefault((exercise, suite), {}).setdefault(program, label)
    for (exercise, suite), expected in sorted(facts.items()):
        name = f"{exercise}-{suite.replace('.', '-')}"
        source = folder / "tests" / "exercises" / exercise
        if not (source / "evaluation" / suite).is_file() or (only and exercise not in only):
            continue
        missing = {one for one in expected if (source / "solution" / one).is_file()}
        for language, ending in _CALLED.items():
            if not any(one.endswith(ending) for one in missing):
                continue
            try:
                found = list(_in_language(source, suite, expected, language, work / f"{name}-{language}"))
            except GraderError as error:
                yield f"{name} in {language} ({', '.join(sorted(set(expected)))}): {str(error).splitlines()[-1]}"
                missing = {one for one in missing if not one.endswith(ending)}
                continue
            yield from found
            missing -= {one.program.rpartition("/")[2] for one in found}
        yield from (f"{name}/{one} ({expected[one]}): its functions cannot be called here" for one in sorted(missing))


def _in_language(source: Path, suite: str, expected: Mapping[str, str], language: str, into: Path) -> list[Compared]:
    """Return the programs whose functions can be called in a language, or all programs if none are called."""
    right = _reference(source, expected, _CALLED[language])
    made = import_tested(source, suite=suite, solution=right, language=language, into=into, name=into.name)
    if right is None:
        _without_reference(made)
    return [one for one in compared(made, expected) if one.program.rpartition("/")[2] in expected]


def _without_reference(made: ImportedAssignment) -> None:
    """Remove a reference that fails: if no program is right, the suite itself states all expected results."""
    try:
        list(generate([made.id], course=made.course))
    except GraderError:
        shutil.rmtree(made.course / "reference", ignore_errors=True)


def _reference(source: Path, expected: Mapping[str, str], ending: str) -> str | None:
    """Return a program in a language that is right according to the suite."""
    right = (name for name, label in expected.items() if label == "correct" and name.endswith(ending))
    return min((name for name in right if (source / "solution" / name).is_file()), default=None)


def _facts(tree: ast.Module) -> Iterator[tuple[str, str, str, str]]:
    """Return exercise, suite, program file and expected results for each test of one run."""
    for function in tree.body:
        runs = [node for node in ast.walk(function) if isinstance(node, ast.Call) and _name(node) == "configuration"]
        statuses = [label for node in ast.walk(function) if isinstance(node, ast.Compare) and (label := _label(node))]
        if len(runs) != 1 or len(statuses) != 1 or len(runs[0].args) < _ARGUMENTS:
            continue
        exercise, language, _, suite, program = map(_text, runs[0].args[1:_ARGUMENTS])
        if exercise and suite and program:
            for one in [language] if language else _languages(function):
                if one in _ENDINGS:
                    yield exercise, suite, f"{program}{_ENDINGS[one]}", statuses[0]


def _languages(function: ast.stmt) -> list[str]:
    """Return the languages that a test is for, or all languages if it does not list any."""
    for decorator in getattr(function, "decorator_list", ()):
        match decorator:
            case ast.Call(args=[ast.Constant("lang" | "language"), ast.List(elements)]):
                first = (one.args[0] if isinstance(one, ast.Call) and one.args else one for one in elements)
                return list(map(_text, first))
    return list(_ENDINGS)


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _label(node: ast.Compare) -> str:
    """Return `correct` if all statuses are, or else the first other status; empty if none are compared."""
    if "find_status_enum()" not in ast.unparse(node.left):
        return ""
    statuses = [_text(one) for one in ast.walk(node.comparators[0]) if isinstance(one, ast.expr)]
    return next((one for one in filter(None, statuses) if one != "correct"), "correct" if any(statuses) else "")


SUITES = {"kattis": kattis, "tested": tested}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", metavar="NAME,...")
    asked = parser.parse_args()
    found: list[Compared | str] = []
    with TemporaryDirectory() as work:
        for one in SUITES[asked.suite](asked.folder.resolve(), Path(work), [*filter(None, asked.only.split(","))]):
            found.append(one)
            if isinstance(one, Compared):
                print(f"{'agrees ' if not one.reason else 'DIFFERS'}  {one.program}: {one.label} | {one.verdicts}")
            sys.stdout.flush()
    programs = [one for one in found if isinstance(one, Compared)]
    differing = [one for one in programs if one.reason]
    print(f"\n{len(programs) - len(differing)} of {len(programs)} labelled programs get their label.")
    for one in differing:
        print(f"- {one.program} ({one.label}): {one.verdicts}; {one.reason}")
    left_out = [one for one in found if isinstance(one, str)]
    print(f"\n{len(left_out)} not imported:")
    for line in left_out:
        print(f"- {line}")


if __name__ == "__main__":
    main()
