"""A recorded test goes into a tests file whose own text stays as it is."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.config.validation import validate
from grader.config.yaml_reader import read_document
from grader.model.ending import ExitsBetween
from grader.plugins.recording.test_file import EditedTest, RecordError, new_tests_file, with_test
from grader.spec.tests_file import TestsFile

ENTRY = EditedTest(id="new", title="", public=False, points="0", lines=("7", "1--773", ""), exit_status=0)
ADDED = "- id: new\n  points: 0\n  input: [7, 1--773, '']\n"


def added(text: str, entry: EditedTest = ENTRY) -> str:
    return with_test(Path("game.yaml"), text, entry)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  - {id: a, input: []}\n", ""),
        ("  - {id: a, input: []}  # why\n", ""),
        ("  - {id: a, input: []}", ""),
        ("  - id: a\n    input:\n      - x\n", "\n# about the next one\n\n"),
        ("  - id: a\n    title: |\n      # no comment\n    input: []\n", "part: b\n"),
        ("  - id: a\n    input: []\n    title: |\n      # no comment\n", "# the end\n"),
        ("  - id: a\n    title: long\n      and folded\n", "...\n"),
        ('  - id: a\n    title: "long\n\n      and quoted"\n', ""),
    ],
)
def test_the_rest_of_the_file_stays(before: str, after: str) -> None:
    head = "# head\nformat: 1\ntests:\n"
    indented = "".join(f"  {line}\n" for line in ADDED.splitlines())
    newline = "" if before.endswith("\n") else "\n"
    assert added(head + before + after) == head + before + newline + indented + after


def test_the_file_keeps_its_indentation_and_line_ends() -> None:
    assert added("tests:\r\n- id: a\r\n  input: []\r\n") == (
        "tests:\r\n- id: a\r\n  input: []\r\n" + ADDED.replace("\n", "\r\n")
    )


@pytest.mark.parametrize("text", ["tests: [{id: a}]\n", "tests: []\n", "tests:\n", "other: 1\n", "[]\n"])
def test_tests_that_are_no_list_of_lines(text: str) -> None:
    with pytest.raises(RecordError, match="begins with `-`"):
        added(text)


def test_many_lines_stand_below_each_other() -> None:
    text = added(
        "tests:\n  - id: a\n",
        EditedTest(id="new", title="a: title", public=True, points="1.5", lines=("x" * 60, "y" * 60), exit_status=1),
    )
    assert text.endswith(
        "  - id: new\n    title: 'a: title'\n    visibility: public\n    points: 1.5\n    input:\n"
        f"    - {'x' * 60}\n    - {'y' * 60}\n    exit_status: 1\n"
    )


@settings(max_examples=20)
@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"])), max_size=5),
    st.text("ab: #'", max_size=9),
)
def test_what_was_typed_is_read_back(tmp_path_factory: pytest.TempPathFactory, lines: list[str], title: str) -> None:
    entry = EditedTest(id="new", title=title, public=False, points="0", lines=tuple(lines), exit_status=3)
    file = tmp_path_factory.mktemp("tests") / "game.yaml"
    file.write_text(with_test(file, new_tests_file("game.py", "game", ENTRY), entry), encoding="utf-8", newline="")
    first, second = validate(read_document(file), TestsFile).content.tests
    assert first.input == ENTRY.lines
    assert (second.input, second.title, second.exit_status) == (entry.lines, entry.title, ExitsBetween(3, 3))
