"""Measures the cost of a large class's HTML site: time, bytes, and the size of the overview. Prints JSON.

The class is made up: every student passes most tests. Of the students who fail one, three in four fail it in the same
way as some others, and the rest each in a different way.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.grading.student_result import student_result
from grader.judge.judge import judge
from grader.model.assignment import Assignment, Part
from grader.model.ending import SUCCESS
from grader.model.interaction import Dialogue, typed_lines
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.program import Limits, Program
from grader.model.results import ClassResult, GradedSubmission, TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Test, Visibility
from grader.plugins.late_policies.falling_cap import FallingCap
from grader.plugins.web.pages.site import write_site
from grader.run.run_slots import cores

_TURNS = 12
_FAILING = 0.3
_MISTAKES = 60
_PROGRAM = Path(__file__).parents[1] / "reference" / "solitaire_2.py"
_DUE = datetime(2026, 3, 20, 17, tzinfo=ZoneInfo("Europe/Vienna"))
_BOARD = "".join(f"   {'🂡 🂢 🃓 🃔 🂱 🂲 ' * 3}\n" for _ in range(6))


def made_up_class(students: int, tests: int, folder: Path) -> ClassResult:
    """Make up a class in which about three in ten tests fail. The programs, all different, are written to `folder`."""
    every = [_test(number) for number in range(tests)]
    assignment = Assignment(
        id="large",
        title="A large class",
        folder=Path("test_specs/large"),
        programs=(Program(file="game.py", reference=Path("reference/game.py"), variants=("canonical",)),),
        parts=(Part(id="game", title="The game", marks=Decimal(tests)),),
        due=_DUE,
        late=FallingCap(Decimal(5), 5),
        limits=Limits(),
        tests=tuple(every),
    )
    rows = []
    for number in range(students):
        mistake = f"mistake {number % _MISTAKES}" if number % 4 else f"student {number}"
        chance = random.Random(mistake)
        results = tuple(_result(test, mistake, chance) for test in every)
        late = timedelta(hours=max(number % 50 - 40, 0))
        submission = Submission(
            student=f"student-{number:04}",
            files=(SubmittedFile("game.py", _program(folder, number)),),
            submitted=_DUE + late,
            time_source=TimeSource.SUBMISSION_FILE,
            notes=(),
        )
        rows.append(
            student_result(
                assignment,
                GradedSubmission(submission=submission, results=results, variants={"game.py": "canonical"}),
                {},
            )
        )
    return ClassResult(assignment=assignment, rows=tuple(rows), not_graded=(), notes=())


def _program(folder: Path, number: int) -> Path:
    file = folder / f"{number}.py"
    file.write_text(f"{_PROGRAM.read_text(encoding='utf-8')}# {number}\n", encoding="utf-8")
    return file


def _test(number: int) -> Test:
    return Test(
        id=f"game-{number}",
        title=f"a game (seed {number})",
        program="game.py",
        part="game",
        visibility=Visibility.HIDDEN,
        points=Decimal(1),
        interaction=Dialogue(tuple(str(turn) for turn in range(_TURNS))),
        ending=SUCCESS,
    )


def _result(test: Test, mistake: str, chance: random.Random) -> TestResult:
    expected, typed = _dialogue(test, "")
    fails = chance.random() < _FAILING
    transcript, typed = _dialogue(test, f" ({mistake}, {test.id})") if fails else (expected, typed)
    wall = chance.uniform(0.01, 0.2)
    outcome = Outcome(
        transcript=transcript,
        typed=typed,
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=wall,
        cpu_seconds=wall / 2,
    )
    return TestResult(test=test, judgement=judge(test, expected, outcome), outcome=outcome, expected=expected)


def _dialogue(test: Test, fault: str) -> tuple[str, tuple[TypedLine, ...]]:
    text = f"{test.title}\n{_BOARD}"
    typed = []
    for turn, line in enumerate(typed_lines(test.interaction)):
        text += "Which card? "
        typed.append(TypedLine(len(text), line))
        text += f"{line}\nYou took card {turn}{fault if turn > _TURNS // 2 else ''}.\n{_BOARD if turn == 5 else ''}"
    return text, tuple(typed)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--tests", type=int, default=40)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        graded = made_up_class(chosen.students, chosen.tests, Path(programs))
        before = os.times()
        write_site(graded, Path(folder), cores())
        after = os.times()
        seconds = after.elapsed - before.elapsed
        # The time of this process and its children, in user and kernel mode.
        processor = sum(after[:4]) - sum(before[:4])
        sizes = {file.relative_to(folder): file.stat().st_size for file in Path(folder).rglob("*.html")}
    figures = {
        "students": chosen.students,
        "tests": chosen.tests,
        "seconds": round(seconds, 2),
        "cpu_seconds": round(processor, 2),
        "overview_bytes": sizes[Path("index.html")],
        "largest_page_bytes": max(sizes.values()),
        "site_megabytes": round(sum(sizes.values()) / 1e6, 1),
        "pages": len(sizes),
    }
    json.dump(figures, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
