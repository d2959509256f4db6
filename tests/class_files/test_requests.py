"""requests.yaml is read, its slips are named with their place, and the answers reach the student."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.class_files.requests import RegradeRequests, read_requests
from grader.errors import SpecError
from grader.grading.student_view import student_views
from grader.model.regrade import RegradeRequest, RequestState
from grader.model.test import Visibility
from grader.reports.student_text import student_text
from tests.class_files.marked_assignment import ASSIGNMENT, STUDENTS
from tests.reports import graded_example

DECLINED = RegradeRequest(
    id="b", student="bob", about="small", text="Why?\nIt is right.", state=RequestState.DECLINED, answer="No.", by="Eve"
)


def read(folder: Path, entries: str) -> RegradeRequests:
    file = folder / "requests.yaml"
    file.write_text(f"format: 1\nrequests:{entries}\n")
    return read_requests(file, ASSIGNMENT, STUDENTS)


def test_requests_by_student(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "\n- {id: 1, student: ann, request: ' please '}"
        '\n- {id: b, student: bob, about: small, request: "Why?\\nIt is right.", state: declined, answer: No., by: Eve}'
        "\n- {id: 3, student: bop, request: x}",
    )
    assert found.of["ann"] == (RegradeRequest(id="1", student="ann", about=None, text="please"),)
    assert found.of["bob"] == (DECLINED,)
    assert [note.partition(": ")[2] for note in found.notes] == ["no submission of `bop`; did you mean `bob`?"]
    assert read(tmp_path, " []").all == ()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{id: 1, student: ann}", "3:3: the key `request` is missing here"),
        ("{id: 1, student: ann, request: ''}", "3:34: found nothing; expected a text"),
        ("{id: 1, student: ann, request: x, about: smal}", "3:44: there is no test, item or rule `smal`; did you mean"),
        ("{id: 1, student: ann, request: x, answer: y}", "found `answer` of an open request"),
        ("{id: 1, student: ann, request: x, state: declined}", "expected the `answer` with it, and `by` whom"),
        ("{id: 1, student: ann, request: x, state: answered, answer: y}", "expected the `answer` with it"),
        ("{id: 1, student: ann, request: x, state: done}", "found `done`; expected"),
        ("{id: 1, student: ann, request: x}\n- {id: 1, student: bob, request: x}", "4:8: `1` is given twice"),
    ],
)
def test_slips(entry: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as error:
        read(tmp_path, f"\n- {entry}")
    assert said in str(error.value)


def test_the_student_is_told_the_answer() -> None:
    row = replace(graded_example.row("bob", "wrong"), requests=(DECLINED,))
    text = student_text(graded_example.ASSIGNMENT, student_views(graded_example.ASSIGNMENT)(row))
    assert "Request b about small: declined by Eve\n  > Why?\n  > It is right.\n    No.\n" in text


def test_a_hidden_test_is_not_named_to_students() -> None:
    row = replace(graded_example.row("bob", "wrong"), requests=(DECLINED,))
    for visibility, about in (Visibility.HIDDEN, "hidden test 1"), (Visibility.PUBLIC, "small"):
        tests = tuple(replace(test, visibility=visibility) for test in ASSIGNMENT.tests if test.id == "small")
        assert student_views(replace(ASSIGNMENT, tests=tests))(row).requests[0].about == about
