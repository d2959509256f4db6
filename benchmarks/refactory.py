"""How tests and random sessions do on real programs of beginners: the data of Refactory (githubhuyang/refactory).

FOLDER is what its `data.zip` holds, with a folder for each of five questions. Nothing of it is part of the project.
Each question becomes an assignment with the tests of the data, and each program a submission. Printed are, for each
question: how many programs get their label from the tests, how many of those that pass them all differ from the
reference in random sessions, how many sessions were played, how long the shortest ones are, and the seconds it took.

Run as `python -m benchmarks.refactory FOLDER [--questions 1,4] [--sessions N] [--most N]`.
"""

import argparse
import ast
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import yaml

from grader.api.author import generate
from grader.api.fuzz import FuzzedClass, FuzzOptions, fuzz
from grader.api.grade import grade
from grader.model.judgement import Verdict

ASSIGNMENT = "question"
_PAIR = '("{month}", "{1..9}")'
_NUMBERS: Mapping[str, object] = {"numbers": {"repeat": "{-9..20}", "times": "0..7", "between": ", "}}


@dataclass(frozen=True)
class Question:
    """What students are asked for, as its description limits it: the calls that may be made."""

    number: int
    calls: str
    rules: Mapping[str, object]


QUESTIONS = (
    Question(
        1,
        "search({-12..25}, {sequence})",
        {**_NUMBERS, "sequence": ["sorted([{numbers}])", "tuple(sorted([{numbers}]))"]},
    ),
    Question(
        2,
        "{request}({birthdays})",
        {
            "request": ['unique_day("{1..9}", ', 'unique_month("{month}", ', 'contains_unique_day("{month}", '],
            "month": "{January|February|March|July}",
            "birthdays": "tuple([{pairs}])",
            "pairs": {"repeat": _PAIR, "times": "0..6", "between": ", "},
        },
    ),
    Question(3, "remove_extras([{numbers}])", _NUMBERS),
    Question(
        4,
        # No two people are of the same age.
        "sort_age(list({{age: (kind, age) for kind, age in [{people}]}}.values()))",
        {"people": {"repeat": '("{F|M}", {1..99})', "times": "0..8", "between": ", "}},
    ),
    Question(
        5,
        # At most as many as there are.
        "(lambda values, most: top_k(values, min(most, len(values))))([{numbers}], {0..7})",
        _NUMBERS,
    ),
)


def question_folder(data: Path, number: int) -> Path:
    """The folder of a question."""
    return data / f"question_{number}"


def calls_of(folder: Path) -> list[str]:
    """The calls of the tests of a question."""
    return [file.read_text("utf-8").strip() for file in sorted(folder.glob("ans/input_*.txt"))]


def _is_readable(file: Path) -> bool:
    try:
        ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return False
    return True


def prelude_of(folder: Path) -> str:
    """What stands before each program of a question."""
    before = folder / "code" / "global.py"
    return before.read_text("utf-8") + "\n" if before.is_file() else ""


def write_course(folder: Path, course: Path, tests: Sequence[Mapping[str, object]]) -> None:
    """A course with one assignment, which is the question in `folder` with these tests."""
    assignment = course / "test_specs" / ASSIGNMENT
    (assignment / "tests").mkdir(parents=True)
    (course / "reference").mkdir()
    [reference] = folder.glob("code/reference/*.py")
    text = prelude_of(folder) + reference.read_text("utf-8")
    (course / "reference" / "answer.py").write_text(text, encoding="utf-8")
    _write(
        assignment / "assignment.yaml",
        {
            "format": 1,
            "id": ASSIGNMENT,
            "title": folder.name,
            "programs": [{"file": "answer.py"}],
            "parts": [{"id": "all", "title": "all", "marks": 1}],
            "due": "2026-01-01 12:00",
            "time_zone": "UTC",
            "limits": {"wall_seconds": 5, "cpu_seconds": 5},
        },
    )
    head = {"format": 1, "program": "answer.py", "part": "all", "visibility": "public"}
    _write(assignment / "tests" / "tests.yaml", {**head, "tests": list(tests)})


def _write_class(question: Question, folder: Path, course: Path, most: int) -> Path:
    """A course with the question in `folder`; returns the folder of its class."""
    calls = calls_of(folder)
    tests = [{"id": "stated", "calls": calls, "points": 1}, {"id": "one", "call": calls[0], "points": 0}]
    write_course(folder, course, tests)
    session = {"id": "random", "test": "one", "rules": dict(question.rules), "call": question.calls}
    _write(course / "test_specs" / ASSIGNMENT / "fuzz.yaml", {"format": 1, "sessions": [session]})
    for label in ("correct", "wrong"):
        for file in sorted((folder / "code" / label).glob("*.py"))[:most]:
            student = course / "submissions" / ASSIGNMENT / file.stem
            student.mkdir(parents=True)
            (student / "answer.py").write_bytes(prelude_of(folder).encode() + file.read_bytes())
    return course / "submissions" / ASSIGNMENT


def _write(file: Path, content: object) -> None:
    file.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=10_000), encoding="utf-8")


def _measure(question: Question, data: Path, sessions: int, most: int) -> Iterator[str]:
    """What is printed of a question."""
    with TemporaryDirectory() as name:
        course = Path(name)
        folder = _write_class(question, question_folder(data, question.number), course, most)
        list(generate([ASSIGNMENT], course=course))
        start = time.monotonic()
        rows = grade(folder, course=course, assignment=ASSIGNMENT).rows
        graded = time.monotonic() - start
        passed = {row.student for row in rows if {one.verdict for one in row.graded.results} == {Verdict.PASSED}}
        agreeing = [row.student for row in rows if row.student.startswith("correct") == (row.student in passed)]
        start = time.monotonic()
        found = fuzz(ASSIGNMENT, course=course, options=FuzzOptions(sessions=sessions, seconds=3600))
        probed = time.monotonic() - start
        unreadable = sum(not _is_readable(row.graded.submission.files[0].path) for row in rows)
    correct = sum(row.student.startswith("correct") for row in rows)
    yield (
        f"question {question.number}: {correct} called correct, {len(rows) - correct} wrong ({unreadable} cannot be "
        f"read); {len(agreeing)} of {len(rows)} get their label, graded in {graded:.0f} s"
    )
    yield from (f"  other than its label: {student}" for student in sorted({row.student for row in rows} - {*agreeing}))
    yield (
        f"  {len(passed)} accepted, {len(found.differing)} differ; {found.played} sessions of {sessions}, "
        f"{probed:.0f} s; the shortest have {_lengths(found)} characters"
    )


def _lengths(found: FuzzedClass) -> str:
    shared = [one for findings in found.findings for one in findings.differences]
    lengths = [sum(map(len, one.difference.session.texts)) for one in shared]
    return f"{median(lengths):.0f} (median of {len(lengths)})" if lengths else "no"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", default="1,2,3,4,5")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--most", type=int, default=100_000, help="programs of each label")
    asked = parser.parse_args()
    wanted: Sequence[int] = [int(number) for number in asked.questions.split(",")]
    for question in QUESTIONS:
        if question.number in wanted:
            for line in _measure(question, asked.folder, asked.sessions, asked.most):
                print(line, flush=True)


if __name__ == "__main__":
    main()
