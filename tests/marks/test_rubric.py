"""Points by hand and costly rules: absence is no 0, and nothing is taken off before it is confirmed."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.marks.submission_mark import not_yet_marked, points_so_far, submission_mark, to_confirm
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.judgement import Judgement, Verdict
from grader.model.mark import ManualMarks
from grader.model.program import Limits, Program
from grader.model.results import GradedSubmission, TestResult
from grader.model.rule import Rule, RuleFinding, RuleResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.plugins.code_rules.hard_coding import HardCodedOutput
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.code_rules.style import Docstrings
from tests.building import TEST

DUE = datetime(2023, 4, 24, 23, 59, tzinfo=ZoneInfo("America/Detroit"))
PLAY = replace(
    TEST,
    id="play",
    part="play",
    points=Decimal(20),
)
MAIN = Rule(id="main", title="main() is used", check=MainGuard(), programs=("game.py",), deduct=Decimal(10))
HARD = Rule(id="hard", title="no hard coding", check=HardCodedOutput(), programs=("game.py",), zero_mark=True)
DOCS = Rule(id="docs", title="docstrings", check=Docstrings(), programs=("game.py",), part="style", points=Decimal(1))
ASSIGNMENT = Assignment(
    id="demo",
    title="Demo",
    folder=Path("demo"),
    programs=(Program(file="game.py", reference=Path("game.py"), variants=("canonical",)),),
    parts=(
        Part(id="style", title="Style", marks=Decimal(3), manual=(ManualItem("names", "names", Decimal(2)),)),
        Part(id="play", title="Playing", marks=Decimal(20)),
    ),
    due=DUE,
    late=None,
    limits=Limits(),
    tests=(PLAY,),
    rules=(MAIN, HARD, DOCS),
)
BROKEN = (RuleFinding(file="game.py", line=3, code="main()", message="main() is never called"),)
GRADED = GradedSubmission(
    submission=Submission(
        student="ann",
        files=(SubmittedFile("game.py", Path("game.py")),),
        submitted=DUE,
        time_source=TimeSource.FILE_TIME,
        notes=(),
    ),
    results=(
        TestResult(
            test=PLAY,
            judgement=Judgement(verdict=Verdict.PASSED),
            outcome=None,
            expected="",
        ),
    ),
    variants={},
    rules=(RuleResult(MAIN, BROKEN), RuleResult(HARD, BROKEN), RuleResult(DOCS, ())),
)
NAMES = {"names": Decimal("1.5")}


def adjusted(manual: ManualMarks, graded: GradedSubmission = GRADED) -> Decimal | None:
    mark = submission_mark(ASSIGNMENT, graded, manual=manual)
    return mark.adjusted if mark else None


def test_without_manual_points_there_is_no_mark_yet() -> None:
    assert adjusted(ManualMarks()) is None
    assert [item.id for item in not_yet_marked(ASSIGNMENT, GRADED, ManualMarks())] == ["names"]
    assert points_so_far(ASSIGNMENT, GRADED, ManualMarks()) == 21


def test_zero_given_by_hand_is_a_mark() -> None:
    assert adjusted(ManualMarks({"names": Decimal(0)})) == 21


def test_broken_rules_cost_nothing_before_the_instructor_says_so() -> None:
    manual = ManualMarks(NAMES)
    assert adjusted(manual) == Decimal("22.5")
    assert [result.rule.id for result in to_confirm(GRADED, manual)] == ["main", "hard"]


def test_a_confirmed_deduction_is_taken_off_and_a_waived_one_is_not() -> None:
    manual = ManualMarks(NAMES, confirmed=frozenset({"main"}), waived=frozenset({"hard"}))
    assert adjusted(manual) == Decimal("12.5")
    assert to_confirm(GRADED, manual) == ()


def test_a_confirmed_zero_takes_everything() -> None:
    assert adjusted(ManualMarks(NAMES, confirmed=frozenset({"hard"}))) == 0


def test_a_deduction_leaves_no_negative_mark() -> None:
    poor = replace(GRADED, results=(), rules=())
    assert adjusted(ManualMarks(NAMES, confirmed=frozenset({"main"})), poor) == 0


def test_a_broken_rule_loses_its_points() -> None:
    graded = replace(GRADED, rules=(RuleResult(DOCS, BROKEN),))
    assert adjusted(ManualMarks(NAMES), graded) == Decimal("21.5")


def test_nothing_handed_in_needs_no_marking_by_hand() -> None:
    nothing = replace(GRADED, submission=replace(GRADED.submission, files=(), submitted=None), results=(), rules=())
    assert adjusted(ManualMarks(), nothing) == 0
