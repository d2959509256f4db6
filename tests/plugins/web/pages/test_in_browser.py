"""The site in a real browser."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from grader.model.judgement import Verdict
from grader.model.submission import StudentIdentity
from grader.plugins.web.pages.site import write_site
from tests.reports.site_example import ATTACK, ATTACKER, CLASS, HOSTILE
from tests.reports.visit import Visit, visit

ALL_CHIPS = """(names) => {
  for (const name of names) {
    const chip = document.createElement("span");
    chip.className = `chip v-${name}`;
    chip.textContent = name;
    document.querySelector("main").append(chip);
  }
}"""
TOO_FAINT = (Path(__file__).parent / "too_faint.js").read_text()
TOO_SMALL = (Path(__file__).parent / "too_small.js").read_text()

PAGES = (
    "index.html",
    "groups.html",
    "students/ann.html",
    "students/bob.html",
    "tests/talk.html",
    "tests/small.html",
)
SOME_AT_ANY_TIME = [
    file if file in ("index.html", "students/bob.html") else pytest.param(file, marks=pytest.mark.slow)
    for file in PAGES
]


def everything_open(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def names(page: Page) -> list[str]:
    return page.locator("#class tbody tr:visible th").all_inner_texts()


def marks(page: Page) -> list[str]:
    return page.locator("#class tbody tr:visible td.mark").all_inner_texts()


@pytest.mark.slow
def test_no_page_complains_or_asks_for_anything_else(wide: Visit, site: Path) -> None:
    files = sorted(site.rglob("*.html"))
    assert len(files) == 2 + len(CLASS.rows) + len(CLASS.assignment.tests)
    for file in files:
        page = wide.open(str(file.relative_to(site)))
        everything_open(page)
    assert wide.complaints == []
    assert wide.requests == [file.as_uri() for file in files]


@pytest.mark.slow
def test_links_lead_to_pages_and_places_in_them(wide: Visit, site: Path) -> None:
    pages = {file.as_uri(): file for file in site.rglob("*.html")}
    places = {address: set(re.findall(r'\bid="([^"]*)"', file.read_text())) for address, file in pages.items()}
    for file in pages.values():
        page = wide.open(str(file.relative_to(site)))
        for link in page.evaluate("[...document.links].map((link) => link.href)"):
            address, _, fragment = link.partition("#")
            assert address in pages, link
            assert not fragment or fragment in places[address], link


@pytest.mark.slow
def test_the_table_is_sorted_by_any_column(wide: Visit) -> None:
    page = wide.open("index.html")
    mark = page.get_by_role("columnheader", name="mark")
    mark.get_by_role("button").click()
    assert mark.get_attribute("aria-sort") == "descending"
    assert marks(page) == sorted(marks(page), key=lambda text: -1 if text == "?" else float(text), reverse=True)
    mark.get_by_role("button").click()
    assert mark.get_attribute("aria-sort") == "ascending"
    assert marks(page)[:2] == ["?", "?"]
    page.get_by_role("button", name="student ↕").click()
    assert mark.get_attribute("aria-sort") is None
    assert [name for name in names(page) if name.startswith("student")] == ["student-9", "student-10"]
    page.get_by_role("button", name="lateness").click()
    assert names(page)[0] == "Ann"


@pytest.mark.slow
def test_the_table_is_filtered(wide: Visit) -> None:
    page = wide.open("index.html")
    find, shown = page.get_by_label("Find"), page.locator(".filters output").first
    expect(shown).to_have_text("9 of 9 match")
    find.fill("ANN")
    assert names(page) == ["ann", "Ann"]
    expect(shown).to_have_text("2 of 9 match")
    find.fill("")
    page.get_by_label("Show").select_option("no mark yet")
    assert names(page) == ["../con", "李雷"]
    page.get_by_label("Show").select_option("late")
    assert names(page) == ["Ann"]
    page.get_by_label("Show").select_option("all")
    page.get_by_role("combobox", name="Verdict").select_option("wrong-output")
    assert "ann" not in names(page)
    assert "bob" in names(page)


@pytest.fixture
def named(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """A class with names and sections."""
    known = {"ann": ("Lovelace, Ada", "S1"), "bob": ("Turing, Alan", "S2"), "student-9": ("", "S1")}
    rows = []
    for one in (row for row in CLASS.rows if row.student in known):
        name, section = known[one.student]
        identity = StudentIdentity(name=name or None)
        submission = replace(one.graded.submission, identity=identity, roster={"section": section})
        rows.append(replace(one, graded=replace(one.graded, submission=submission)))
    write_site(replace(CLASS, rows=tuple(rows)), tmp_path)
    yield from visit(browser, tmp_path)


@pytest.mark.slow
def test_names_are_found_and_can_be_hidden_on_every_page(named: Visit) -> None:
    page = named.open("index.html")
    page.get_by_label("Find").fill("turing")
    assert names(page) == ["bob Turing, Alan"]
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name="Hide names").click()
    assert names(page) == ["bob"]
    # Another page that is open hears of it a moment later.
    expect(other.locator("body")).not_to_contain_text("Turing", use_inner_text=True)
    for file in ("students/bob.html", "groups.html", "tests/talk.html"):
        page = named.open(file)
        expect(page.locator("body")).not_to_contain_text("Turing", use_inner_text=True)
    page.get_by_role("button", name="Hide names").click()
    assert "Turing" in page.locator("body").inner_text()
    assert named.complaints == []


@pytest.mark.slow
def test_filters_stand_in_the_address(named: Visit) -> None:
    page = named.open("index.html")
    page.get_by_role("combobox", name="section").select_option("S1")
    page.get_by_label("Find").fill("a")
    assert names(page) == ["ann Lovelace, Ada"]
    assert page.url.endswith("?text=a&r0=S1")
    page.reload()
    assert names(page) == ["ann Lovelace, Ada"]
    assert page.get_by_role("combobox", name="section").input_value() == "S1"
    page.get_by_label("Find").fill("")
    page.get_by_role("combobox", name="section").select_option("all")
    assert page.url.endswith("index.html")


@pytest.mark.slow
def test_what_is_said_of_a_line_and_the_line_lead_to_each_other(wide: Visit) -> None:
    page = wide.student("bob")
    page.get_by_role("region", name="double.py").scroll_into_view_if_needed()
    page.locator("#broken-1").get_by_role("link", name="double.py:9").click()
    expect(page.locator("#code-1-9")).to_be_in_viewport()
    page.locator(".remark", has_text="main() is called").get_by_role("link").click()
    expect(page.locator("#broken-1")).to_be_in_viewport()


@pytest.mark.slow
def test_each_chart_has_a_table_behind_it(wide: Visit) -> None:
    page = wide.open("index.html")
    charts = page.locator("svg.histogram, svg.scatter")
    assert charts.count() == page.locator("details.behind").count() >= 3
    page.get_by_text("Times and attempts").click()
    behind = page.locator("div:has(> #due-date)")
    behind.get_by_text("As a table").click()
    expect(behind.get_by_role("rowheader", name="bob")).to_be_visible()
    assert behind.locator("tbody tr").count() == behind.locator("circle").count()


@pytest.mark.slow
def test_colours_follow_the_system_until_chosen(phone: Visit) -> None:
    page = phone.open("index.html")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    switch = page.get_by_role("button", name="Colours")
    switch.click()
    expect(switch).to_contain_text("light")
    light = page.evaluate(background)
    assert light != dark
    page = phone.student("ann")
    expect(page.locator("body")).to_have_css("background-color", light)
    switch.click()
    expect(page.locator("body")).to_have_css("background-color", dark)
    switch.click()
    expect(switch).to_contain_text("system")


@pytest.mark.slow
def test_a_difference_in_one_column_or_two(wide: Visit) -> None:
    page = wide.student("bob")
    expected, printed = (page.locator(f".diff .off .{side}").first for side in "ea")
    page.get_by_role("button", name="Side by side").click()
    left, right = expected.bounding_box(), printed.bounding_box()
    assert left
    assert right
    assert left["y"] == right["y"]
    assert left["x"] < right["x"]
    page.get_by_role("button", name="Unified").click()
    above, below = expected.bounding_box(), printed.bounding_box()
    assert above
    assert below
    assert above["y"] < below["y"]
    assert above["x"] == below["x"]
    assert page.locator(".diff .same .a:visible").count() == 0


@pytest.mark.slow
def test_whitespace_is_shown_and_hidden_again(wide: Visit) -> None:
    page = wide.student("bob")
    line = page.locator(".diff .same .e code").first
    before = line.inner_text()
    switch = page.get_by_role("button", name="Show whitespace")
    switch.click()
    assert switch.get_attribute("aria-pressed") == "true"
    assert line.inner_text() == before.replace(" ", "·")
    assert page.evaluate("getComputedStyle(document.querySelector('i.t'), '::before').content") == '"→"'
    switch.click()
    assert line.inner_text() == before


@pytest.mark.slow
def test_a_session_is_replayed_with_buttons_and_keys(wide: Visit) -> None:
    page = wide.student("bob")
    page.get_by_text("The session, step by step").click()
    steps, at = page.locator(".replay li:visible"), page.locator(".replay output")
    expect(at).to_have_text("step 4 of 4")
    page.get_by_role("button", name="First", exact=True).click()
    expect(steps).to_have_count(1)
    expect(steps.last).to_contain_text("Question 1?")
    page.get_by_role("button", name="Next").click()
    expect(steps).to_have_count(2)
    expect(steps.last.locator("kbd")).to_have_text("2")
    page.get_by_role("button", name="First difference").click()
    expect(at).to_have_text("step 3 of 4")
    expect(steps.last).to_contain_text("I said")
    page.keyboard.press("ArrowLeft")
    expect(at).to_have_text("step 2 of 4")
    page.keyboard.press("End")
    expect(at).to_have_text("step 4 of 4")
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("step 4 of 4")


@pytest.mark.slow
def test_what_students_print_stays_text(wide: Visit) -> None:
    page = wide.student(ATTACKER)
    everything_open(page)
    shown = ATTACK.replace("\u202e", "<U+202E>").replace("\x1b", "<U+001B>").replace("\udcff", "<0xFF>")
    assert shown in page.locator(".replay").inner_text()
    assert shown in page.locator(".rule", has_text="main").first.inner_text()
    assert page.locator("h1").inner_text() == "<img src=x onerror=window.hit=1><U+202E>"
    assert page.locator("img").count() == 0
    for file in ("index.html", "tests/talk.html"):
        assert wide.open(file).evaluate("window.hit") is None
    assert wide.complaints == []


def test_the_policy_stops_a_script_that_got_into_the_page(wide: Visit) -> None:
    page = wide.open("index.html")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=http://evil.test/x onerror=window.hit=1>')")
    page.wait_for_function("document.querySelector('img').complete")
    assert page.evaluate("window.hit") is None
    assert any("Content Security Policy" in one for one in wide.complaints)


@pytest.mark.slow
@pytest.mark.parametrize("file", SOME_AT_ANY_TIME)
def test_everything_is_reached_with_the_keyboard_and_focus_is_seen(seen_wide: Visit, file: str) -> None:
    page = seen_wide.open(file)
    everything_open(page)
    wanted = page.evaluate(
        "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]"
        ".filter((one) => one.checkVisibility()).length"
    )
    reached = set()
    for _ in range(wanted):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert len(reached) == wanted


@pytest.mark.slow
def test_sorting_and_skipping_with_the_keyboard(wide: Visit) -> None:
    page = wide.open("index.html")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_in_viewport()
    head = page.get_by_role("columnheader", name="points", exact=False).first
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"


@pytest.mark.slow
@pytest.mark.parametrize("file", SOME_AT_ANY_TIME)
def test_contrast_is_enough_in_both_schemes(seen_wide: Visit, file: str) -> None:
    page = seen_wide.open(file)
    everything_open(page)
    page.evaluate("document.querySelectorAll('.replay li').forEach((one) => { one.classList.add('now'); })")
    page.evaluate(ALL_CHIPS, [*Verdict, "hand", "waits"])
    for scheme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{scheme}'")
        for view in ("split", "unified"):
            page.evaluate(f"typeof showView && showView('{view}')")
            assert page.evaluate(TOO_FAINT) == [], scheme


@pytest.mark.parametrize("file", PAGES)
def test_a_phone_shows_every_page_without_scrolling_sideways(seen_on_a_phone: Visit, file: str) -> None:
    page = seen_on_a_phone.open(file)
    everything_open(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("file", PAGES)
def test_a_finger_hits_what_it_means(seen_on_a_phone: Visit, file: str) -> None:
    page = seen_on_a_phone.open(file)
    everything_open(page)
    assert page.evaluate(TOO_SMALL) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.slow)])
def test_names_of_any_length_leave_room_for_the_rest(browser: Browser, tmp_path: Path, width: int) -> None:
    write_site(HOSTILE, tmp_path)
    for window in visit(browser, tmp_path, width):
        for file in sorted(tmp_path.rglob("*.html")):
            page = window.open(str(file.relative_to(tmp_path)))
            everything_open(page)
            assert page.evaluate("document.documentElement.scrollWidth") == width, file
        mark = window.open("index.html").locator("#class td.mark").first
        mark.evaluate("(cell) => cell.scrollIntoView({ block: 'center', inline: 'nearest' })")
        assert mark.evaluate("(cell) => cell.closest('.scroll').scrollLeft") == 0
        expect(mark).to_be_in_viewport()


def test_a_printed_page_shows_all_failures_and_nothing_for_the_instructor(wide: Visit) -> None:
    page = wide.student("bob")
    page.get_by_role("button", name="Close all").click()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".failure .diff").first).to_be_visible()
    expect(page.locator(".instructor")).to_be_hidden()
    expect(page.locator(".tools")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".failure .diff").first).to_be_hidden()


@pytest.mark.parametrize("file", PAGES)
def test_paper_is_wide_enough(seen_on_paper: Visit, file: str) -> None:
    page = seen_on_paper.open(file)
    everything_open(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 680


@pytest.mark.slow
def test_a_link_to_a_test_opens_it(wide: Visit) -> None:
    page = wide.student("bob", "#test-talk")
    expect(page.locator("#test-talk")).to_have_attribute("open", "")
    wide.open("tests/talk.html").get_by_role("link", name="bob").click()
    expect(wide.page.locator("#test-talk .diff")).to_be_visible()
