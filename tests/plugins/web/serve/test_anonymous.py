"""On the pages for anonymous marking, no field of an identity is in any byte that is sent."""

import re

import pytest

from tests.conftest import RIGHT, SmallCourse
from tests.plugins.web.serve.marked_course import Client, served

ROSTER = """\
id,name,email,login
z1234567,"Lovelace, Ada",countess@school.example,lovelace7
z7654321,李 雷,li@school.example,leili
z9999999,Mary O'Hara,mary@school.example,mohara
"""
ADAS = f'''\
# Written by Ada Lovelace (Z1234567), with the help of 李雷 and mohara
# countess@school.example, friend@elsewhere.example
"""By LOVELACE."""
print("Ada Lovelace, z1234567,", "Mary O'Hara")
{RIGHT}'''
REQUESTS = """\
format: 1
requests:
  - {id: 1, student: z1234567, request: "I am Ada Lovelace; Lei saw it. Please look again, countess@school.example"}
"""
COMMENTS = """\
format: 1
comments:
  - {student: z9999999, file: mohara_duble.py, line: 1, comment: A clear name.}
"""
SECRETS = (
    *("lovelace", "z1234567", "countess", "elsewhere.example", "lovelace7", "ada lovelace"),
    *("李雷", "李 雷", "z7654321", "li@school", "leili"),
    *("o'hara", "o&#39;hara", "z9999999", "mary@", "mohara"),
)


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    """Return a class that says everywhere who is who."""
    folder = small_course.hand_in("z1234567", ADAS)
    (folder / "lovelace_notes.txt").write_text("mine")
    small_course.hand_in("z7654321", RIGHT.replace("2 *", "3 *"))
    late = small_course.hand_in("z9999999", None)
    (late / "mohara_duble.py").write_text(RIGHT)
    (small_course.students / "roster.csv").write_text(ROSTER)
    (small_course.students / "requests.yaml").write_text(REQUESTS)
    (small_course.students / "comments.yaml").write_text(COMMENTS)
    return small_course


def all_pages(address: str) -> dict[str, str]:
    """Return all that a marker can reach by links, by address."""
    marker = Client(address).enter("Eve")
    searches = [f"/search.html?text={text}" for text in ("Written", "Lovelace", "Double")]
    waiting = ["/index.html", *searches]
    pages: dict[str, str] = {}
    while waiting:
        path = waiting.pop()
        if path in pages:
            continue
        answer = marker.get(path)
        pages[path] = f"{answer.status} {answer.headers}\n{answer.text}"
        waiting += (link.partition("#")[0] for link in re.findall(r'(?:href|src)="(/[^"]*)"', answer.text))
    return pages


@pytest.mark.slow
def test_nothing_that_is_sent_tells_who_a_student_is(course: SmallCourse) -> None:
    with served(course, anonymous=True) as address:
        pages = all_pages(address)
    students = [path for path in pages if path.startswith("/students/")]
    assert len({path.partition("?")[0] for path in students}) == 3
    assert {"/index.html", "/groups.html", "/requests.html", "/overview.html"} <= set(pages)
    told = [
        (path, secret)
        for path, text in pages.items()
        if "/search.html?text=Lovelace" not in path
        for secret in SECRETS
        if secret in text.casefold()
    ]
    assert told == []
    shown = "".join(pages[path] for path in students)
    assert "with the help of student" in re.sub("<[^>]*>", "", shown)
    assert "0 lines of 0 students" in pages["/search.html?text=Lovelace"]


def test_the_same_pages_have_names_otherwise(course: SmallCourse) -> None:
    with served(course) as address:
        text = "".join(all_pages(address).values()).casefold()
    assert [
        secret for secret in ("ada lovelace", "z1234567", "李雷", "mohara", "countess@") if secret not in text
    ] == []


@pytest.mark.slow
def test_numbers_stay_and_are_made_with_a_secret(course: SmallCourse) -> None:
    def numbers() -> set[str]:
        with served(course, anonymous=True) as address:
            page = Client(address).enter("Eve").get("/index.html").text
        return set(re.findall(r"student \d+", page))

    key = course.folder / "reports" / "anonymous-numbers.key"
    first = numbers()
    secret = key.read_bytes()
    assert len(first) == 3
    assert (len(secret), key.stat().st_mode & 0o777) == (32, 0o600)
    assert numbers() == first
    assert key.read_bytes() == secret
    key.unlink()
    assert numbers() != first


@pytest.mark.slow
def test_times_are_shown_to_the_hour(course: SmallCourse) -> None:
    (course.students / "z1234567" / "submission.yaml").write_text("submitted: 2025-10-20 21:34:56\n")
    for anonymous, shown in (False, ":34:56"), (True, ":00:00"):
        with served(course, anonymous=anonymous) as address:
            pages = "".join(all_pages(address).values())
        assert f"2025-10-20 21{shown}" in pages
        assert anonymous == (":34:56" not in pages)
