"""Markers decide on pages, and the files about the class say it."""

import json
import re
from decimal import Decimal

import pytest

from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import Client, entries, served


def decisions(course: SmallCourse) -> list[dict[str, object]]:
    lines = (course.folder / "reports" / "audit.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_the_class_says_what_is_to_do(marker: Client) -> None:
    page = marker.get("/index.html")
    assert page.status == 200
    assert (
        '<a href="/students/ann.html">ann</a></th><td class="mark">?</td><td>12</td><td>4/4</td><td>3</td>' in page.text
    )
    assert "5 of 5 students graded" not in page.text, "all are done"


def test_points_reach_the_file_and_the_page(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.student("ann")
    answer = marker.decide("points", page, 'id="item-comments"', student="ann", item="comments", points="1.5")
    assert (answer.status, answer.headers["location"]) == (303, "/students/ann.html#item-comments")
    assert entries(shared_course, "marks.yaml") == [{"student": "ann", "points": {"comments": "1.5"}}]
    page = marker.student("ann")
    assert '<button name="points" value="1.5" data-key="h1" aria-pressed="true">' in page.text
    marker.decide("points", page, 'id="item-comments"', student="ann", item="comments", points="")
    assert entries(shared_course, "marks.yaml") == []
    last = decisions(shared_course)[-2:]
    assert [(one["before"], one["after"], one["by"], one["students"]) for one in last] == [
        (None, "1.5", "Eve", ["ann"]),
        ("1.5", None, "Eve", ["ann"]),
    ]


def test_a_rule_that_asks_is_decided_beside_its_code(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.student("bob")
    assert '<div class="l rule" id="code-1-1"><span class="n">1</span>' in page.text
    assert '<a href="#code-1-1">double.py:1</a>' in page.text
    marker.decide("rule", page, 'id="rule-main"', student="bob", rule="main", decision="confirm")
    assert entries(shared_course, "marks.yaml") == [{"student": "bob", "confirm": ["main"]}]
    page = marker.student("bob")
    assert "Rule broken" in page.text
    marker.decide("rule", page, 'id="rule-main"', student="bob", rule="main", decision="waive")
    assert entries(shared_course, "marks.yaml") == [{"student": "bob", "waive": ["main"]}]


@pytest.mark.slow
def test_a_part_of_the_class_is_gone_through_by_itself(course: SmallCourse) -> None:
    (course.students / "roster.csv").write_text("login,section\nann,A\nbob,B\ncon,B\ncy,A\n")
    with served(course) as address:
        marker = Client(address).enter("Eve")
        whole, part = (marker.get(f"/students/ann.html{query}") for query in ("", "?r0=A&text=x&r7=B"))
        assert 'data-next="bob.html"' in whole.text
        assert 'data-next="cy.html?r0=A"' in part.text
        assert 'data-waiting="cy.html?r0=A"' in part.text
        assert 'href="cy.html?r0=A"' in part.text
        assert 'data-class="/index.html?r0=A"' in part.text
        answer = marker.decide("points", part, 'id="item-names"', student="ann", item="names", points="1")
        assert answer.headers["location"] == "/students/ann.html?r0=A#item-names"
        # Who is not in the part that an address names is shown all the same.
        assert 'data-next="cy.html?r0=A"' in marker.get("/students/bob.html?r0=A").text


def test_a_verdict_and_a_mark_are_overridden_with_a_reason(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.student("bob")
    fields = {"student": "bob", "test": "small", "verdict": "passed", "reason": "an  appeal\n granted"}
    marker.decide("verdict", page, **fields, percent="50")
    [entry] = entries(shared_course, "overrides.yaml")
    assert entry == {**fields, "reason": "an appeal granted", "score": "0.5", "by": "Eve"}
    page = marker.student("bob")
    assert "test small: passed with 50 % of the points. Decided by Eve: an appeal granted" in page.text
    marker.decide("mark", page, student="bob", mark="2,5", reason="agreed", this_submission="yes")
    entry = entries(shared_course, "overrides.yaml")[1]
    assert (entry["mark"], len(str(entry["submission"]))) == ("2.5", 16)
    assert '<td class="mark">2.5</td>' in marker.get("/index.html").text
    page = marker.student("bob")
    marker.decide("verdict", page, 'id="test-small"', student="bob", test="small", take_back="yes")
    assert [entry.get("test") for entry in entries(shared_course, "overrides.yaml")] == [None]
    logged = [(one["what"], one["key"], one["by"], one["students"]) for one in decisions(shared_course)[-3:]]
    assert logged == [
        (what, key, "Eve", ["bob"]) for what, key in (("verdict", "small"), ("mark", ""), ("verdict", "small"))
    ]


def test_tests_that_another_marker_decided_meanwhile_are_named(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.student("bob")
    fields = {"student": "bob", "verdict": "passed", "reason": "granted"}
    marker.decide("verdict", page, **fields, test="hidden-11", percent="10")
    answer = marker.decide("verdict", page, **fields, test="small", alike="hidden-11 hidden-12")
    assert answer.status == 400
    assert "except for what another marker changed in the meantime: `hidden-11`." in answer.text
    decided = {entry["test"]: entry.get("score") for entry in entries(shared_course, "overrides.yaml")}
    assert decided == {"hidden-11": "0.1", "small": None, "hidden-12": None}


def test_a_share_has_as_many_places_as_the_file(marker: Client, shared_course: SmallCourse) -> None:
    fields = {"student": "bob", "test": "small", "verdict": "passed", "reason": "granted"}
    marker.decide("verdict", marker.student("bob"), **fields, percent="33.3333")
    [entry] = entries(shared_course, "overrides.yaml")
    assert entry["score"] == "0.3333"


def test_a_comment_reaches_all_members_of_a_group(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.get("/groups.html")
    group = page.value("group", 'action="/decide/comment"')
    assert "bob" in page.text[: page.text.index(group) + 3000]
    comment = "Print Double.\n\n- not: Doubled # {}\t\x07\u2028é"
    answer = marker.decide("comment", page, group=group, comment=comment.replace("\n", "\r\n"))
    assert answer.headers["location"] == f"/groups.html#group-{group}"
    assert entries(shared_course, "comments.yaml") == [{"group": group, "comment": comment}]
    for student in ("bob", "cy"):
        assert "- not: Doubled # {}" in marker.student(student).text
    assert "- not: Doubled # {}" not in marker.student("ann").text
    assert decisions(shared_course)[-1]["students"] == ["bob", "cy"]
    page = marker.get("/groups.html")
    assert f">\n{comment}</textarea>" in page.text, "as it is, so that sending it again changes nothing"
    marker.decide("comment", page, group=group, comment="")
    assert entries(shared_course, "comments.yaml") == []


def test_requests_are_recorded_answered_and_opened_again(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.student("cy")
    marker.decide("request", page, student="cy", about="small", text="It is right!\r\nPlease look.")
    [entry] = entries(shared_course, "requests.yaml")
    assert entry == {
        "id": "1",
        "student": "cy",
        "about": "small",
        "request": "It is right!\nPlease look.",
        "state": "open",
    }
    page = marker.get("/requests.html")
    assert "It is right!" in page.text
    marker.decide("request", page, 'id="request-1"', request="1", state="declined", answer="Read the handout.")
    [entry] = entries(shared_course, "requests.yaml")
    assert (entry["state"], entry["answer"], entry["by"]) == ("declined", "Read the handout.", "Eve")
    assert "Read the handout." in marker.student("cy").text
    page = marker.get("/requests.html")
    marker.decide("request", page, 'id="request-1"', request="1", state="open", answer="")
    [entry] = entries(shared_course, "requests.yaml")
    assert "answer" not in entry


def test_requests_come_with_names(course: SmallCourse) -> None:
    (course.students / "roster.csv").write_text("login,name\nbob,Bob Ng\n")
    (course.students / "requests.yaml").write_text("format: 1\nrequests:\n  - {id: 1, student: bob, request: look}\n")
    with served(course, graded=False) as address:
        page = Client(address).enter("Eve").get("/requests.html")
    assert '<a href="/students/bob.html">bob</a> <span class="full-name">Bob Ng</span>' in page.text


def test_who_saw_something_else_is_shown_both_and_asked(address: str, shared_course: SmallCourse) -> None:
    eve, dan = Client(address).enter("Eve"), Client(address).enter("Dan")
    stale = dan.student("ann")
    fields = {"student": "ann", "item": "names"}
    eve.decide("points", eve.student("ann"), 'id="item-names"', **fields, points="1")
    answer = dan.decide("points", stale, 'id="item-names"', **fields, points="0.5")
    assert answer.status == 409
    assert "What the file says now" in answer.text
    assert entries(shared_course, "marks.yaml") == [{"student": "ann", "points": {"names": "1"}}]
    assert dan.decide("points", answer, **fields, points="0.5", back="/index.html").status == 303
    assert entries(shared_course, "marks.yaml") == [{"student": "ann", "points": {"names": "0.5"}}]


def test_two_new_requests_at_once_are_two(address: str, shared_course: SmallCourse) -> None:
    eve, dan = Client(address).enter("Eve"), Client(address).enter("Dan")
    pages = eve.student("ann"), dan.student("cy")
    assert eve.decide("request", pages[0], student="ann", text="a").status == 303
    assert dan.decide("request", pages[1], student="cy", text="b").status == 303
    assert [entry["student"] for entry in entries(shared_course, "requests.yaml")] == ["ann", "cy"]


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("points", {"item": "names", "points": "1.5"}, "expected points from 0 to 1"),
        ("points", {"item": "names", "points": "1e-9"}, "expected points from 0 to 1"),
        ("points", {"item": "names", "points": "NaN"}, "expected points from 0 to 1"),
        ("points", {"item": "names", "points": "-1"}, "expected points from 0 to 1"),
        ("points", {"item": "names", "points": "１"}, "expected points from 0 to 1"),
        ("points", {"item": "nam", "points": "1"}, "There is no such item"),
        ("rule", {"rule": "main", "decision": "shoot"}, "no such decision"),
        ("verdict", {"test": "no", "verdict": "passed", "reason": "x"}, "Choose the test"),
        ("verdict", {"test": "small", "verdict": "internal-error", "reason": "x"}, "Choose the verdict"),
        ("verdict", {"test": "small", "verdict": "passed", "reason": "  "}, "Write the reason"),
        ("verdict", {"test": "small", "verdict": "passed", "reason": "a\0b"}, "Write the reason"),
        ("mark", {"mark": "16", "reason": "x"}, "expected mark from 0 to 15"),
        ("request", {"text": " "}, "Write what the student asks"),
        ("request", {"text": "x", "about": "no"}, "there is no test, item or rule"),
        ("comment", {"group": "1", "comment": "half \ud800"}, None),
        ("nothing", {}, "There is no decision"),
    ],
)
def test_what_cannot_be_used_is_said(
    kind: str, fields: dict[str, str], said: str | None, marker: Client, shared_course: SmallCourse
) -> None:
    page = marker.student("ann")
    carried = {"form_key": page.value("form_key"), "seen": "", "back": "/index.html", "student": "ann", **fields}
    if said is None:
        body = "&".join(f"{name}={value}" for name, value in {**carried, "comment": "%ED%A0%80"}.items())
        answer = marker.ask("POST", f"/decide/{kind}", body)
        said = "no form of these pages"
    else:
        answer = marker.post(f"/decide/{kind}", **carried)
    assert answer.status == 400
    assert said in answer.text
    assert not list(shared_course.students.glob("*.yaml"))


def test_a_file_that_an_editor_broke_is_named_kept_and_taken_up_again(
    marker: Client, shared_course: SmallCourse
) -> None:
    file = shared_course.students / "overrides.yaml"
    file.write_text("format: 1\noverrides:\n  - {student: ann, mark: 3, reason: x, by: me}\n")
    assert '<td class="mark">3</td>' in marker.get("/index.html").text
    broken = "format: 1\noverrides:\n  - {student: ann, mark: 4, reason: x\n"
    file.write_text(broken)
    page = marker.get("/index.html")
    assert "overrides.yaml:4:1: this is not valid YAML" in page.text
    assert '<td class="mark">3</td>' in page.text, "what it said before holds meanwhile"
    student = marker.student("bob")
    answer = marker.decide("mark", student, student="bob", mark="1", reason="y")
    assert answer.status == 400
    assert "overrides.yaml:4:1: this is not valid YAML" in answer.text
    assert file.read_text() == broken
    points = marker.decide("points", student, 'id="item-names"', student="bob", item="names", points="1")
    assert points.status == 303, "other files are written"
    file.write_text("format: 1\noverrides:\n  - {student: ann, mark: 4, reason: x, by: me}\n")
    page = marker.get("/index.html")
    assert "not valid YAML" not in page.text
    assert '<td class="mark">4</td>' in page.text


def test_comments_and_layout_of_a_file_stay(marker: Client, shared_course: SmallCourse) -> None:
    file = shared_course.students / "marks.yaml"
    file.write_text("# mine\nformat: 1\nmarks:\n  # Ann\n  - student: ann  # late\n    points: {comments: 1}\n")
    page = marker.student("ann")
    marker.decide("points", page, 'id="item-names"', student="ann", item="names", points="0.5")
    assert file.read_text() == (
        "# mine\nformat: 1\nmarks:\n  # Ann\n  - student: ann  # late\n    points: {comments: 1, names: 0.5}\n"
    )


def test_a_huge_comment_is_refused_and_a_large_one_kept(marker: Client, shared_course: SmallCourse) -> None:
    page = marker.get("/groups.html")
    group = page.value("group", 'action="/decide/comment"')
    answer = marker.decide("comment", page, group=group, comment="x" * 300_000)
    assert (answer.status, "This is too long" in answer.text) == (400, True)
    assert marker.decide("comment", page, group=group, comment="word\n" * 20_000).status == 303
    assert entries(shared_course, "comments.yaml")[0]["comment"] == ("word\n" * 20_000).strip()


@pytest.mark.slow
def test_students_are_numbers_if_they_are_to_be(course: SmallCourse) -> None:
    requests = "format: 1\nrequests:\n  - {id: 1, student: bob, request: please}\n"
    (course.students / "requests.yaml").write_text(requests)
    with served(course, anonymous=True) as address:
        marker = Client(address).enter("Eve")
        pages = {
            path: marker.get(path).text
            for path in ("/index.html", "/groups.html", "/requests.html", "/overview.html", "/tests/small.html")
        }
        links = sorted(set(re.findall(r'href="(/students/\d+\.html)"', pages["/index.html"])))
        assert len(links) == 5
        pages |= {link: marker.get(link).text for link in links}
        for path, text in pages.items():
            for name in ("ann", "bob", ">cy<"):
                assert name not in text.replace("Eve", ""), (path, name)
        key = links[0].removeprefix("/students/").removesuffix(".html")
        marker.decide("points", marker.get(links[0]), 'id="item-names"', student=key, item="names", points="1")
        assert marker.get("/students/ann.html").status == 404
        (course.students / "overrides.yaml").write_text("format: 1\noverrides:\n  - {student: ann, test: zed}\n")
        page = marker.get("/index.html").text
        assert "overrides.yaml:3:5: there is a mistake here" in page
        assert "zed" not in page
    (course.students / "overrides.yaml").unlink()
    [entry] = entries(course, "marks.yaml")
    assert entry["student"] in ("ann", "bob", "cy", "con", "<img src=x onerror=window.hit=1>")
    with served(course, anonymous=True) as address:
        again = Client(address).enter("Eve").get("/index.html").text
        assert all(link in again for link in links), "the numbers are the same in every run"


def test_the_marks_are_those_that_grading_gives(marker: Client) -> None:
    page = marker.student("ann")
    for item, points in (("names", "1"), ("comments", "2")):
        marker.decide("points", page, f'id="item-{item}"', student="ann", item=item, points=points)
    assert f'<td class="mark">{Decimal(15)}</td>' in marker.get("/index.html").text


def test_a_text_is_found_in_the_files_of_the_class(marker: Client) -> None:
    page = marker.get("/search.html?text=PRINT%28%22doubled")
    assert 'href="/students/bob.html#code-1-1">bob, double.py:1</a>' in page.text
    assert 'id="code-1-1"' in marker.student("bob").text
    assert "ann, double.py" not in page.text
    assert "0 lines of 0 students" in marker.get("/search.html?text=no+such+text").text
    assert 'role="status">' not in marker.get("/search.html").text.partition("<main")[2]
    assert "&lt;script&gt;" in marker.get("/search.html?text=%3Cscript%3E").text
