"""What a form asks for is found again in what students send, whatever they write."""

import io
import zipfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.requests.fields import form_fields
from grader.plugins.requests.forms import issue_form, mail_form, moodle_form
from tests.class_files.marked_assignment import ASSIGNMENT

PUBLIC = [test.id for test in ASSIGNMENT.tests if test.visibility == "public"]
HIDDEN = [test.id for test in ASSIGNMENT.tests if test.visibility == "hidden"]
ITEMS = [item.id for item in ASSIGNMENT.manual]
WORDS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters=":#-<>"), min_size=1).filter(
    lambda text: text.lower() != "none"
)


def mail() -> str:
    return mail_form(ASSIGNMENT, Path(), "none").files["request-mail.txt"].decode()


def issues() -> dict[str, str]:
    content = issue_form(ASSIGNMENT, Path(), "none").files["request-issue.zip"]
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def test_forms_name_what_students_know_of() -> None:
    moodle = moodle_form(ASSIGNMENT, Path(), "none").files["request-moodle.txt"].decode()
    github, gitlab = issues().values()
    options = yaml.safe_load(github)["body"][1]["attributes"]["options"]
    assert options[1:] == [*PUBLIC, *ITEMS]
    for text in (mail(), moodle, gitlab):
        assert all(f"    {name}" in text for name in (*PUBLIC, *ITEMS))
        assert not any(f"    {name}" in text for name in HIDDEN)


@given(WORDS, WORDS, st.lists(WORDS, min_size=1))
def test_a_mail_that_was_filled_in(student: str, about: str, lines: list[str]) -> None:
    request = "\n".join(lines)
    text = mail().replace("Student:", f"Student: {student}", 1).replace("About:", f"About: {about}", 1)
    text = text.replace("Request:\n", f"Request:\n{request}\n", 1)
    [fields] = form_fields(text)
    assert [fields.get(name) for name in ("student", "about", "request")] == [student, about, request]


def test_a_mail_about_two_tests() -> None:
    text = "Student: ann\nAbout: small\nRequest: one\nAbout: large\nRequest:\ntwo\nlines\n--\nAbout: x\nRequest: y\n"
    assert [(one.line, one.get("student"), one.get("about"), one.get("request")) for one in form_fields(text)] == [
        (1, "ann", "small", "one"),
        (4, "ann", "large", "two\nlines"),
    ]


def test_an_issue_that_was_filled_in() -> None:
    text = "### Student\n\nann\n\n### About\n\nthe mark as a whole\n\n### Request\n\n_No response_"
    [fields] = form_fields(text)
    assert [fields.get(name) for name in ("student", "about", "request")] == ["ann", "", ""]
    gitlab = next(text for name, text in issues().items() if name.startswith(".gitlab"))
    [fields] = form_fields(gitlab.replace("### Request\n", "### Request\nWhy?\n"))
    assert [fields.get(name) for name in ("student", "about", "request")] == ["", "", "Why?"]


@pytest.mark.parametrize("text", ["Dear all,\nplease look.", "I ask: what about: x?", "Requested: x"])
def test_a_text_without_the_form_is_a_request_as_it_is(text: str) -> None:
    [fields] = form_fields(f"{text}\n-- \nAnn")
    assert (fields.get("student"), fields.get("request")) == ("", text)
