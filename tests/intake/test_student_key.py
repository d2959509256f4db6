"""What students are called can be the name of a file, and is one student's alone."""

import os
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from grader.intake.attempt import Attempt, FileContents
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.distinct_names import disambiguate_names
from grader.text.names import student_key


@given(st.text())
def test_every_name_becomes_the_name_of_a_file(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        name = name.encode("utf-8", "replace").decode()
    key = student_key(name)
    assert key not in ("", ".", "..")
    assert not {"/", "\0"} & set(key)
    assert len(os.fsencode(f"{key}.txt.new")) <= 255


def test_names_that_are_fine_stay_as_they_are_and_long_ones_stay_different() -> None:
    assert student_key('Ada "=1+1", z1') == 'Ada "=1+1", z1'
    assert student_key(unicodedata.normalize("NFD", "José")) == unicodedata.normalize("NFC", "José")
    assert student_key("王" * 100 + "a") != student_key("王" * 100 + "b")


def test_students_of_the_same_name_are_told_apart() -> None:
    people = (
        StudentIdentity(name="Ada", moodle="1"),
        StudentIdentity(name="Ada", canvas="2"),
        StudentIdentity(name="Bob"),
    )
    arrivals = disambiguate_names(
        Attempt(student=str(one.name), contents=FileContents(), source="", identity=one) for one in people
    )
    assert [one.student for one in arrivals] == ["Ada (1)", "Ada (2)", "Bob"]
