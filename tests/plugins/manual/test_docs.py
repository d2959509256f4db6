"""`grader docs`: the manual in the terminal."""

import re

import pytest

from grader.plugins.manual.door import Door
from grader.plugins.manual.pages import ManualError, Page, find, manual, search
from tests import ROOT
from tests.conftest import Grader

PAGES = (
    Page("guides/late-days", "# Take off for lateness\n\nSee [the mark](../concepts/mark.md#how), a bank of days.\n"),
    Page(
        "guides/python",
        "# Use results in Python\n\n![A picture](../images/a.png)\nSo [far](https://example.org/b.md).\n",
    ),
    Page("concepts/mark", "# From a test to a mark\n\n```yaml file=a/b.yaml\nlate: 3\n```\n"),
    Page("reference/python", "# Python\n\nA bank.\n"),
)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("late-days", "guides/late-days"),
        ("python", "guides/python"),
        ("reference/python", "reference/python"),
        ("concepts/mark.md", "concepts/mark"),
        ("Take off for lateness", "guides/late-days"),
    ],
)
def test_a_page_is_found_by_name_path_or_title(name: str, path: str) -> None:
    page = find(name, PAGES)
    assert page is not None
    assert page.path == path


def test_no_page_has_such_a_name() -> None:
    assert find("lateness", PAGES) is None


def test_pages_are_found_by_words_and_titles_come_first() -> None:
    assert [page.path for page in search(["BANK"], PAGES)] == ["guides/late-days", "reference/python"]
    assert [page.path for page in search(["bank", "mark"], PAGES)] == ["guides/late-days"]
    assert [page.path for page in search(["mark"], PAGES)] == ["concepts/mark", "guides/late-days"]


def test_a_word_of_no_page_is_told_with_the_closest_names() -> None:
    message = r"No page of the manual has `late-dyas`\. The closest pages are `late-days`\."
    with pytest.raises(ManualError, match=message):
        search(["late-dyas"], PAGES)


def test_a_terminal_has_no_links_and_pictures_and_names_files() -> None:
    texts = [page.for_terminal() for page in PAGES[:3]]
    assert "See the mark, a bank of days." in texts[0]
    assert "picture" not in texts[1]
    assert "`a/b.yaml`:\n\n```yaml\nlate: 3" in texts[2]


def test_pages_that_a_page_links_to() -> None:
    assert [list(page.linked()) for page in PAGES] == [["concepts/mark"], [], [], []]


def test_the_line_with_a_word() -> None:
    assert PAGES[0].line_with(["bank"]) == "See the mark, a bank of days."
    assert PAGES[0].line_with(["lateness"]) == ""


def test_a_door_has_its_pages_in_order_and_others_after_them() -> None:
    door = Door("Guides", "guides", {"First": ("b", "missing"), "Last": ("a",)})
    pages = frozenset({"guides/a", "guides/b", "guides/z", "guides/files/y", "guides/files/x", "start/a"})
    assert list(door.arranged(pages)) == [
        ("First", ("guides/b",)),
        ("Last", ("guides/a", "guides/z")),
        ("Files", ("guides/files/x", "guides/files/y")),
    ]


def test_the_list_names_every_page_of_three_doors(grader: Grader) -> None:
    listed = re.findall(r"^  (\S+) +(.*)$", grader("docs").stdout, re.M)
    pages = [page for page in manual() if page.path.startswith(("start/", "guides/", "concepts/"))]
    assert [(page.name, page.title) for page in pages] == listed


def test_a_page_is_shown_with_those_that_it_links_to(grader: Grader) -> None:
    shown = grader("docs", "when-input-is-typed").stdout
    assert shown.lstrip().startswith("When input is typed")
    assert "](" not in shown
    assert "\nMore:\n" in shown
    assert "\n  grader docs start/students  Check your program before you hand it in\n" in shown


def test_words_without_hyphens_name_a_page(grader: Grader) -> None:
    assert grader("docs", "first", "class").stdout == grader("docs", "first-class").stdout


def test_words_are_looked_for(grader: Grader) -> None:
    lines = grader("docs", "loopback").stdout.splitlines()
    assert "concepts/sandbox: What the sandbox keeps out" in lines
    assert any("not even a loopback" in line for line in lines)


def test_a_word_that_no_page_has(grader: Grader) -> None:
    run = grader("docs", "xylophone")
    assert (run.returncode, run.stdout) == (2, "")
    assert "No page of the manual has `xylophone`." in run.stderr


def test_messages_and_pages_name_guides_that_there_are() -> None:
    files = [file for ending in ("py", "html") for file in (ROOT / "grader").rglob(f"*.{ending}")]
    named = {
        name
        for file in files
        if "plugins/manual" not in file.as_posix()
        for name in re.findall(r"grader docs ([a-z0-9/-]+)", file.read_text(encoding="utf-8"))
    }
    assert len(named) >= 5
    assert {name for name in named if find(name, manual()) is None} == set()
