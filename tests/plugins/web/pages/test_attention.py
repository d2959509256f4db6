"""The matters of a class that wait for a person."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.analysis.item_statistics import item_statistics
from grader.model.general_causes import NEEDS_REVIEW
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.model.regrade import RegradeRequest, RequestState
from grader.model.results import StudentResult
from grader.plugins.web.pages.attention import WaitingStudents, waiting_matters
from grader.plugins.web.pages.class_pages import StudentLink
from tests.reports.site_example import CLASS, MARKED, row


def judged(student: str, *verdicts: Verdict, manual: bool = True) -> StudentResult:
    """A student whose tests have these verdicts."""
    marked = row(student, manual=MARKED) if manual else row(student)
    results = tuple(
        replace(result, judgement=Judgement(verdict=verdict))
        for result, verdict in zip(marked.graded.results, verdicts, strict=True)
    )
    return replace(marked, graded=replace(marked.graded, results=results), to_confirm=())


def waiting(*rows: StudentResult) -> Mapping[str, Sequence[str]]:
    """The names by the reasons that they wait."""
    students = WaitingStudents()
    for one in rows:
        students.add(one, one.graded.results)
    links = {one.student: StudentLink(one.student, "", one.student) for one in rows}
    items = {item.test: item for item in item_statistics(one.graded for one in rows)}
    matters = waiting_matters(students, items, links, {test.id: test.id for test in CLASS.assignment.tests})
    return {
        matter.id: [link.student for link in matter.students] or [test for test, _ in matter.tests]
        for matter in matters
    }


GOOD = judged("good", Verdict.PASSED, Verdict.PASSED)


def test_nothing_waits_where_all_is_judged() -> None:
    assert waiting(GOOD, judged("wrong", Verdict.PASSED, Verdict.WRONG_OUTPUT)) == {}


def test_missing_files_and_whole_programs_that_crash() -> None:
    rows = (
        GOOD,
        judged("missing", Verdict.MISSING_FILE, Verdict.PASSED),
        judged("falls", Verdict.CRASH, Verdict.BUILD_ERROR),
        judged("once", Verdict.CRASH, Verdict.PASSED),
    )
    assert waiting(*rows) == {"missing": ["missing"], "falls": ["falls"]}


def test_a_program_that_is_not_there_does_not_crash() -> None:
    assert waiting(GOOD, judged("missing", Verdict.MISSING_FILE, Verdict.MISSING_FILE)) == {"missing": ["missing"]}


def test_tests_to_review_and_to_run_again() -> None:
    review, rerun = judged("review", *[Verdict.INTERNAL_ERROR] * 2), judged("rerun", *[Verdict.INTERNAL_ERROR] * 2)
    diagnosis = Diagnosis(NEEDS_REVIEW, "A person must decide.")
    results = tuple(
        replace(result, judgement=replace(result.judgement, diagnosis=diagnosis)) for result in review.graded.results
    )
    review = replace(review, graded=replace(review.graded, results=results), mark=None)
    assert waiting(GOOD, review, replace(rerun, mark=None)) == {"review": ["review"], "rerun": ["rerun"]}


def test_what_the_staff_has_still_to_do() -> None:
    request = RegradeRequest(
        id="1", student="asks", about=None, text="Look again.", state=RequestState.OPEN, answer="", by=""
    )
    rows = (
        GOOD,
        replace(judged("marking", Verdict.PASSED, Verdict.PASSED, manual=False)),
        replace(judged("asks", Verdict.PASSED, Verdict.PASSED), requests=(request,)),
        replace(judged("confirm", Verdict.PASSED, Verdict.PASSED), to_confirm=row("confirm").to_confirm),
        replace(judged("lost", Verdict.PASSED, Verdict.PASSED), mark=None),
    )
    assert waiting(*rows) == {
        "confirm": ["confirm"],
        "marking": ["marking"],
        "requests": ["asks"],
        "open": ["lost"],
    }


def test_tests_that_nobody_passes() -> None:
    rows = [judged(name, Verdict.PASSED, Verdict.WRONG_OUTPUT) for name in ("ann", "bob")]
    assert waiting(*rows) == {"unpassed": ["talk"]}
