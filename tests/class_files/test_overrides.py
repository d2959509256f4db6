"""overrides.yaml and overrides.csv say the same, and slips are named with their place."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.class_files.overrides import Overrides, read_overrides
from grader.errors import SpecError
from grader.model.assignment import Assignment, Part
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, VerdictOverride
from grader.model.program import Limits, Program
from tests.building import TEST

ASSIGNMENT = Assignment(
    id="demo",
    title="Demo",
    folder=Path("demo"),
    programs=(Program(file="game.py", reference=Path("game.py"), variants=("canonical",)),),
    parts=(Part(id="play", title="Playing", marks=Decimal(20)),),
    due=datetime(2025, 10, 27, 11, 59, tzinfo=ZoneInfo("Australia/Sydney")),
    late=None,
    limits=Limits(),
    tests=(
        replace(
            TEST,
            id="first",
            part="play",
            points=Decimal(20),
        ),
    ),
)
YAML = """\
format: 1
overrides:
  - {student: ann, mark: 9.5, reason: an appeal, by: the lecturer, submission: 3f2a9c01}
  - {student: ann, test: first, verdict: passed, score: 0.5, reason: half right, by: a tutor}
  - {student: bob, test: first, verdict: crash, reason: it did, by: a tutor}
"""
CSV = """\
student,mark,test,verdict,score,by,submission,reason
ann,9.5,,,,the lecturer,3f2a9c01,an appeal
ann,,first,passed,0.5,a tutor,,half right
bob,,first,crash,,a tutor,,it did
"""


def read(folder: Path, name: str, content: str) -> Overrides:
    (folder / name).write_text(content)
    return read_overrides(folder / name, ASSIGNMENT, ["ann", "bob"])


@pytest.mark.parametrize(("name", "content"), [("overrides.yaml", YAML), ("overrides.csv", CSV)])
def test_both_formats_say_the_same(name: str, content: str, tmp_path: Path) -> None:
    assert read(tmp_path, name, content) == Overrides(
        {
            "ann": (
                MarkOverride(Decimal("9.5"), InstructorDecision("an appeal", "the lecturer", "3f2a9c01")),
                VerdictOverride("first", Verdict.PASSED, Decimal("0.5"), InstructorDecision("half right", "a tutor")),
            ),
            "bob": (VerdictOverride("first", Verdict.CRASH, None, InstructorDecision("it did", "a tutor")),),
        }
    )


def test_someone_without_a_submission_is_a_note(tmp_path: Path) -> None:
    found = read(tmp_path, "overrides.yaml", YAML.replace("bob", "bobb"))
    assert found.notes == (f"{tmp_path}/overrides.yaml:5:15: no submission of `bobb`; did you mean `bob`?",)


WHO = "reason: r, by: b"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (f"{{student: ann, {WHO}}}", "expected either `mark`, or `test` and `verdict`"),
        (f"{{student: ann, mark: 1, test: first, verdict: crash, {WHO}}}", "expected either `mark`, or `test`"),
        (f"{{student: ann, test: first, {WHO}}}", "expected either `mark`, or `test` and `verdict`"),
        (f"{{student: ann, mark: 1, score: 1, {WHO}}}", "found `score` without `test`"),
        ("{student: ann, mark: 1, by: b}", "the key `reason` is missing here"),
        ("{student: ann, mark: 1, reason: r, by: ''}", "found nothing; expected a non-empty line of text"),
        (f"{{student: ann, mark: 20.5, {WHO}}}", "found 20.5; expected at most the full mark, 20"),
        (f"{{student: ann, mark: -1, {WHO}}}", "found `-1`; expected at least 0"),
        (f"{{student: ann, test: frist, verdict: passed, {WHO}}}", "there is no test `frist` in demo; did you mean"),
        (f"{{student: ann, test: first, verdict: internal-error, {WHO}}}", "expected a verdict on the program"),
        (f"{{student: ann, test: first, verdict: passed, score: 2, {WHO}}}", "found `2`; expected at most 1"),
        (f"{{student: ann, test: first, verdict: passed, score: ٠.٥, {WHO}}}", "found `٠.٥`; expected a number"),
        (f"{{student: ann, mark: 1, submission: 3F, {WHO}}}", "expected 8 or more digits of a submission's digest"),
    ],
)
def test_slips(entry: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        read(tmp_path, "overrides.yaml", f"format: 1\noverrides:\n  - {entry}\n")
    assert message in str(caught.value)
    assert f"{tmp_path}/overrides.yaml:3:" in str(caught.value)


def test_nothing_is_decided_twice(tmp_path: Path) -> None:
    entry = f"  - {{student: ann, mark: 1, {WHO}}}\n"
    with pytest.raises(SpecError, match="4:26: the mark of `ann` is decided twice"):
        read(tmp_path, "overrides.yaml", f"format: 1\noverrides:\n{entry * 2}")
