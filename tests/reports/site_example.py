"""A class made by hand for the site: a rubric, lateness, long and short sessions, and students who mean harm."""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.grading.student_result import student_result
from grader.judge.judge import judge
from grader.model.assignment import Part
from grader.model.finding import Finding, FindingView, LineMark, LineRemark, PageSection
from grader.model.interaction import Dialogue, typed_lines
from grader.model.mark import ManualMarks
from grader.model.outcome import CodeLine, Outcome, Termination, TypedLine
from grader.model.results import (
    ClassResult,
    GradedSubmission,
    StudentResult,
    TestResult,
)
from grader.model.rule import RuleFinding, RuleResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.model.test import Test
from tests.reports.graded_example import DUE, EXPECTED, GAME
from tests.reports.rubric_example import ASSIGNMENT as RUBRIC
from tests.reports.rubric_example import DOCS, MAIN, NESTED

ATTACK = "</code><script>window.hit = 1</script><img src=http://evil.test/x onerror=window.hit=1>\u202e\x1b[31m\udcff"
_FOLDER = TemporaryDirectory(prefix="grader-example-")
PROGRAM = Path(_FOLDER.name) / "double.py"
"""What all students handed in, longer than its box."""
PROGRAM.write_bytes(
    "".join(f'def f{one}(number):\n    return "{one}" * 2  # {ATTACK}\n' for one in range(1, 21)).encode(
        "utf-8", "surrogateescape"
    )
)
ATTACKER = "<img src=x onerror=window.hit=1>\u202e"

TALK = replace(
    GAME, id="talk", title="three <b>questions</b>", points=Decimal(6), interaction=Dialogue(("1", "2", "3"))
)

ASSIGNMENT = replace(
    RUBRIC,
    parts=(Part(id="doubles", title="Doubling", marks=Decimal("7.50")), *RUBRIC.parts[1:]),
    tests=(GAME, TALK),
)


def talk(words: str = "You said") -> tuple[str, tuple[TypedLine, ...]]:
    """The transcript of a session with three questions, and what was typed in it."""
    text = ""
    typed = []
    for number, line in enumerate(typed_lines(TALK.interaction)):
        text += f"Question {number + 1}? "
        typed.append(TypedLine(len(text), line))
        text += f"{line}\n{words if number else 'You said'}\t{line}\n"
    return text, tuple(typed)


def talk_outcome(words: str = "You said") -> Outcome:
    """The outcome of that session."""
    text, typed = talk(words)
    return Outcome(
        transcript=text,
        typed=typed,
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0.2,
        cpu_seconds=0.1,
    )


def result(test: Test, expected: str, outcome: Outcome) -> TestResult:
    """The outcome, judged."""
    return TestResult(test=test, judgement=judge(test, expected, outcome), outcome=outcome, expected=expected)


def row(
    student: str, words: str = "You said", late: timedelta = timedelta(0), manual: ManualMarks = ManualMarks()
) -> StudentResult:
    """A student whose program says `words` from the second question on, and breaks rules."""
    small = Outcome(
        transcript=EXPECTED,
        typed=(TypedLine(8, "4"),),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0.01,
        cpu_seconds=0.01,
    )
    submission = Submission(
        student=student,
        files=(SubmittedFile("double.py", PROGRAM),),
        submitted=DUE + late,
        time_source=TimeSource.SUBMISSION_FILE,
        notes=(),
    )
    rules = (
        RuleResult(
            MAIN,
            (
                RuleFinding(
                    file="double.py", line=9, code=f"main() # {ATTACK}", message="main() is called without a guard"
                ),
            ),
        ),
        RuleResult(
            NESTED,
            tuple(RuleFinding(file="double.py", line=line, code="def f():", message="nested") for line in range(1, 13)),
        ),
        RuleResult(DOCS, ()),
    )
    results = (result(GAME, EXPECTED, small), result(TALK, talk()[0], talk_outcome(words)))
    return student_result(
        ASSIGNMENT,
        GradedSubmission(submission=submission, results=results, variants={"double.py": "canonical"}, rules=rules),
        {},
        manual,
    )


@dataclass(frozen=True)
class MarkedLines(Finding):
    """The finding of a plugin: lines of double.py, which the page marks; the last one has a remark."""

    lines: tuple[int, ...]

    def view(self, submission: Submission) -> FindingView:
        """Return a section that names the lines, marks, and a remark."""
        places = [CodeLine("double.py", line) for line in self.lines]
        return FindingView(
            section=PageSection(
                id="marked",
                title=f"Lines of {submission.student}",
                template=f"{__package__}:marked.html",
                content=places,
            ),
            marks={place: LineMark("first", str(number), "mark") for number, place in enumerate(places, 1)},
            remarks={places[-1]: [LineRemark("similar", f"the last one {ATTACK}", "#marked", private=True)]},
        )


def marked(row: StudentResult) -> StudentResult:
    """The student with such lines."""
    return replace(row, graded=replace(row.graded, findings=(MarkedLines((12, 3, 38)),)))


MARKED = ManualMarks({"names": Decimal(1)})
CLASS = ClassResult(
    assignment=ASSIGNMENT,
    rows=(
        row("ann", manual=MARKED),
        marked(row("bob", "I said ", manual=ManualMarks({"names": Decimal(1)}, confirmed=frozenset({"main"})))),
        row("Ann", "I said", late=timedelta(hours=2, seconds=1), manual=MARKED),
        row("../con", "You said "),
        row("con", "you said", manual=MARKED),
        row(ATTACKER, ATTACK, manual=MARKED),
        row("student-10", manual=MARKED),
        row("student-9", manual=MARKED),
        row("李雷"),
    ),
    not_graded=(),
    notes=(f"notes: {ATTACK}",),
)

_LONG = replace(TALK, id="a-test-with-" + "a-long-name-" * 12, title="and a title " * 40)
_LINE = "long " * 2000
HOSTILE = ClassResult(
    assignment=replace(ASSIGNMENT, title="Supercalifragilistic" * 12, tests=(GAME, _LONG)),
    rows=tuple(
        replace(
            one,
            comments=("w" * 500,),
            graded=replace(one.graded, results=(one.graded.results[0], replace(one.graded.results[1], test=_LONG))),
        )
        for one in (
            row("Wolfeschlegelsteinhausenbergerdorff" * 6, _LINE, manual=MARKED),
            row("محمد بن عبد الرحمن (12)", _LINE, manual=MARKED),
            row("a name with blanks " * 12, "\u202e" * 300, manual=MARKED),
        )
    ),
    not_graded=("n" * 300,),
    notes=("x" * 500,),
)
"""The same assignment with names, titles, lines and notes that are very long."""
