"""A class with what exports must cope with: hidden tests, names of all kinds, open marks, bytes that no text has."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from grader.grading.student_result import student_result
from grader.judge.judge import judge
from grader.model.assignment import Part
from grader.model.general_causes import INTERNAL_ERROR, MISSING_FILE
from grader.model.interaction import Dialogue, typed_lines
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.mark import StudentExtension
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.results import ClassResult, GradedSubmission, StudentResult, TestResult
from grader.model.rule import Rule, RuleFinding, RuleResult
from grader.model.submission import StudentIdentity, Submission, SubmittedFile, TimeSource
from grader.model.test import Test, Visibility
from grader.plugins.code_rules.hard_coding import HardCodedOutput
from grader.plugins.code_rules.style import Docstrings
from grader.store.origin import Provenance
from tests.reports import graded_example

PUBLIC = replace(graded_example.GAME, points=Decimal("1.50"))
SECRET_INPUT = "31337"
SECRET_OUTPUT = "Double: 62674"
SECRET_REASON = "certificate seen"
HIDDEN = replace(
    PUBLIC,
    id=f"secret-{SECRET_INPUT}",
    title=f"the number {SECRET_INPUT}",
    visibility=Visibility.HIDDEN,
    points=Decimal("2.25"),
    interaction=Dialogue((SECRET_INPUT,)),
    hidden_twin_of=PUBLIC.id,
)
DOCS = Rule(
    id="docs",
    title="docstrings",
    check=Docstrings(),
    programs=("double.py",),
    part="style",
    points=Decimal("0.25"),
)
HONEST = Rule(
    id="honest", title="nothing is hard-coded", check=HardCodedOutput(), programs=("double.py",), zero_mark=True
)
ASSIGNMENT = replace(
    graded_example.ASSIGNMENT,
    title='Doubling, "twice"',
    parts=(
        Part(id="doubles", title="Doubling", marks=Decimal("3.75")),
        Part(id="style", title="Style", marks=Decimal("0.25")),
    ),
    tests=(PUBLIC, HIDDEN),
    rules=(DOCS, HONEST),
)
EXPECTED = {PUBLIC.id: graded_example.EXPECTED, HIDDEN.id: f"Number: {SECRET_INPUT}\n{SECRET_OUTPUT}\n"}
# Characters that XML does not have, a byte that is not UTF-8, cards.
ODD = "Number: 4\nDouble: 8 \x1b[31m\x00\x0b\ufffe\udcff 🂡 <&]]>\n"


def result(test: Test, transcript: str) -> TestResult:
    """A test of a program that printed `transcript`."""
    outcome = Outcome(
        transcript=transcript,
        typed=(TypedLine(8, typed_lines(test.interaction)[0]),),
        ending=Termination.EXITED,
        exit_code=0,
        signal=None,
        unsent=0,
        wall_seconds=0.0123456,
        cpu_seconds=0.01,
    )
    return TestResult(
        test=test, judgement=judge(test, EXPECTED[test.id], outcome), outcome=outcome, expected=EXPECTED[test.id]
    )


def row(student: str, first: str, second: str, *, late: timedelta = timedelta(0), keeps: bool = True) -> StudentResult:
    """A student whose program printed `first` in the public and `second` in the hidden test."""
    files = (SubmittedFile("double.py", ASSIGNMENT.folder / "double.py"),)
    submission = Submission(
        student=student, files=files, submitted=ASSIGNMENT.due + late, time_source=TimeSource.SUBMISSION_FILE, notes=()
    )
    findings = () if keeps else (RuleFinding(file="double.py", line=1, code="def f():", message="f has no docstring"),)
    twins = (RuleFinding(message=f"the test small passes, but no twin of it does: {HIDDEN.id} (wrong-output)"),)
    rules = (RuleResult(DOCS, findings), RuleResult(HONEST, () if keeps else twins))
    results = (result(PUBLIC, first), result(HIDDEN, second))
    return student_result(
        ASSIGNMENT,
        GradedSubmission(
            submission=submission, results=results, variants={"double.py": "canonical"}, rules=rules, digest="5" * 64
        ),
        {},
    )


def rerun_row(student: str) -> StudentResult:
    """A student whose hidden test could not be run."""
    diagnosis = Diagnosis(INTERNAL_ERROR, "The grader could not run this test: no terminal is left")
    again = TestResult(
        test=HIDDEN,
        judgement=Judgement(verdict=Verdict.INTERNAL_ERROR, diagnosis=diagnosis),
        outcome=None,
        expected=EXPECTED[HIDDEN.id],
    )
    right = row(student, EXPECTED[PUBLIC.id], EXPECTED[HIDDEN.id]).graded
    return student_result(ASSIGNMENT, replace(right, results=(right.results[0], again)), {})


def missing_row(student: str) -> StudentResult:
    """A student who handed nothing in."""
    diagnosis = Diagnosis(MISSING_FILE, "There is no file double.py in the submission.")
    none = Judgement(verdict=Verdict.MISSING_FILE, diagnosis=diagnosis)
    results = tuple(
        TestResult(test=test, judgement=none, outcome=None, expected=EXPECTED[test.id]) for test in (PUBLIC, HIDDEN)
    )
    submission = Submission(
        student=student, files=(), submitted=None, time_source=TimeSource.NONE, notes=("double.py is missing",)
    )
    return student_result(
        ASSIGNMENT, GradedSubmission(submission=submission, results=results, variants={"double.py": "canonical"}), {}
    )


def excused_row(student: str) -> StudentResult:
    """A student whose mark does not count, and only the instructor is told why."""
    graded = row(student, EXPECTED[PUBLIC.id], "").graded
    known = StudentIdentity(name="Łucja, =Dvořák", id="z7", email="l@example.org", login="lu", moodle="22", canvas="6")
    graded = replace(graded, submission=replace(graded.submission, identity=known))
    return student_result(ASSIGNMENT, graded, {student: StudentExtension(excused=True, reason=SECRET_REASON)})


RIGHT = row('Zoë O\'Brien, "Zo"', EXPECTED[PUBLIC.id], EXPECTED[HIDDEN.id])
LATE = row("李小龍", EXPECTED[PUBLIC.id], EXPECTED[HIDDEN.id], late=timedelta(days=1, minutes=1))
WRONG = row("=HYPERLINK(1)", ODD, f"Number: {SECRET_INPUT}\nno\n", keeps=False)
NOTHING = missing_row("z1234567")
OPEN = rerun_row("again@example.org")
EXCUSED = excused_row("z7")
ORIGIN = Provenance("a" * 64, "0.1.0+3f2a9c01d2b4")
CLASS = ClassResult(assignment=ASSIGNMENT, rows=(RIGHT, LATE, WRONG, NOTHING, OPEN, EXCUSED), not_graded=(), notes=())
