"""The pages about similar programs in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.plugins.similarity.similar_example import find_pairs
from tests.reports.site_example import ATTACK
from tests.reports.visit import Visit

PAIR = "pairs/003.html"
AT_THE_TOP = """(id) => {
  const match = document.getElementById(id);
  return Math.abs(match.getBoundingClientRect().top - match.parentElement.getBoundingClientRect().top) < 20;
}"""


def colour(page: Page, match: str) -> str:
    return str(page.evaluate(f"getComputedStyle(document.getElementById('{match}')).backgroundColor"))


@pytest.mark.slow
def test_the_list_says_what_it_shows_and_leads_to_the_pairs(wide: Visit) -> None:
    page = wide.open("index.html")
    expect(page.get_by_text("This shows similarity, not guilt")).to_be_visible()
    expect(page.locator("#similar tbody tr")).to_have_count(len(find_pairs()))
    page.get_by_role("button", name="lines").click()
    page.locator("#similar tbody a").first.click()
    expect(page.get_by_text("This shows similarity, not guilt")).to_be_visible()
    expect(page.locator(".code")).to_have_count(2)


def test_matches_have_one_colour_on_both_sides_and_neighbours_differ(wide: Visit) -> None:
    page = wide.open(PAIR)
    count = page.locator("#a1 ~ .match").count() + 1
    assert count > 6
    for number in range(1, count + 1):
        assert colour(page, f"a{number}") == colour(page, f"b{number}")
    assert len({colour(page, f"a{number}") for number in range(1, 7)}) == 6


@pytest.mark.slow
def test_from_match_to_match_with_buttons_keys_and_links(wide: Visit) -> None:
    page = wide.open(PAIR)
    at = page.locator(".controls output")
    expect(at).to_contain_text("match 1 of")
    page.get_by_role("button", name="Next match").click()
    expect(at).to_contain_text("match 2 of")
    assert [page.evaluate(AT_THE_TOP, match) for match in ("a2", "b2")] == [True, True]
    page.keyboard.press("ArrowRight")
    expect(at).to_contain_text("match 3 of")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(at).to_contain_text("match 1 of")
    expect(page.locator(".match.now")).to_have_count(2)
    page.locator("#a4 .jump").focus()
    page.keyboard.press("Enter")
    expect(at).to_contain_text("match 4 of")
    assert page.evaluate("document.activeElement.closest('.match').id") == "b4"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('.match').id") == "a4"


@pytest.mark.slow
def test_programs_stand_side_by_side_or_on_a_phone_one_above_the_other(wide: Visit, phone: Visit) -> None:
    for window, beside in ((wide, True), (phone, False)):
        first, second = window.open(PAIR).locator(".code").all()
        left, right = first.bounding_box(), second.bounding_box()
        assert left
        assert right
        assert (left["y"] == right["y"]) == beside
        assert (left["x"] == right["x"]) != beside
    phone.page.get_by_role("button", name="Next match").click()
    phone.page.locator("#of-b").scroll_into_view_if_needed()
    # Both sides of a match are seen at once.
    for match in ("a2", "b2"):
        expect(phone.page.locator(f"#{match} .jump")).to_be_in_viewport()


@pytest.mark.slow
def test_no_page_complains_or_asks_for_anything_else_and_links_lead_to_places(wide: Visit, pages: Path) -> None:
    files = {file.as_uri(): file for file in sorted(pages.rglob("*.html"))}
    assert len(files) == 1 + len(find_pairs())
    for file in files.values():
        for link in wide.open(str(file.relative_to(pages))).evaluate("[...document.links].map((link) => link.href)"):
            address, _, fragment = link.partition("#")
            assert not fragment or f'id="{fragment}"' in files[address].read_text()
            assert address in files
    assert wide.complaints == []
    assert wide.requests == list(files)


def test_what_students_wrote_stays_text(wide: Visit) -> None:
    page = wide.open(PAIR)
    shown = ATTACK.replace("\u202e", "<U+202E>").replace("\x1b", "<U+001B>").replace("\udcff", "<0xFF>")
    assert shown in page.locator("#of-b ~ .code").inner_text()
    expect(page.get_by_text("8,006 more characters")).to_be_attached()
    assert page.locator("img").count() == 0
    assert wide.open("index.html").evaluate("window.hit") is None
    assert wide.complaints == []
