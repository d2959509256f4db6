"""Marks that are sent to a stand-in for Canvas."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from grader.model.submission import StudentIdentity
from grader.platforms.platform import Delivery, DeliveryExport, DeliveryPlanner, ExportError, ExportOptions
from grader.plugins.exporting.formats import export_format
from grader.plugins.platforms.canvas.client import CanvasClient, UnknownOutcomeError
from grader.plugins.platforms.canvas.delivery import CanvasPlace, plan_delivery
from tests.grading.hidden_example import CLASS, EXCUSED, LATE, NOTHING, OPEN, RIGHT, WRONG
from tests.plugins.platforms.canvas_server import ASSIGNMENT, TOKEN, Answer, StandInCanvas

GRADED = replace(
    CLASS,
    rows=tuple(
        replace(row, graded=replace(row.graded, submission=replace(row.graded.submission, identity=who)))
        for row, who in (
            (RIGHT, StudentIdentity(id="Z1")),
            (LATE, StudentIdentity(canvas="2")),
            (WRONG, StudentIdentity(login="zoe")),
            (NOTHING, StudentIdentity(id="z9")),
            (OPEN, StudentIdentity(email="again@example.org")),
            (EXCUSED, EXCUSED.graded.submission.identity),
        )
    ),
)
USERS: list[dict[str, Any]] = [
    {"id": 1, "name": "Zoë O'Brien", "sis_user_id": "z1", "login_id": "zob"},
    {"id": 2, "name": "李小龍", "sis_user_id": None},
    {"id": 3, "name": "Zoe \x1b[31m", "login_id": "zoe"},
    # The name alone is not enough to be sent a mark.
    {"id": 4, "name": "z1234567", "sis_user_id": "z8"},
    {"id": 5, "name": "Again", "login_id": "again@example.org"},
    {"id": 6, "name": "Łucja", "login_id": "lu"},
]
SUBMISSIONS = "GET /api/v1/courses/5/assignments/77/submissions"
UPDATE = "POST /api/v1/courses/5/assignments/77/submissions/update_grades"
TOO_MANY = Answer("429 Too Many Requests (Rate Limit Exceeded)", 429)


@pytest.fixture
def canvas(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInCanvas]:
    """A course with all students of the example but one; two have a submission on Canvas."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    known: dict[int, dict[str, Any]] = {
        1: {"user_id": 1, "score": 3.0, "entered_score": 3.5, "excused": False, "submission_comments": []},
        2: {"user_id": 2, "score": None, "excused": None, "submission_comments": [{"id": 1, "comment": "Hello"}]},
    }
    with StandInCanvas([dict(user) for user in USERS], submissions=known) as server:
        yield server


def planned(canvas: StandInCanvas, pauses: list[float] | None = None, token: str = TOKEN) -> Delivery:
    wait = (pauses if pauses is not None else []).append
    client = CanvasClient(canvas.address, token, wait)
    return plan_delivery(GRADED, CanvasPlace(client, "5", "77", wait))


def test_first_it_is_only_shown(canvas: StandInCanvas) -> None:
    delivery = planned(canvas)
    assert [line.replace("\x1b", "") for line in delivery.lines] == list(delivery.lines)
    assert delivery.lines == (
        "Zoë O'Brien, \"Zo\" (Zoë O'Brien, 1): 3.5 → 4, with a comment",
        "李小龍 (李小龍, 2): no mark → 3.6, with a comment",
        "=HYPERLINK(1) (Zoe <U+001B>[31m, 3): no mark → 0, with a comment",
        "z7 (Łucja, 6): no mark → excused, with a comment",
    )
    assert delivery.students == {RIGHT.student, "李小龍", "=HYPERLINK(1)", "z7"}
    assert delivery.left_out == (
        "z1234567: is not in the list of students on Canvas; add an id, email address or name from there to roster.csv",
        "again@example.org: a test has to be run again (internal error)",
    )
    assert delivery.notes[0].startswith("excused")
    assert canvas.sent == 0
    # Two to a page: three pages of users, one of submissions, and the assignment.
    assert len(canvas.requests) == 5
    (agent,) = canvas.agents
    assert agent.startswith("grader/")


def test_what_is_sent_is_sent_once(canvas: StandInCanvas) -> None:
    pauses: list[float] = []
    assert planned(canvas, pauses).send() == ()
    assert pauses == [0.5, 1.0]
    got = {user: (found["score"], found["excused"]) for user, found in canvas.submissions.items()}
    assert got == {1: (4.0, False), 2: (3.6, False), 3: (0.0, False), 6: (None, True)}
    comments = [one["comment"] for one in canvas.submissions[2]["submission_comments"]]
    assert comments[0] == "Hello"
    assert comments[1].startswith("Mark: 3.6 of 4. Points: 4 of 4. Handed in")
    again = planned(canvas)
    assert (again.lines, again.students) == ((), frozenset())
    assert again.notes[-1].startswith("Canvas knows this already: Zoë")
    canvas.submissions[2] |= {"entered_score": 3.5999999999999996}
    assert planned(canvas).lines == ()
    canvas.submissions[2] |= {"entered_score": 1.0}
    (line,) = planned(canvas).lines
    assert line == "李小龍 (李小龍, 2): 1 → 3.6"
    assert canvas.sent == 1


def test_a_student_excused_there_is_left_so(canvas: StandInCanvas) -> None:
    canvas.submissions[1] |= {"excused": True, "score": None, "entered_score": None}
    delivery = planned(canvas)
    assert 'Zoë O\'Brien, "Zo": excused on Canvas, which was left so' in delivery.left_out
    assert RIGHT.student not in delivery.students


def test_canvas_takes_no_more_requests_for_a_while(canvas: StandInCanvas) -> None:
    older = Answer("403 Forbidden (Rate Limit Exceeded)", 403)
    asked = Answer("", 429, {"Retry-After": "7"})
    canvas.obstacles = [(SUBMISSIONS, TOO_MANY), (SUBMISSIONS, older), (UPDATE, TOO_MANY), (UPDATE, asked)]
    pauses: list[float] = []
    assert planned(canvas, pauses).send() == ()
    assert pauses == [1.0, 2.0, 1.0, 7.0, 0.5, 1.0]
    # Canvas had not looked at the two that it refused.
    assert canvas.sent == 3
    assert len(canvas.submissions[1]["submission_comments"]) == 1


def test_the_wait_has_an_end(canvas: StandInCanvas) -> None:
    canvas.obstacles = [(SUBMISSIONS, TOO_MANY)] * 8
    pauses: list[float] = []
    with pytest.raises(ExportError, match="no more requests for now"):
        planned(canvas, pauses)
    assert (len(pauses), canvas.obstacles) == (7, [])


@pytest.mark.parametrize("obstacle", [None, Answer("<h1>Bad gateway</h1>", 502)])
def test_what_may_have_arrived_is_not_sent_again(canvas: StandInCanvas, obstacle: Answer | None) -> None:
    delivery = planned(canvas)
    canvas.obstacles = [(UPDATE, obstacle)]
    with pytest.raises(UnknownOutcomeError, match="It is not known whether the marks were taken"):
        delivery.send()
    assert canvas.sent == 1
    # The next run finds out.
    assert len(planned(canvas).lines) == (0 if obstacle is None else 4)


def test_canvas_tells_what_it_did_not_take(canvas: StandInCanvas) -> None:
    canvas.refused = {2}
    assert planned(canvas).send() == ("李小龍 (李小龍, 2): no mark → 3.6, with a comment: Canvas did not take it",)


@pytest.mark.parametrize(
    ("state", "message"),
    [("failed", r"Couldn't find User\(s\)\. The marks had been sent"), ("running", "still entering .* had been sent")],
)
def test_a_progress_that_ends_badly(canvas: StandInCanvas, state: str, message: str) -> None:
    canvas.states = [state]
    with pytest.raises(ExportError, match=message):
        planned(canvas).send()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"published": False}, "Doubling is not published"),
        ({"grading_type": "pass_fail"}, "not graded in points"),
        ({"group_category_id": 3}, "all of a group one mark"),
        ({"points_possible": 10.0}, "10"),
        ({"points_possible": None}, "points"),
    ],
)
def test_an_assignment_that_does_not_fit(canvas: StandInCanvas, change: dict[str, Any], message: str) -> None:
    canvas.assignment |= change
    with pytest.raises(ExportError, match=message):
        planned(canvas)
    canvas.assignment = ASSIGNMENT | {"group_category_id": 3, "grade_group_students_individually": True}
    assert planned(canvas).lines


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer({"errors": []}, 403), "may not use /api/v1/courses/5/assignments/77/submissions; marks need"),
        (Answer({}, 404), "Canvas knows no /api"),
        (Answer("", 302, {"Location": "http://evil.example/"}), r"redirection \(302\)"),
        (Answer(f"no \x1b {TOKEN}", 418), r"refused /api.*\(418\): no <U\+001B> \(token\)$"),
        (Answer("oops", 500), "a fault of its own"),
        (Answer("<html>"), "with no JSON"),
        (Answer({}), "no list of objects"),
        (Answer([3]), "no list of objects"),
        (Answer([{"anonymous_id": "a1"}]), "anonymous grading"),
        (Answer([], headers={"Link": '<https://evil.example/next>; rel="next"'}), "leads to evil.example, to which"),
    ],
)
def test_answers_that_end_it(canvas: StandInCanvas, answer: Answer, message: str) -> None:
    canvas.obstacles = [(SUBMISSIONS, answer)]
    with pytest.raises(ExportError, match=message):
        planned(canvas)
    assert canvas.obstacles == []


def test_pages_that_go_in_a_circle(canvas: StandInCanvas) -> None:
    circle = Answer([], headers={"Link": f'<{canvas.address}/api/v1/courses/5/users?x>; rel="next"'})
    canvas.obstacles = [("GET /api/v1/courses/5/users", circle)] * 3
    with pytest.raises(ExportError, match="again and again"):
        planned(canvas)


def test_a_wrong_token_and_no_server(canvas: StandInCanvas) -> None:
    with pytest.raises(ExportError, match="does not know the token in CANVAS_TOKEN"):
        planned(canvas, token="7~other")
    canvas.obstacles = [("/77", Answer([]))]
    with pytest.raises(ExportError, match="with a list"):
        planned(canvas)
    canvas.obstacles = [("/77", None)]
    with pytest.raises(ExportError, match="gave no answer"):
        planned(canvas)
    canvas.address = "http://127.0.0.1:1"
    with pytest.raises(ExportError, match="cannot be reached"):
        planned(canvas)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("school.instructure.com", "is no address"),
        ("https://school.instructure.com/courses/5", "is no address"),
        ("https://me:key@school.instructure.com", "is no address"),
        ("https://school.instructure.com:port", "is no address"),
        ("ftp://school.instructure.com", "is no address"),
        ("http://school.instructure.com", "for all to read"),
        ("http://10.0.0.1", "for all to read"),
    ],
)
def test_addresses_that_get_no_token(address: str, message: str) -> None:
    with pytest.raises(ExportError, match=message):
        CanvasClient(address, TOKEN)


@pytest.mark.parametrize("address", ["https://school.instructure.com/", "http://localhost:3000", "http://[::1]:3000"])
def test_addresses_that_do(address: str) -> None:
    CanvasClient(address, TOKEN).close()


def planner(url: str | None = None, course: str | None = None, assignment: str | None = None) -> DeliveryPlanner:
    export = export_format("canvas-api")
    assert isinstance(export, DeliveryExport)
    return export.planner(ExportOptions(canvas_url=url, canvas_course=course, canvas_assignment=assignment))


def test_the_token_comes_from_the_environment(canvas: StandInCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CANVAS_TOKEN", raising=False)
    with pytest.raises(ExportError, match="Say where to: --canvas-url, --canvas-course and --canvas-assignment"):
        planner(canvas.address, "", "77")
    with pytest.raises(ExportError, match=r"Put your token .* into the variable CANVAS_TOKEN"):
        planner(canvas.address, "5", "77")
    monkeypatch.setenv("CANVAS_TOKEN", f" {TOKEN}\n")
    assert len(planner(canvas.address, "5", "77")(GRADED).lines) == 4
    with pytest.raises(ExportError, match="look at --canvas-course"):
        planner(canvas.address, "../5", "77")(GRADED)
    assert canvas.requests[-1] == "GET /api/v1/courses/..%2F5/assignments/77"


def test_the_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "grader.plugins.platforms.canvas.client")
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ExportError, match=r"install it with: .*\[canvas\]"):
        planner()


def test_marks_with_halves(canvas: StandInCanvas) -> None:
    (row,) = (row for row in GRADED.rows if row.student == RIGHT.student)
    assert row.mark
    half = replace(GRADED, rows=(replace(row, mark=replace(row.mark, adjusted=Decimal("3.50"))),))
    place = CanvasPlace(CanvasClient(canvas.address, TOKEN), "5", "77")
    # 3.5 is what was entered there; only the comment is new.
    assert plan_delivery(half, place).lines == ("Zoë O'Brien, \"Zo\" (Zoë O'Brien, 1): 3.5 → 3.5, with a comment",)
