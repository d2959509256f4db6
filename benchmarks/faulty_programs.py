"""Counts the faulty programs that pass all tests, before and after `grader fuzz --add` has added tests.

benchmarks/faulty/ID.yaml contains programs for an assignment, each made by editing a correct one. They were written
from the handout without looking at the tests, audit.yaml or fuzz.yaml; `shows` is a session in which the program
differs from the correct one. The output lists how many of them pass all tests, and their names. With `--add`, it also
shows what random sessions find, and how many programs pass after these sessions have been added as tests. Programs
whose edits no longer apply, because the correct program has changed, are an error.

Run as `python -m benchmarks.faulty_programs [ID...] [--add] [--sessions N] [--seconds N]`.
"""

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from benchmarks.fuzz_power import ASSIGNMENTS, ROOT, copy_course
from benchmarks.processor_time import processor_time
from grader.api.grade import grade
from grader.authoring.reference_files import all_references
from grader.model.assignment import Assignment
from grader.plugins.searching.fuzzing.api import FuzzOptions, add_found_tests, fuzz
from grader.run.run_slots import cores
from grader.spec.course import Course

_FOLDER = Path(__file__).with_name("faulty")


def _hand_in(entry: dict[str, Any], assignment: Assignment, folder: Path) -> None:
    """Write the program of an entry to a separate folder, with the other files of the correct program."""
    base = ROOT / entry["base"]
    folder.mkdir(parents=True)
    if base.parent.name == "reference":
        for path, name in all_references(assignment):
            shutil.copyfile(path, folder / name)
    else:
        for program in base.parent.glob(f"*{base.suffix}"):
            shutil.copyfile(program, folder / program.name)
    text = base.read_text("utf-8")
    for edit in entry["edits"]:
        if text.count(edit["find"]) != 1:
            raise SystemExit(
                f"{entry['id']}: found {text.count(edit['find'])} times in {base}, not once: {edit['find']}"
            )
        text = text.replace(edit["find"], edit["replace"])
    (folder / base.name).write_text(text, encoding="utf-8")


def _passing(course: Path, name: str) -> list[str]:
    rows = grade(course / "submissions" / name, course=course, assignment=name).rows
    return sorted(row.student for row in rows if row.graded.passes_all_tests)


def _measure(name: str, asked: argparse.Namespace, course: Path) -> Iterator[str]:
    copy_course(course)
    assignment = Course(course).assignment(name)
    entries: list[dict[str, Any]] = yaml.safe_load((_FOLDER / f"{name}.yaml").read_text("utf-8"))
    about = {entry["id"]: entry["about"] for entry in entries}
    for entry in entries:
        _hand_in(entry, assignment, course / "submissions" / name / entry["id"])
    passing = _passing(course, name)
    yield f"{name}: {len(passing)} of {len(entries)} faulty programs pass all tests ({len(passing) / len(entries):.1%})"
    if asked.add and passing:
        with processor_time() as worked:
            options = FuzzOptions(sessions=asked.sessions, seconds=asked.seconds, clock=lambda: worked() / cores())
            found = fuzz(name, course=course, options=options)
            added = add_found_tests(found, course=course, options=options)
            seconds = worked()
        count = sum(len(one.ids) for one in added)
        passing = _passing(course, name)
        yield (
            f"  {found.played} sessions in {seconds:.0f} s of processor time, {count} tests added: now "
            f"{len(passing)} pass ({len(passing) / len(entries):.1%})"
        )
    yield from (f"  passes: {one}: {about[one]}" for one in passing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", default=ASSIGNMENTS)
    parser.add_argument("--add", action="store_true", help="add the tests that random sessions find")
    parser.add_argument("--sessions", type=int, default=300, help="for each entry of fuzz.yaml")
    parser.add_argument("--seconds", type=float, default=600)
    asked = parser.parse_args()
    for name in asked.assignments:
        with TemporaryDirectory() as course:
            for line in _measure(name, asked, Path(course)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
