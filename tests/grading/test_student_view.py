"""What students see tells nothing of a hidden test but its points, verdict, kind of cause and hints."""

from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from grader.grading.student_view import NOT_SHOWN, StudentView, student_views
from grader.judge.causes.text import TEXT
from grader.model.counting import GroupCount, GroupResult, TestGroup
from grader.model.finding import Finding, FindingView
from grader.model.general_causes import INTERNAL_ERROR, OVERRIDE, SEALED
from grader.model.judgement import Diagnosis, Judgement, Note, NoteKind, Verdict
from grader.model.mark import ManualMarks
from grader.model.results import TestResult
from grader.model.submission import Submission
from grader.model.test import CauseHint, Hints, Test
from grader.plugins.platforms.shared.output_text import result_text
from grader.plugins.web.pages.student_page import feedback_page_writer
from grader.reports.student_text import student_text
from grader.text.language import speaking
from tests.grading.hidden_example import (
    ASSIGNMENT,
    CLASS,
    EXPECTED,
    HIDDEN,
    PUBLIC,
    SECRET_INPUT,
    SECRET_OUTPUT,
    SECRET_REASON,
)

SHOWN_OF_TEST = {"id", "program", "part", "visibility", "points", "counting", "hints"}
SHOWN_OF_RESULT = {"test", "judgement", "barred_by"}
SHOWN_OF_JUDGEMENT = {"verdict", "diagnosis", "score"}


def test_marks_points_and_verdicts_are_the_same() -> None:
    for before, after in zip(CLASS.rows, map(student_views(ASSIGNMENT), CLASS.rows), strict=True):
        assert after.mark == before.mark
        assert after.graded.raw == before.graded.raw
        assert [one.verdict for one in after.graded.results] == [one.verdict for one in before.graded.results]
        assert after.graded.results[0] == before.graded.results[0]


def test_nothing_of_a_hidden_test_is_left() -> None:
    confirmed = ManualMarks({}, confirmed=frozenset({"honest"}))
    for row in map(student_views(ASSIGNMENT), CLASS.rows):
        open_row = replace(row, manual=confirmed)
        text = f"{student_text(ASSIGNMENT, open_row)} {open_row.graded!r} {open_row.told_rules!r} {open_row.granted!r}"
        for secret in (SECRET_INPUT, SECRET_OUTPUT, HIDDEN.id, HIDDEN.title, SECRET_REASON):
            assert secret not in text.replace(repr(HIDDEN.comparison), "")


@pytest.mark.parametrize("field", sorted({field.name for field in fields(Test)} - SHOWN_OF_TEST))
def test_no_other_field_of_a_hidden_test_is_shown(field: str) -> None:
    secret: Any = {field: "SECRET"}
    assert "SECRET" not in view_of_hidden(test=replace(HIDDEN, **secret))


@pytest.mark.parametrize("field", sorted({field.name for field in fields(TestResult)} - SHOWN_OF_RESULT))
def test_no_other_field_of_its_result_is_shown(field: str) -> None:
    assert "SECRET" not in view_of_hidden(**{field: "SECRET"})


@pytest.mark.parametrize("field", sorted({field.name for field in fields(Judgement)} - SHOWN_OF_JUDGEMENT))
def test_no_other_field_of_its_judgement_is_shown(field: str) -> None:
    judgement = CLASS.rows[2].graded.results[1].judgement
    secret: Any = {field: (Note(NoteKind.NUMBERS, "SECRET"),) if field == "notes" else "SECRET"}
    assert "SECRET" not in view_of_hidden(judgement=replace(judgement, **secret))


def view_of_hidden(**changes: Any) -> str:
    """Return all that a view has of a student whose result of the hidden test has these changes."""
    row = CLASS.rows[2]
    public, hidden = row.graded.results
    graded = replace(row.graded, results=(public, replace(hidden, **changes)))
    return repr(student_views(ASSIGNMENT)(replace(row, graded=graded)))


def test_the_command_of_a_hidden_test_is_not_shown() -> None:
    row = CLASS.rows[2]
    text = student_text(ASSIGNMENT, student_views(ASSIGNMENT)(row))
    page = feedback_page_writer(ASSIGNMENT)(student_views(ASSIGNMENT)(row))
    assert (text.count("run: "), page.count("run: ")) == (1, 1)


@dataclass(frozen=True)
class Advice(Finding):
    """Words for the student, and others for the instructor."""

    words: str
    secret: str

    def view(self, _: Submission) -> FindingView:
        """Return nothing."""
        return FindingView()

    def for_student(self) -> "Advice | None":
        """Return the words for the student."""
        return replace(self, secret="") if self.words else None


def test_of_findings_students_see_their_part() -> None:
    findings = (Advice("Look at line 3", "It is a copy"), Advice("", "It is a copy"))
    row = replace(CLASS.rows[0], graded=replace(CLASS.rows[0].graded, findings=findings))
    assert student_views(ASSIGNMENT)(row).graded.findings == (Advice("Look at line 3", ""),)


def test_a_hidden_test_has_the_same_number_for_everybody() -> None:
    assert {row.graded.results[1].test.id for row in map(student_views(ASSIGNMENT), CLASS.rows)} == {"hidden test 1"}


def test_hidden_tests_and_groups_have_names_in_the_language_of_the_student() -> None:
    group = TestGroup(id="g", title="", part=HIDDEN.part, points=Decimal(1), count=GroupCount.ALL, bonus=False)
    assignment = replace(ASSIGNMENT, groups=(group,))
    grouped = replace(CLASS.rows[2].graded, groups=(GroupResult(group, (HIDDEN.id,), 0, Fraction(0)),))
    with speaking("zh_CN"):
        view = student_views(assignment)(replace(CLASS.rows[2], graded=grouped))
        told = student_text(assignment, view), feedback_page_writer(assignment)(view)
    assert all("隐藏测试 1" in text and "隐藏测试组 1" in text for text in told)
    assert "hidden test" not in "".join(told)


def test_nothing_handed_in_is_one_sentence() -> None:
    row = next(row for row in CLASS.rows if not row.graded.submission.files)
    view = student_views(ASSIGNMENT)(row)
    text, page = student_text(ASSIGNMENT, view), feedback_page_writer(ASSIGNMENT)(view)
    assert text.endswith("\n\nNothing was handed in.\n")
    assert "<p>Nothing was handed in.</p>" in page
    assert not any(test.id in text or f"test-{test.id}" in page for test in ASSIGNMENT.tests)
    other = replace(view.graded, submission=replace(view.graded.submission, unused=("notes.txt",)))
    text = student_text(ASSIGNMENT, StudentView(replace(view, graded=other)))
    assert "notes.txt is not used" in text
    assert text.endswith("\n\nNo program was handed in; expected: double.py.\n")
    why = {"double.py": "double.py is larger than 1 MB"}
    other = replace(view.graded, submission=replace(view.graded.submission, refused=why))
    assert student_text(ASSIGNMENT, StudentView(replace(view, graded=other))).endswith(f"\n\n{why['double.py']}.\n")


def test_the_cause_is_kept_without_its_sentence() -> None:
    wrong = list(map(student_views(ASSIGNMENT), CLASS.rows))[2].graded.results[1].judgement
    assert wrong.diagnosis == Diagnosis(TEXT, "What a hidden test types and expects is not shown.")
    assert wrong.divergence is None


def test_hints_of_a_hidden_test_are_shown_with_its_failure() -> None:
    hints = Hints("Try large numbers.", (CauseHint(TEXT.id, "Mind the spelling."), CauseHint("crash", "SECRET")))
    row = CLASS.rows[2]
    public, hidden = row.graded.results
    results = (public, replace(hidden, test=replace(HIDDEN, hints=hints, hidden_twin_of=None)))
    view = student_views(ASSIGNMENT)(replace(row, graded=replace(row.graded, results=results)))
    [_, shown] = view.graded.results
    page = feedback_page_writer(ASSIGNMENT)(view)
    for text in (student_text(ASSIGNMENT, view), page, result_text(shown, view.graded.results)):
        assert "Hint: Mind the spelling." in text
        assert "Hint: Try large numbers." in text
        assert "SECRET" not in text


def test_hidden_tests_come_after_public_ones_in_one_list() -> None:
    row = CLASS.rows[2]
    public, hidden = row.graded.results
    assert public.verdict is hidden.verdict is Verdict.WRONG_OUTPUT
    first = replace(hidden, test=replace(HIDDEN, id="first", hints=Hints("A rule."), hidden_twin_of=None))
    second = replace(first, test=replace(first.test, id="second", hints=Hints("A detail.")))
    assignment = replace(ASSIGNMENT, tests=(first.test, second.test, PUBLIC))

    def view(*results: TestResult) -> StudentView:
        return student_views(assignment)(replace(row, graded=replace(row.graded, results=results)))

    folded = "\nAlso fails 2 hidden tests: hidden test 1–2\n"
    after = f"{folded}  {NOT_SHOWN}\n  Hint: A rule.\n  Hint: A detail.\n"
    both = student_text(assignment, view(first, second, public))
    assert both.endswith(after)
    assert f"\n{PUBLIC.id}: " in both.removesuffix(after)
    passed = replace(public, judgement=Judgement(verdict=Verdict.PASSED, divergence=None, diagnosis=None))
    alone = student_text(assignment, view(first, second, passed))
    assert "Also fails" not in alone
    assert alone.index("hidden test 1  [") < alone.index("Hint: A rule.") < alone.index("hidden test 2  [")
    page = feedback_page_writer(assignment)(view(first, second, public))
    assert page.index(f'id="test-{PUBLIC.id}"') < page.index("Also fails 2 hidden tests") < page.index("Hint: A rule.")


def test_what_is_folded_failed_and_was_not_decided_by_a_person() -> None:
    row = CLASS.rows[2]
    public, hidden = row.graded.results
    decided = Judgement(verdict=Verdict.WRONG_OUTPUT, divergence=None, diagnosis=Diagnosis(OVERRIDE, "Decided: no."))
    not_judged = Judgement.without_verdict(INTERNAL_ERROR, "The disk is full.")
    for judgement in (decided, not_judged):
        results = (public, replace(hidden, judgement=judgement))
        view = student_views(ASSIGNMENT)(replace(row, graded=replace(row.graded, results=results)))
        assert "Also fails" not in student_text(ASSIGNMENT, view)


@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.WRONG_OUTPUT])
def test_the_hint_of_a_twin_is_shown_where_the_public_test_passes(verdict: Verdict) -> None:
    row = CLASS.rows[2]
    public, hidden = row.graded.results
    results = (
        replace(public, judgement=replace(public.judgement, verdict=verdict)),
        replace(hidden, test=replace(HIDDEN, hints=Hints("Is the sample written into the program?"))),
    )
    view = student_views(ASSIGNMENT)(replace(row, graded=replace(row.graded, results=results)))
    assert ("written into" in student_text(ASSIGNMENT, view)) is (verdict is Verdict.PASSED)


def test_a_sealed_test_keeps_its_seal() -> None:
    shown = replace(CLASS.rows[2].graded.results[0], test=replace(PUBLIC, sealed=True))
    row = replace(CLASS.rows[2], graded=replace(CLASS.rows[2].graded, results=(shown,)))
    [after] = student_views(ASSIGNMENT)(row).graded.results
    assert after.judgement.diagnosis == Diagnosis(SEALED, "Line 2 is the first wrong one; what is expected is sealed.")
    assert (after.verdict, after.outcome, after.expected) == (shown.verdict, shown.outcome, "")
    text = student_text(ASSIGNMENT, student_views(ASSIGNMENT)(row))
    assert "what is expected is sealed" in text
    assert EXPECTED[PUBLIC.id].splitlines()[1] not in text


def test_a_sealed_test_keeps_its_seal_when_the_program_does_not_end() -> None:
    """The sentence then cites the first wrong line before it says what came later."""
    wrong = CLASS.rows[2].graded.results[0]
    astray = Diagnosis(TEXT, "Line 2 is `Twice: 8`; expected `Double: 8`; later the program asks for more input.")
    judgement = replace(wrong.judgement, verdict=Verdict.TIMEOUT, diagnosis=astray)
    shown = replace(wrong, test=replace(PUBLIC, sealed=True), judgement=judgement)
    row = replace(CLASS.rows[2], graded=replace(CLASS.rows[2].graded, results=(shown,)))
    [after] = student_views(ASSIGNMENT)(row).graded.results
    assert after.verdict is Verdict.TIMEOUT
    assert after.judgement.diagnosis == Diagnosis(SEALED, "Line 2 is the first wrong one; what is expected is sealed.")
