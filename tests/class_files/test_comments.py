"""comments.yaml: comments for groups and for one student."""

from pathlib import Path

import pytest

from grader.class_files.comments import read_comments
from grader.errors import SpecError
from grader.model.results import StudentComment
from tests.class_files.marked_assignment import ASSIGNMENT, STUDENTS

GOOD = """\
format: 1
comments:
  - {group: d63dc4ca, comment: Read the handout.}
  - {student: ann, comment: Well laid out., by: Eve}
  - {student: ann, file: double.py, line: 3, comment: A clear name.}
  - {student: ann, about: names, comment: "Names, throughout."}
  - {student: nobody, comment: Where are you?}
"""


def test_comments_are_for_a_group_or_for_a_student(tmp_path: Path) -> None:
    file = tmp_path / "comments.yaml"
    file.write_text(GOOD)
    comments = read_comments(file, ASSIGNMENT, STUDENTS)
    assert [(one.group, one.text) for one in comments.groups] == [("d63dc4ca", "Read the handout.")]
    assert comments.of["ann"] == (
        StudentComment(text="Well laid out.", by="Eve"),
        StudentComment(text="A clear name.", file="double.py", line=3),
        StudentComment(text="Names, throughout.", about="names"),
    )
    assert [one.words for one in comments.of["ann"]] == [
        "Well laid out.",
        "double.py:3: A clear name.",
        "names: Names, throughout.",
    ]
    assert comments.notes == (f"{file}:7:15: no submission of `nobody`; expected one of: ann, bob, cy",)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{comment: x}", "expected either `group` or `student`"),
        ("{group: a, student: ann, comment: x}", "expected either `group` or `student`"),
        ("{student: ann, file: double.py, comment: x}", "expected `file` and `line` together"),
        ("{student: ann, file: double.py, line: 0, comment: x}", "found `0`; expected at least 1"),
        ("{student: ann, file: double.py, line: 1, about: names, comment: x}", "expected at most one of"),
        ("{student: ann, about: nams, comment: x}", "there is no test, item or rule `nams`"),
        ("{student: ann, comment: x}\n  - {student: ann, comment: y}", "this is commented on twice"),
    ],
)
def test_faults_are_named_at_their_place(entry: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "comments.yaml"
    file.write_text(f"format: 1\ncomments:\n  - {entry}\n")
    with pytest.raises(SpecError) as fault:
        read_comments(file, ASSIGNMENT, STUDENTS)
    assert message in str(fault.value)
