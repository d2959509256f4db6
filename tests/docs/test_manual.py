"""The manual: how long it is, how its pages begin, and that its links lead somewhere."""

import re
from functools import cache
from pathlib import Path

import pytest

from grader.plugins.manual.contents import DOORS
from tests import ROOT
from tests.docs.shown import steps_without_result
from tools.site_pages import PAGES

DOCS = ROOT / "docs"
MANUAL = sorted(file for door in DOORS for file in (DOCS / door.folder).rglob("*.md"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *MANUAL]
COUNTED = [ROOT / "README.md", *(file for file in MANUAL if "reference" not in file.relative_to(DOCS).parts)]
BLOCKS = re.compile(r"^```.*?^```$", re.M | re.S)
LINKS = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")

MAX_WORDS, MAX_WORDS_OF_A_PAGE = 22_000, 1_500
MAX_GUIDES, MAX_WORDS_OF_A_GUIDE = 27, 500
MAX_WORDS_OF_A_CONCEPT, MAX_WORDS_OF_THE_ARCHITECTURE = 1_200, 1_400
MAX_CONCEPTS, MAX_LINES_OF_THE_README = 4, 100


def name(document: Path) -> str:
    """What a document is called in the names of tests."""
    return document.relative_to(ROOT).with_suffix("").as_posix()


def words(document: Path) -> int:
    """The words of a document, with those of its blocks."""
    return len(document.read_text(encoding="utf-8").split())


def prose(document: Path) -> str:
    """The text without its blocks."""
    return BLOCKS.sub("", document.read_text(encoding="utf-8"))


@cache
def anchors(document: Path) -> frozenset[str]:
    """The anchors of a document, as the site makes them."""
    found: list[str] = []
    for heading in re.findall(r"^#+ (.*)$", prose(document), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())
        again = sum(re.fullmatch(rf"{re.escape(slug)}(_\d+)?", anchor) is not None for anchor in found)
        found.append(f"{slug}_{again}" if again else slug)
    return frozenset(found)


def test_the_manual_is_short() -> None:
    assert sum(map(words, COUNTED)) <= MAX_WORDS


@pytest.mark.parametrize("document", COUNTED, ids=name)
def test_no_page_is_long(document: Path) -> None:
    assert words(document) <= MAX_WORDS_OF_A_PAGE


def test_guides_are_few_and_short() -> None:
    guides = sorted((DOCS / "guides").glob("*.md"))
    assert len(guides) <= MAX_GUIDES
    assert max(map(words, guides)) <= MAX_WORDS_OF_A_GUIDE


def test_concepts_are_few_and_short() -> None:
    concepts = sorted((DOCS / "concepts").glob("*.md"))
    assert len(concepts) <= MAX_CONCEPTS
    assert max(map(words, concepts)) <= MAX_WORDS_OF_A_CONCEPT


def test_the_readme_and_the_architecture_are_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MAX_LINES_OF_THE_README
    assert words(DOCS / "about" / "architecture.md") <= MAX_WORDS_OF_THE_ARCHITECTURE


def test_the_readme_has_a_picture_of_the_terminal_and_one_of_the_pages() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert pictures == ["docs/images/check.svg", "docs/images/overview.png"]


def test_every_page_is_behind_a_door() -> None:
    pages = {file for file in DOCS.rglob("*.md") if "examples" not in file.relative_to(DOCS).parts}
    assert pages == set(MANUAL)


def test_every_page_of_the_order_is_there() -> None:
    ordered = {f"{door.folder}/{page}.md" for door in DOORS for pages in door.headings.values() for page in pages}
    there = {file.relative_to(DOCS).as_posix() for file in MANUAL} | set(PAGES.values())
    assert ordered - there == set()


@pytest.mark.parametrize("document", MANUAL, ids=name)
def test_a_page_begins_with_its_only_title(document: Path) -> None:
    assert document.read_text(encoding="utf-8").startswith("# ")
    assert len(re.findall(r"^# ", prose(document), re.M)) == 1


def test_titles_differ() -> None:
    titles = [file.read_text(encoding="utf-8").partition("\n")[0] for file in COUNTED]
    assert len(titles) == len({title.casefold() for title in titles})


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_lead_somewhere(document: Path) -> None:
    for _, target in LINKS.findall(prose(document)):
        if "://" in target or target.startswith("mailto:"):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path).resolve() if path else document
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_say_what_they_lead_to(document: Path) -> None:
    texts = [text for text, _ in LINKS.findall(prose(document))]
    assert [text for text in texts if not text or text.strip("`").endswith((".md", "/")) or "://" in text] == []


@pytest.mark.parametrize("document", sorted((DOCS / "start").glob("*.md")), ids=name)
def test_every_step_of_a_tutorial_shows_what_appears(document: Path) -> None:
    assert list(steps_without_result(document)) == []


def test_a_step_without_a_result_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n\n```sh\ngrader init\n```\n\nAnd:\n\n```sh\ngrader demo\n```\n\n```text\n```\n")
    assert list(steps_without_result(page)) == ["grader init\n"]
