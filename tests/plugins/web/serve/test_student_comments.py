"""A comment for one student is in all that the student gets, and in results.json."""

import json
from pathlib import Path

import pytest

from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import Client, entries, marked_course, served
from tests.prepared_grader import PreparedGrader

COMMENTS = """\
format: 1
comments:
  - {student: ann, comment: Well laid out., by: Eve}
  - {student: ann, file: double.py, line: 1, comment: A clear name., by: Eve}
  - {student: ann, about: names, comment: Short ones., by: Eve}
"""


@pytest.mark.slow
def test_feedback_pages_and_results_have_it(tmp_path: Path, prepared: PreparedGrader) -> None:
    course = marked_course(tmp_path, ("ann", "bob"))
    (course.students / "comments.yaml").write_text(COMMENTS)
    for command in (["grade"], ["report"]):
        done = prepared.run(*command, "submissions/doubles", "--sandbox", "none", folder=course.folder)
        assert done.returncode in (0, 1), done.stderr
    texts = {file: file.read_text() for file in course.folder.rglob("*") if file.suffix in (".txt", ".html")}
    for words in ("Well laid out.", "A clear name.", "Short ones."):
        found = {file.suffix for file, text in texts.items() if words in text}
        assert found == {".txt", ".html"}
        assert not [file for file, text in texts.items() if words in text and file.stem == "bob"]
    pages = [text for file, text in texts.items() if file.suffix == ".html" and file.stem == "ann"]
    assert pages
    for text in pages:
        assert '<p class="remark said"><a href="#comments">A clear name.</a></p>' in text
    assert any("double.py:1: A clear name." in text for file, text in texts.items() if file.suffix == ".txt")
    [results] = course.folder.rglob("results.json")
    [ann] = [one for one in json.loads(results.read_text())["submissions"] if one["student"] == "ann"]
    assert [(one["text"], one["file"], one["line"], one["about"], one["by"]) for one in ann["remarks"]] == [
        ("Well laid out.", None, None, None, "Eve"),
        ("A clear name.", "double.py", 1, None, "Eve"),
        ("Short ones.", None, None, "names", "Eve"),
    ]


def test_comments_are_written_in_the_log_and_refused_where_there_is_nothing(
    marker: Client, shared_course: SmallCourse
) -> None:
    page = marker.student("ann")
    form = 'id="say-line"'
    for fields, words in (
        ({"file": "other.py", "line": "1", "comment": "x"}, "There is no file"),
        ({"file": "double.py", "line": "x", "comment": "x"}, "expected the number of a line"),
        ({"file": "double.py", "line": "1", "comment": " "}, "Write the comment"),
        ({"about": "nothing", "comment": "x"}, "There is no test, item or rule"),
    ):
        answer = marker.decide("remark", page, form, student="ann", **fields)
        assert (answer.status, words in answer.text) == (400, True)
        assert answer.text.count('id="problem"') == 1
    marker.decide("remark", page, form, student="ann", file="double.py", line="2", comment="fine")
    assert entries(shared_course, "comments.yaml")[0]["line"] == "2"
    log = (shared_course.folder / "reports" / "audit.jsonl").read_text().splitlines()
    last = json.loads(log[-1])
    assert (last["what"], last["key"], last["students"], last["by"]) == ("remark", "double.py:2", ["ann"], "Eve")


@pytest.mark.slow
def test_a_marker_who_sees_no_names_comments_without_them(tmp_path: Path) -> None:
    course = marked_course(tmp_path, ("bob",))
    course.hand_in("zarathustra", "# by zarathustra\nprint(1)\n")
    (course.students / "comments.yaml").write_text(
        "format: 1\ncomments:\n  - {student: zarathustra, file: double.py, line: 2, comment: Dear zarathustra}\n"
    )
    with served(course, anonymous=True) as address:
        marker = Client(address).enter("Eve")
        numbers = [part.split(".html")[0] for part in marker.get("/index.html").text.split('href="/students/')[1:]]
        pages = [marker.get(f"/students/{number}.html").text for number in numbers]
        shown = [page for page in pages if "Dear" in page]
        assert len(shown) == 1
        assert "zarathustra" not in shown[0].partition('class="remark said"')[2].partition("</p>")[0]
        assert 'data-line="code-1-2"' in shown[0]
