"""Students are found in a list by id, email address and name, and never by guessing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.submission import Submission, TimeSource
from grader.plugins.platforms.shared.student_matching import (
    StudentPerson,
    comparable_person,
    match_students,
    person_of_submission,
)

LISTED = [
    comparable_person(moodle=["101"], ids=["z1"], emails=["zoe@example.org"], names=["Zoë  O'Brien"]),
    comparable_person(moodle=["102"], ids=["z2"], emails=["lee@example.org"], names=["Lee, Sam"]),
    comparable_person(moodle=["103"], ids=["z3"], emails=["other@example.org"], names=["Sam Lee"]),
    comparable_person(canvas=["104"], names=["李小龍"]),
]


ADVICE = "add an id, email address or name from there to roster.csv"


def known_as(student: str) -> StudentPerson:
    return person_of_submission(
        Submission(student=student, files=(), submitted=None, time_source=TimeSource.NONE, notes=())
    )


@pytest.mark.parametrize(
    ("student", "place"),
    [
        ("101", 0),
        ("Z1", 0),
        ("ZOE@example.org", 0),
        ("zoe\u0308 o'brien", 0),
        ("李小龍", 3),
        ("104", 3),
        ("Somebody Else_103_assignsubmission_file_", 2),
        ("Somebody Else_103_assignsubmission_file", 2),
    ],
)
def test_found(student: str, place: int) -> None:
    assert match_students([(student, known_as(student))], LISTED).places == {student: place}


@pytest.mark.parametrize(
    ("student", "problem"),
    [
        ("sam lee", "sam lee: 2 rows of the sheet fit"),
        ("Zoe O'Brien", f"Zoe O'Brien: is not in the sheet; {ADVICE}"),
        ("", f": is not in the sheet; {ADVICE}"),
        (
            "Some Body_104_assignsubmission_file_",
            f"Some Body_104_assignsubmission_file_: is not in the sheet; {ADVICE}",
        ),
    ],
)
def test_not_found(student: str, problem: str) -> None:
    matches = match_students([(student, known_as(student))], LISTED)
    assert matches.places == {}
    assert matches.problems == (problem,)


def test_an_id_counts_more_than_a_name() -> None:
    who = comparable_person(ids=["z3"], names=["Lee, Sam"])
    assert match_students([("z3", who)], LISTED).places == {"z3": 2}


def test_two_students_never_get_the_same_row() -> None:
    matches = match_students([(student, known_as(student)) for student in ("z1", "101", "z2")], LISTED)
    assert matches.places == {"z2": 1}
    assert matches.problems == ("z1: the same row of the sheet as 101", "101: the same row of the sheet as z1")


TEXTS = st.sampled_from(["", "a", "A", "b", "c", "a b", "b, a"])
PERSONS = st.builds(lambda one, two, three: comparable_person([one], [two], [three], moodle=[two]), TEXTS, TEXTS, TEXTS)


@given(st.lists(PERSONS, max_size=6), st.lists(PERSONS, max_size=6))
def test_everybody_is_found_or_named_and_no_row_is_given_twice(
    students: list[StudentPerson], listed: list[StudentPerson]
) -> None:
    named = [(str(count), who) for count, who in enumerate(students)]
    matches = match_students(named, listed)
    unmatched = [problem.partition(":")[0] for problem in matches.problems]
    assert sorted([*matches.places, *unmatched]) == sorted(name for name, _ in named)
    assert len(set(matches.places.values())) == len(matches.places)


@given(st.lists(PERSONS, max_size=5), st.lists(PERSONS, max_size=5))
def test_the_order_of_the_list_makes_no_difference(students: list[StudentPerson], listed: list[StudentPerson]) -> None:
    named = [(str(count), who) for count, who in enumerate(students)]
    turned = match_students(named, listed[::-1]).places
    assert {student: len(listed) - 1 - place for student, place in turned.items()} == match_students(
        named, listed
    ).places
