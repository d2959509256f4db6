"""Edits of YAML that people wrote: what was asked for is said then, all else and every comment is as before."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.config.yaml_reader import YamlData, document_in
from grader.errors import SpecError
from grader.plugins.web.serve.editing.yaml_edit import DropValue, PutValue, YamlEditError, edited
from grader.plugins.web.serve.editing.yaml_text import comments_in, yaml_text

FILE = Path("marks.yaml")
MARKS = """\
# yaml-language-server: $schema=x
# Who is missing here is not yet marked.
format: 1
marks:   # in any order
  - {student: ann, points: {names: 1, 'a "b"': 0.5}}  # late, but fine
  # Bob asked for time.
  - student: bob   # the tutor of Monday
    points:
      names: 1.5  # one was odd

    confirm: [main,   # told him
              honest]
    waive:
      - docs
      # not the others
      - style
# The end.
"""


def after(text: str, *edits: PutValue | DropValue) -> str:
    return edited(FILE, text, edits)


def lines_added(before: str, now: str) -> list[str]:
    return [line for line in now.splitlines() if line not in before.splitlines()]


def test_a_value_changes_where_it_stands() -> None:
    now = after(MARKS, PutValue(("marks", 0, "points", "names"), "2"), PutValue(("marks", 1, "points", "names"), "0"))
    assert now == MARKS.replace("{names: 1,", "{names: 2,").replace("names: 1.5  #", "names: 0  #")


def test_a_key_is_added_in_the_layout_around_it() -> None:
    now = after(
        MARKS, PutValue(("marks", 0, "confirm"), ["main"]), PutValue(("marks", 1, "points", "layout: all"), "1")
    )
    assert lines_added(MARKS, now) == [
        """  - {student: ann, points: {names: 1, 'a "b"': 0.5}, confirm: [main]}  # late, but fine""",
        "      'layout: all': 1",
    ]


def test_items_are_added_to_both_kinds_of_lists() -> None:
    now = after(
        MARKS,
        PutValue(("marks", 1, "confirm", 2), "#3"),
        PutValue(("marks", 1, "waive", 2), "- x"),
        PutValue(("marks", 2), {"student": "cy", "points": {"names": "1"}}),
    )
    assert lines_added(MARKS, now) == [
        "              honest, '#3']",
        "      - '- x'",
        "  - {student: cy, points: {names: 1}}",
    ]
    assert now.endswith("# The end.\n")


def test_what_is_taken_out_leaves_its_comments() -> None:
    now = after(MARKS, DropValue(("marks", 1, "confirm")), DropValue(("marks", 1, "waive", 0)), DropValue(("marks", 0)))
    assert now == (
        "# yaml-language-server: $schema=x\n# Who is missing here is not yet marked.\nformat: 1\n"
        "marks:   # in any order\n"
        "  # late, but fine\n  # Bob asked for time.\n"
        "  - student: bob   # the tutor of Monday\n"
        "    points:\n      names: 1.5  # one was odd\n\n"
        "    # told him\n"
        "    waive:\n      # not the others\n      - style\n"
        "# The end.\n"
    )


def test_an_empty_list_is_left_and_filled_again() -> None:
    text = "format: 1\ncomments:\n  - group: 12ab  # the ace\n    comment: |\n      One.\n\n      Two.\n# The end.\n"
    empty = after(text, DropValue(("comments", 0)))
    assert document_in(FILE, empty).data == {"format": "1", "comments": []}
    full = after(empty, PutValue(("comments", 0), {"group": "34cd", "comment": "Three.\n\nFour."}))
    assert document_in(FILE, full).data == {
        "format": "1",
        "comments": [{"group": "34cd", "comment": "Three.\n\nFour."}],
    }
    assert "comments:\n" in full
    assert (
        full.endswith("    comment: |-\n      Three.\n\n      Four.\n    # the ace\n# The end.\n")
        or "# the ace" in full
    )
    assert after("comments: []  # none\n", PutValue(("comments", 0), "x")) == "comments:  # none\n  - x\n"


def test_lines_of_a_text_stay_below_each_other() -> None:
    text = "comments:\n- comment: old  # why\n  group: a\n- comment: |  # how\n    one\n    two\n\n  group: b\n"
    now = after(
        text,
        PutValue(("comments", 0, "comment"), "a: b\n  - c # d\ne"),
        PutValue(("comments", 1, "comment"), "x\n\n# y"),
    )
    assert now == (
        "comments:\n- comment: |-  # why\n    a: b\n      - c # d\n    e\n  group: a\n"
        "- comment: |-  # how\n    x\n\n    # y\n\n  group: b\n"
    )
    one = after(now, PutValue(("comments", 1, "comment"), "tab\tand \x07\x1b[31m \u2028 \u202e end "))
    assert one.splitlines()[6] == '- comment: "tab\\tand \\a\\e[31m \\L \u202e end "  # how'


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_stay_as_they_are(newline: str) -> None:
    text = MARKS.replace("\n", newline)
    now = after(text, PutValue(("marks", 2), {"student": "cy", "comment": "a\nb"}), DropValue(("marks", 1, "waive", 1)))
    assert now.count("\n") == now.count(newline)
    assert "\n" not in now.replace(newline, "")


def test_a_file_without_a_last_line_end() -> None:
    assert after("marks:\n- {student: a}", PutValue(("marks", 1), {"student": "b"})) == (
        "marks:\n- {student: a}\n- {student: b}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "marks:\n  - &a {student: ann, points: {x: 1}}\n  - *a\n",
        "marks:\n  - {student: ann, points: &p {x: 1}}\n  - {student: bob, points: *p}\n",
    ],
)
def test_what_is_used_twice_is_left_to_its_author(text: str) -> None:
    with pytest.raises(YamlEditError, match=r"marks.yaml:[23]:\d+: this cannot be changed here"):
        after(text, PutValue(("marks", 0, "points", "x"), "2"))
    with pytest.raises(YamlEditError):
        after(text, PutValue(("marks", 1, "points", "x"), "2"))


WORDS = st.sampled_from(
    ["a", "b c", "#", "x # y", "- z", "{", "yes", "1.50", "", "'", '"', "ä🂡", "a: b", "l1\nl2", "\t|"]
)
DATA: st.SearchStrategy[Any] = st.recursive(
    WORDS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=8,
)
REMARKS = ["  # one", " # - two: {", "\n# three", "\n      # four", "\n", ""]


@st.composite
def files(draw: st.DrawFn) -> str:
    """YAML in any layout, with comments strewn in, a byte order mark or Windows' line ends now and then."""
    entries = draw(st.lists(st.dictionaries(WORDS, DATA, min_size=1, max_size=3), min_size=1, max_size=3))
    style = draw(st.sampled_from([None, True, False]))
    text = yaml.dump(
        {"format": "1", "list": entries},
        allow_unicode=True,
        default_flow_style=style,
        width=draw(st.sampled_from([20, 80])),
        indent=draw(st.sampled_from([2, 4])),
        default_style=draw(st.sampled_from([None, None, "|", '"'])),
    )
    lines = [line + draw(st.sampled_from(REMARKS)) for line in text.splitlines()]
    whole = "\n".join(lines) + draw(st.sampled_from(["\n", "", "\n# end"]))
    return whole.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def places(data: YamlData, steps: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = dict(enumerate(data)) if isinstance(data, list) else data if isinstance(data, dict) else {}
    found = [steps] if steps else []
    for step, value in inner.items():
        found += places(value, (*steps, step))
    return found


def told(text: str) -> list[str]:
    return [one.rstrip() for one in comments_in(text, yaml_text(text, yaml.BaseLoader))]


def is_in_order(some: list[str], every: list[str]) -> bool:
    left = iter(every)
    return all(one in left for one in some)


def at(data: Any, steps: tuple[str | int, ...]) -> Any:
    for step in steps:
        data = data[step]
    return data


def tried(text: str, data: st.DataObject) -> tuple[Any, PutValue | DropValue]:
    """What a file should say after an edit at any place in it, and the edit."""
    expected: Any = document_in(FILE, text).data
    steps = data.draw(st.sampled_from(places(expected)))
    there, around, new = at(expected, steps), at(expected, steps[:-1]), data.draw(WORDS)
    if isinstance(there, str) and data.draw(st.booleans()):
        around[steps[-1]] = new
        return expected, PutValue(steps, new)
    if isinstance(there, list):
        there.append(new)
        return expected, PutValue((*steps, len(there) - 1), new)
    if isinstance(there, dict) and data.draw(st.booleans()):
        there["new key"] = new
        return expected, PutValue((*steps, "new key"), new)
    del around[steps[-1]]
    return expected, DropValue(steps)


@pytest.mark.slow
def test_any_file_says_the_same_but_for_the_edit() -> None:
    refused, made = [], []

    @settings(max_examples=50)
    @given(files(), st.data())
    def try_it(text: str, data: st.DataObject) -> None:
        try:
            document_in(FILE, text)
        except SpecError:
            assume(False)
        expected, edit = tried(text, data)
        try:
            now = after(text, edit)
        except YamlEditError:
            refused.append((text, edit))
            return
        made.append(now)
        assert document_in(FILE, now).data == expected
        assert is_in_order(told(text), told(now))

    try_it()
    assert len(refused) < len(made) / 5, refused
