"""A class with what exports must cope with: hidden tests, names of all kinds, open marks, bytes that no text has."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from grader.grading.student_result import graded_row
from grader.judge.judge import judge
from grader.model.assignment import Part
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.mark import Consideration
from grader.model.outcome import Ending, Outcome, Typed
from grader.model.results import GradedSubmission, TestResult
from grader.model.rule import Finding, Rule, RuleKind, RuleResult
from grader.model.student_result import GradedClass, Row
from grader.model.submission import Identity, Submission, SubmittedFile, TimeSource
from grader.model.test import Test, Visibility
from grader.store.provenance import Origin
from tests.report import graded_example

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
    lines=(SECRET_INPUT,),
    twin=PUBLIC.id,
)
DOCS = Rule("docs", "docstrings", RuleKind.DOCSTRINGS, ("double.py",), part="style", points=Decimal("0.25"))
HONEST = Rule("honest", "nothing is hard-coded", RuleKind.HARD_CODING, ("double.py",), zero=True)
ASSIGNMENT = replace(
    graded_example.ASSIGNMENT,
    title='Doubling, "twice"',
    parts=(Part("doubles", "Doubling", Decimal("3.75")), Part("style", "Style", Decimal("0.25"))),
    tests=(PUBLIC, HIDDEN),
    rules=(DOCS, HONEST),
)
EXPECTED = {PUBLIC.id: graded_example.EXPECTED, HIDDEN.id: f"Number: {SECRET_INPUT}\n{SECRET_OUTPUT}\n"}
# Characters that XML does not have, a byte that is not UTF-8, cards.
ODD = "Number: 4\nDouble: 8 \x1b[31m\x00\x0b\ufffe\udcff 🂡 <&]]>\n"


def result(test: Test, transcript: str) -> TestResult:
    """A test of a program that printed `transcript`."""
    outcome = Outcome(transcript, (Typed(8, test.lines[0]),), Ending.EXITED, 0, None, 0, 0.0123456, 0.01)
    return TestResult(test, judge(test, EXPECTED[test.id], outcome), outcome, EXPECTED[test.id])


def row(student: str, first: str, second: str, *, late: timedelta = timedelta(0), keeps: bool = True) -> Row:
    """A student whose program printed `first` in the public and `second` in the hidden test."""
    files = (SubmittedFile("double.py", ASSIGNMENT.folder / "double.py"),)
    submission = Submission(student, files, ASSIGNMENT.due + late, TimeSource.SUBMISSION_FILE, ())
    findings = () if keeps else (Finding("double.py", 1, "def f():", "f has no docstring"),)
    twins = (Finding("", None, "", f"the test small passes, but no twin of it does: {HIDDEN.id} (wrong-output)"),)
    rules = (RuleResult(DOCS, findings), RuleResult(HONEST, () if keeps else twins))
    results = (result(PUBLIC, first), result(HIDDEN, second))
    return graded_row(
        ASSIGNMENT, GradedSubmission(submission, results, {"double.py": "canonical"}, rules, "5" * 64), {}
    )


def rerun_row(student: str) -> Row:
    """A student whose hidden test could not be run."""
    diagnosis = Diagnosis("internal-error", "The grader could not run this test: no terminal is left")
    again = TestResult(HIDDEN, Judgement(Verdict.INTERNAL_ERROR, None, diagnosis), None, EXPECTED[HIDDEN.id])
    right = row(student, EXPECTED[PUBLIC.id], EXPECTED[HIDDEN.id]).graded
    return graded_row(ASSIGNMENT, replace(right, results=(right.results[0], again)), {})


def missing_row(student: str) -> Row:
    """A student who handed nothing in."""
    diagnosis = Diagnosis("missing-file", "There is no file double.py in the submission.")
    none = Judgement(Verdict.MISSING_FILE, None, diagnosis)
    results = tuple(TestResult(test, none, None, EXPECTED[test.id]) for test in (PUBLIC, HIDDEN))
    submission = Submission(student, (), None, TimeSource.NONE, ("double.py is missing",))
    return graded_row(ASSIGNMENT, GradedSubmission(submission, results, {"double.py": "canonical"}), {})


def excused_row(student: str) -> Row:
    """A student whose mark does not count, and only the instructor is told why."""
    graded = row(student, EXPECTED[PUBLIC.id], "").graded
    known = Identity(name="Łucja, =Dvořák", id="z7", email="l@example.org", login="lu", moodle="22", canvas="6")
    graded = replace(graded, submission=replace(graded.submission, identity=known))
    return graded_row(ASSIGNMENT, graded, {student: Consideration(excused=True, reason=SECRET_REASON)})


RIGHT = row('Zoë O\'Brien, "Zo"', EXPECTED[PUBLIC.id], EXPECTED[HIDDEN.id])
LATE = row("李小龍", EXPECTED[PUBLIC.id], EXPECTED[HIDDEN.id], late=timedelta(days=1, minutes=1))
WRONG = row("=HYPERLINK(1)", ODD, f"Number: {SECRET_INPUT}\nno\n", keeps=False)
NOTHING = missing_row("z1234567")
OPEN = rerun_row("again@example.org")
EXCUSED = excused_row("z7")
ORIGIN = Origin("a" * 64, "0.1.0+3f2a9c01d2b4")
CLASS = GradedClass(ASSIGNMENT, (RIGHT, LATE, WRONG, NOTHING, OPEN, EXCUSED), not_graded=(), notes=())
