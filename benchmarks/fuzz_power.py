"""Measures how many mistakes and mutants of `grader audit` are found by random sessions but not by the public tests.

For each assignment, a course is made with only the public tests. Its class consists of samples with mistakes and
mutants of the references: the mistakes of audit.yaml, and `--sample` operator mutants that are not marked as
equivalent. The output shows how many of them fail a public test, in how many of the others `grader fuzz` finds a
difference, and the mistakes of the rest. It also shows the number of sessions, the seconds (elapsed and processor time,
because other work may run at the same time), the length of the shortest sessions, and samples without a mistake that
differ, which must not happen. `--seconds` is the total for all cores, divided by their number.

Run as `python -m benchmarks.fuzz_power [ID...] [--sample N] [--sessions N] [--seconds N]`.
"""

import argparse
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import yaml

from benchmarks.processor_time import processor_time
from grader.authoring.reference_files import all_references
from grader.model.assignment import Assignment
from grader.model.test import Visibility
from grader.plugins.auditing.audit_file import read_audit_settings
from grader.plugins.auditing.base_program import references
from grader.plugins.auditing.mutants import Mutant, in_any_order, in_turn
from grader.plugins.scaffolding.author import generate
from grader.plugins.searching.fuzzing.api import FuzzedClass, FuzzOptions, fuzz
from grader.run.run_slots import cores
from grader.spec.course import Course

ROOT = Path(__file__).resolve().parents[1]
ASSIGNMENTS = ("comp9021-25t3-a1", "cs509-2003-pa3", "cse231-lab10a", "cse231-lab10b", "cse231-proj09", "cse231-proj10")


def copy_course(course: Path) -> None:
    """Copy the project's course without its submissions."""
    for folder in ("reference", "checkers", "test_specs"):
        shutil.copytree(ROOT / folder, course / folder)


def _public_only(assignment: Assignment) -> None:
    """Remove the tests that students do not see, and their marks."""
    public = [test for test in assignment.tests if test.visibility is Visibility.PUBLIC]
    for file in (assignment.folder / "tests").glob("*.yaml"):
        content = yaml.safe_load(file.read_text("utf-8"))
        by_default = content.get("visibility")
        tests = [test for test in content["tests"] if test.get("visibility", by_default) == "public"]
        if tests:
            _write(file, {**content, "tests": tests})
        else:
            file.unlink()
    file = assignment.folder / "assignment.yaml"
    content = yaml.safe_load(file.read_text("utf-8"))
    earned = dict.fromkeys((test.part for test in assignment.tests), 0.0)
    for test in public:
        earned[test.part] += float(test.points)
    # Parts without tests are for rules.
    marks = {part["id"]: round(earned.get(part["id"], part["marks"]), 6) for part in content["parts"]}
    parts = [{**part, "marks": marks[part["id"]]} for part in content["parts"] if marks[part["id"]]]
    _write(file, {**content, "parts": parts})


def _write(file: Path, content: object) -> None:
    file.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=10_000), encoding="utf-8")


def _mutants(assignment: Assignment, sample: int, seed: int) -> list[Mutant]:
    bases = list(references(assignment))
    settings = read_audit_settings(assignment, bases)
    drawn = in_turn([in_any_order(base, settings.leave, seed) for base in bases])
    real = (mutant for mutant in drawn if mutant.id not in settings.equivalent)
    return [*settings.mutants, *islice(real, sample)]


def _class(course: Path, assignment: Assignment, mutants: Sequence[Mutant]) -> tuple[dict[str, str], set[str]]:
    """Submit the mutants and the samples; return the mistakes of the faulty ones, and the names of the others."""
    folder = course / "submissions" / assignment.id
    faulty: dict[str, str] = {}
    right: set[str] = set()
    for sample in sorted(folder.iterdir()):
        verdicts = sample / "verdicts.yaml"
        stated = yaml.safe_load(verdicts.read_text("utf-8")) if verdicts.exists() else {"fails": {}}
        if stated["fails"]:
            faulty[sample.name] = "a sample"
        else:
            right.add(sample.name)
    for number, mutant in enumerate(mutants):
        name = f"mutant-{number}-{mutant.id}"
        (folder / name).mkdir()
        for path, file in all_references(assignment):
            shutil.copyfile(path, folder / name / file)
        (folder / name / mutant.base.file).write_text(mutant.source, encoding="utf-8")
        faulty[name] = f"{mutant.about}\n{mutant.diff}"
    return faulty, right


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The results for an assignment."""

    faulty: dict[str, str]
    right: set[str]
    found: FuzzedClass
    seconds: float
    processor: float


def _measure(name: str, asked: argparse.Namespace, course: Path) -> Outcome:
    copy_course(course)
    shutil.copytree(ROOT / "submissions" / name, course / "submissions" / name)
    whole = Course(course).assignment(name)
    mutants = _mutants(whole, asked.sample, asked.seed)
    _public_only(whole)
    shutil.rmtree(course / "test_specs" / name / "expected")
    list(generate([name], course=course))
    faulty, right = _class(course, Course(course).assignment(name), mutants)
    start = time.monotonic()
    with processor_time() as processor:
        # On a busy machine, the time that counts is the time it would have taken alone.
        options = FuzzOptions(
            sessions=asked.sessions, seconds=asked.seconds, seed=asked.seed, clock=lambda: processor() / cores()
        )
        found = fuzz(name, course=course, options=options)
        worked = processor()
    return Outcome(faulty=faulty, right=right, found=found, seconds=time.monotonic() - start, processor=worked)


def _lines(name: str, outcome: Outcome) -> Iterator[str]:
    accepted, differing = set(outcome.found.accepted), set(outcome.found.differing)
    through = outcome.faulty.keys() & accepted
    missed = through - differing
    count = len(outcome.faulty)
    yield (
        f"{name}: {count} faulty programs, {count - len(through)} fail a public test; of the other {len(through)} "
        f"{len(through) - len(missed)} differ: {1 - len(missed) / count:.1%} found in {outcome.seconds:.0f} s, "
        f"{outcome.processor:.0f} s of processor time ({outcome.found.played} sessions)"
    )
    lengths = [len(shared.difference.session.texts) for one in outcome.found.findings for shared in one.differences]
    if lengths:
        yield f"  the shortest sessions have {median(lengths):.0f} lines (median of {len(lengths)})"
    wrongly = ", ".join(sorted(outcome.right & differing)) or "none"
    yield f"  of {len(outcome.right & accepted)} right samples these differ: {wrongly}"
    for one in sorted(missed):
        yield f"  not found: {one}: {outcome.faulty[one]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", default=ASSIGNMENTS)
    parser.add_argument("--sample", type=int, default=60, help="mutants by operators")
    parser.add_argument("--sessions", type=int, default=300, help="for each entry of fuzz.yaml")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in asked.assignments:
        with TemporaryDirectory() as course:
            outcome = _measure(name, asked, Path(course))
        for line in _lines(name, outcome):
            print(line, flush=True)


if __name__ == "__main__":
    main()
