"""Requests of students come into requests.yaml, and nothing that they wrote is lost."""

import pytest
import yaml

from tests.conftest import RIGHT, Grader, SmallCourse

FIRST = "Student: ann\nAbout: small\nRequest:\nWhy?\nIt is: 'right' # really\n"


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    for student in ("ann", "bob"):
        small_course.hand_in(student, RIGHT)
    (small_course.students / "roster.csv").write_text("id,name,email\nann,Ann Ash,a.ash@uni.example\nbob,Bob,\n")
    return small_course


def sent(course: SmallCourse, text: str, name: str = "sent.txt") -> str:
    (course.folder / name).write_text(text)
    return name


def entries(course: SmallCourse) -> list[dict[str, object]]:
    content = yaml.safe_load((course.students / "requests.yaml").read_text())
    requests: list[dict[str, object]] = content["requests"]
    return requests


def test_requests_are_added_once(course: SmallCourse, grader: Grader) -> None:
    run = grader("requests", "submissions", sent(course, FIRST))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.endswith("requests.yaml: 1 new request\n")
    asked = {"id": 1, "student": "ann", "about": "small", "request": "Why?\nIt is: 'right' # really"}
    assert entries(course) == [asked]
    again = grader("requests", "submissions", sent(course, FIRST + "Student: Bob\nRequest: Look.\n"))
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.endswith("requests.yaml: 1 new request; 1 there already\n")
    assert entries(course) == [asked, {"id": 2, "student": "bob", "request": "Look."}]


@pytest.mark.parametrize(
    ("before", "numbers"),
    [
        ("format: 1\nrequests: []  # none\n", [1]),
        (
            "# ours\nformat: 1\nrequests:\n- id: 7\n  student: bob  # he\n  request: x\n  state: declined\n"
            "  answer: No.\n  by: Eve",
            [7, 8],
        ),
        ("format: 1\nrequests:\n    - {id: a, student: bob, request: x}\n", ["a", 1]),
    ],
)
def test_what_people_wrote_stays(course: SmallCourse, grader: Grader, before: str, numbers: list[object]) -> None:
    file = course.students / "requests.yaml"
    file.write_text(before)
    run = grader("requests", "submissions", sent(course, FIRST))
    assert run.returncode == 0, run.stderr
    assert file.read_text().startswith(before.rstrip().replace(" []", ""))
    assert [entry["id"] for entry in entries(course)] == numbers


def test_a_layout_that_takes_no_entries_is_left_and_the_entries_are_told(course: SmallCourse, grader: Grader) -> None:
    before = "requests: [{id: 1, student: bob, request: x}]\nformat: 1\n"
    file = course.students / "requests.yaml"
    file.write_text(before)
    run = grader("requests", "submissions", sent(course, FIRST))
    assert run.returncode == 2
    assert "put this into its list" in run.stderr
    assert "It is: 'right' # really" in run.stderr
    assert file.read_text() == before


def test_what_a_person_should_look_at_is_told_with_its_place(course: SmallCourse, grader: Grader) -> None:
    text = (
        "Student: anne\nRequest: who?\n"
        "Student: ann\nAbout: smal\nRequest: what?\n"
        "Student: ann\nRequest:\n"
        "Student: ann\nRequest: twice\n"
        "Student: ann\nRequest:  twice\n"
    )
    run = grader("requests", "submissions", sent(course, text))
    assert run.returncode == 1
    assert run.stderr.splitlines() == [
        "sent.txt:1:1: no submission of `anne`; did you mean `ann`?; taken under this name",
        "sent.txt:3:1: there is no test, item or rule `smal`; did you mean `small`?; taken about the whole mark",
        "sent.txt:6:1: `ann` asks nothing: the text is empty",
        "sent.txt:10:1: the same request as in sent.txt:8:1; it is taken once",
    ]
    assert [(entry["student"], entry["request"]) for entry in entries(course)] == [
        ("anne", "who?"),
        ("ann", "About smal:\nwhat?"),
        ("ann", "twice"),
    ]


def test_a_name_of_two_students_is_settled_by_the_sender(course: SmallCourse, grader: Grader) -> None:
    (course.students / "roster.csv").write_text("id,name,email\nann,Ada Love,a@x.edu\nbob,Ada Love,b@x.edu\n")
    run = grader(
        "requests", "submissions", sent(course, "From: b@x.edu\n\nStudent: Ada Love\nRequest: why?\n", "1.eml")
    )
    other = grader("requests", "submissions", sent(course, "Student: ada love\nRequest: what?\n"))
    told = "sent.txt:1:1: `ada love` fits `ann` and `bob`; taken under this name: correct it\n"
    assert (run.returncode, run.stderr, other.stderr) == (0, "", told)
    assert [entry["student"] for entry in entries(course)] == ["bob", "ada love"]


def test_a_name_that_no_file_can_have_keeps_none_from_the_next(course: SmallCourse, grader: Grader) -> None:
    strange = "Content-Type: text/plain; charset=utf-7\n\nStudent: x+2AA-\nRequest: Why?\n"
    begin = "From x@x Mon Mar  2 09:00:00 2026\nFrom: x@x\n"
    run = grader("requests", "submissions", sent(course, f"{begin}{strange}\n{begin}\n{FIRST}", "all.mbox"))
    assert "no submission of `x" in run.stderr
    assert run.returncode == 1
    assert [entry["student"] for entry in entries(course)] == ["x_", "ann"]


def test_students_are_known_by_their_address_and_full_name(course: SmallCourse, grader: Grader) -> None:
    mail = "From: A <A.Ash@uni.example>\nSubject: x\n\nPlease look.\n"
    table = "Full name,student,request\nAnn Ash,,Here.\nBob,ann,There.\n"
    run = grader("requests", "submissions", sent(course, mail, "a.eml"), sent(course, table, "b.csv"))
    assert [(entry["student"], entry["request"]) for entry in entries(course)] == [
        ("ann", "Please look."),
        ("ann", "Here."),
        ("ann", "There."),
    ]
    assert run.stderr == "b.csv:3:1: `bob` sent this in the name of `ann`: ask them\n"


@pytest.mark.slow
def test_a_request_reaches_the_feedback(course: SmallCourse, grader: Grader) -> None:
    grader("requests", "submissions", sent(course, FIRST))
    assert grader("grade", "submissions").returncode == 0
    feedback = "".join(file.read_text() for file in course.reports.rglob("ann.txt"))
    assert "It is: 'right' # really" in feedback


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("request-mail", "request-mail.txt"),
        ("request-issue", "request-issue.zip"),
        ("request-moodle", "request-moodle.txt"),
    ],
)
def test_forms_are_exports_of_an_assignment(course: SmallCourse, grader: Grader, name: str, file: str) -> None:
    run = grader("export", name, "doubles", "--output", "forms")
    assert run.returncode == 0, run.stderr
    assert [path.name for path in (course.folder / "forms").iterdir()] == [file]


def test_a_hidden_test_has_the_number_that_students_see(course: SmallCourse, grader: Grader) -> None:
    text = "Student: ann\nAbout: Hidden  test 1\nRequest: Why?\nStudent: ann\nAbout: hidden test 9\nRequest: Why not?\n"
    run = grader("requests", "submissions", sent(course, text))
    assert run.returncode == 1
    assert "there is no test, item or rule `hidden test 9`" in run.stderr
    assert [entry.get("about") for entry in entries(course)] == ["hidden-11", None]
