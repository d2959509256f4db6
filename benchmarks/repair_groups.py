"""Measures how well groups by repair agree with the mistakes that students really made.

Without `--class`, a class is made from benchmarks/repair_class.yaml: correct programs in several styles for an
assignment of docs/examples/cs50, each with a mistake and other names. `--class` gives a folder of submissions, and
`--truth` a CSV file with `student` and `mistake` for each of them. A pair is two students in a group; precision is the
share of these pairs whose students made the same mistake, and recall the share of pairs with the same mistake that a
group has. For comparison, there are the groups by equal failures that pages show without repairs.

Run as `python -m benchmarks.repair_groups [--students N] [--seed N] [--class FOLDER --truth FILE --course FOLDER]`.
"""

import argparse
import csv
import json
import random
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import yaml

from benchmarks.disguise import disguised
from grader.analysis.failure_groups import groups_of, students_by_mistake
from grader.api.grade import grade
from grader.api.request import GradeOptions
from grader.model.results import ClassResult
from grader.plugins.scaffolding.author import generate

_DATA = Path(__file__).with_name("repair_class.yaml")
_COURSE = Path(__file__).parents[1] / "docs" / "examples" / "cs50"
_ASSIGNMENT, _FILE = "lines", "lines.py"

Pairs: TypeAlias = set[tuple[str, str]]


def write_class(folder: Path, students: int, chance: random.Random) -> dict[str, str]:
    """Submit a correct program of each style and the programs with mistakes; return the mistakes by student."""
    content = yaml.safe_load(_DATA.read_text("utf-8"))
    styles: Mapping[str, str] = content["styles"]
    mistakes: Mapping[str, Mapping[str, Sequence[str]]] = content["mistakes"]
    for style, program in styles.items():
        _hand_in(folder / f"right-{style}", program)
    truth: dict[str, str] = {}
    for number in range(students):
        mistake, edits = list(mistakes.items())[number % len(mistakes)]
        style = chance.choice(sorted(edits))
        before, after = edits[style]
        if styles[style].count(before) != 1:
            raise SystemExit(f"{mistake}: the code to replace is not in {style} once")
        student = f"s{number:03}-{style}"
        truth[student] = mistake
        _hand_in(folder / student, disguised(styles[style].replace(before, after), chance))
    return truth


def _hand_in(folder: Path, program: str) -> None:
    folder.mkdir(parents=True)
    (folder / _FILE).write_text(program, encoding="utf-8")


@contextmanager
def _made_class(students: int, seed: int) -> Iterator[tuple[Path, Path, Mapping[str, str]]]:
    """Yield the folders of a course and a class, and the mistakes by student."""
    with TemporaryDirectory() as name:
        course = Path(name) / "course"
        shutil.copytree(_COURSE, course, ignore=shutil.ignore_patterns("submissions", ".grader", "reports"))
        folder = course / "submissions" / _ASSIGNMENT
        truth = write_class(folder, students, random.Random(seed))
        list(generate([_ASSIGNMENT], course=course))
        yield course, folder, truth


def measured(graded: ClassResult, truth: Mapping[str, str]) -> dict[str, object]:
    """Return the precision and recall of the groups by repair, and of the groups by failure."""
    failing = sorted(row.student for row in graded.rows if row.student in truth and not row.graded.passes_all_tests)
    submissions = [row.graded for row in graded.rows]
    repaired = {row.student for row in graded.rows if any(finding.mistakes() for finding in row.graded.findings)}
    groups = students_by_mistake(submissions)
    true = _pairs(names for names in _by_mistake({name: truth[name] for name in failing}).values())
    by_repair = _pairs(names for _, names in groups)
    by_failure = _pairs(group.students for group in groups_of(submissions))
    return {
        "students": len(truth),
        "failing": len(failing),
        "mistakes": len(set(truth.values())),
        "repaired": len(repaired),
        "groups": {words: {name: truth.get(name, "") for name in names} for words, names in groups},
        "pairs": len(true),
        "precision": _share(by_repair & true, by_repair),
        "recall": _share(by_repair & true, true),
        "precision, by failure": _share(by_failure & true, by_failure),
        "recall, by failure": _share(by_failure & true, true),
    }


def _by_mistake(truth: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    return {mistake: [name for name in truth if truth[name] == mistake] for mistake in dict.fromkeys(truth.values())}


def _pairs(groups: Iterable[Sequence[str]]) -> Pairs:
    return {pair for names in groups for pair in combinations(sorted(names), 2)}


def _share(part: Pairs, whole: Pairs) -> float | None:
    return round(len(part) / len(whole), 3) if whole else None


def _read_truth(file: Path) -> dict[str, str]:
    with file.open(encoding="utf-8", newline="") as rows:
        return {row["student"]: row["mistake"] for row in csv.DictReader(rows)}


def main() -> None:
    """Measure a class, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--class", dest="folder", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--course", type=Path)
    options = parser.parse_args()
    asked = GradeOptions(class_steps=("repair",))
    if options.folder is not None:
        graded = grade(options.folder, course=options.course, options=asked)
        print(json.dumps(measured(graded, _read_truth(options.truth)), indent=1))
        return
    with _made_class(options.students, options.seed) as (course, folder, truth):
        print(
            json.dumps(measured(grade(folder, course=course, assignment=_ASSIGNMENT, options=asked), truth), indent=1)
        )


if __name__ == "__main__":
    main()
