"""Writes the forms in which students request a regrade.

They list public tests and manually marked items, so students do not learn about hidden tests.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from grader.model.assignment import Assignment
from grader.model.test import Visibility
from grader.platforms.platform import ExportedFiles

_WHOLE = "the mark as a whole"


def mail_form(assignment: Assignment, _course: Path, _sandbox: str) -> ExportedFiles:
    """Return an email to copy; students must keep the words before the colons."""
    text = f"""\
Subject: [{assignment.id}] Please look again

Student:
About:
Request:

--\x20
Write your name as in your feedback after "Student:", and what to look at again, and why, below "Request:".
After "About:" goes one of these, or nothing for {_WHOLE}:
{_listed(assignment)}
To ask about two of them, write "About:" and "Request:" twice.
"""
    return ExportedFiles({"request-mail.txt": text.encode()})


def issue_form(assignment: Assignment, _course: Path, _sandbox: str) -> ExportedFiles:
    """Return an archive with the templates of issues, to unpack in a repository."""
    name = f"regrade-{assignment.id}"
    files = {
        f".github/ISSUE_TEMPLATE/{name}.yml": _github(assignment),
        f".gitlab/issue_templates/{name}.md": _gitlab(assignment),
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file, text in files.items():
            packed.writestr(zipfile.ZipInfo(file), text)
    return ExportedFiles({"request-issue.zip": archive.getvalue()})


def moodle_form(assignment: Assignment, _course: Path, _sandbox: str) -> ExportedFiles:
    """Return the questions of a feedback activity, with their labels."""
    text = f"""\
A Feedback activity in Moodle, for those who ask to have {assignment.title} looked at again.
Settings: "Record user names: User's name will be logged and shown with answers"; "Allow multiple submissions: Yes".
Questions, with the label that each has:

1. Label: student    Short text answer    What is your name in your feedback?
2. Label: about      Multiple choice - single answer, not required    What is it about?
{_listed(assignment)}
3. Label: request    Longer text answer, required    What should be looked at again, and why?

"Show responses", "Download table data as: Comma separated values" gives the file that `grader requests` reads.
"""
    return ExportedFiles({"request-moodle.txt": text.encode()})


def _subjects(assignment: Assignment) -> Iterator[tuple[str, str]]:
    """Yield the possible subjects of a request, with their titles."""
    yield from ((test.id, test.title) for test in assignment.tests if test.visibility is Visibility.PUBLIC)
    yield from ((item.id, item.title) for item in assignment.manual)


def _listed(assignment: Assignment) -> str:
    return "\n".join(f"    {name}    {title}".rstrip() for name, title in _subjects(assignment))


def _github(assignment: Assignment) -> str:
    subjects = [_WHOLE, *(name for name, _ in _subjects(assignment))]
    answer = {
        "type": "textarea",
        "id": "request",
        "attributes": {"label": "Request"},
        "validations": {"required": True},
    }
    form = {
        "name": f"Another look: {assignment.title}",
        "description": f"Ask to have {assignment.title} looked at again",
        "title": f"[{assignment.id}] Please look again",
        "labels": ["regrade"],
        "body": [
            {"type": "input", "id": "student", "attributes": {"label": "Student"}, "validations": {"required": True}},
            {"type": "dropdown", "id": "about", "attributes": {"label": "About", "options": subjects, "default": 0}},
            answer,
        ],
    }
    return yaml.safe_dump(form, sort_keys=False, allow_unicode=True)


def _gitlab(assignment: Assignment) -> str:
    notes = f"<!-- Under About goes one of these, or nothing for {_WHOLE}:\n{_listed(assignment)}\n-->"
    return f"### Student\n\n\n### About\n\n\n### Request\n\n\n{notes}\n"
