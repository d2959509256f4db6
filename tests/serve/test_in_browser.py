"""Two markers in a real browser: by keyboard alone, by mouse, and without a script."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import SmallCourse
from tests.serve.marked_course import EVIL, STUDENTS, enter, entries, marked_course, served

PAGES = (
    *("/index.html", "/students/bob.html", "/groups.html", "/requests.html", "/tests/small.html"),
    *("/overview.html", "/search.html?text=print"),
)


@pytest.fixture
def windows(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Two browsers that know nothing of each other, in which nothing may go wrong."""
    contexts = [browser.new_context(viewport={"width": 1280, "height": 900}) for _ in range(2)]
    complaints: list[str] = []
    for context in contexts:
        context.on("console", lambda message: complaints.append(message.text))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield contexts
    for context in contexts:
        context.close()
    # A browser says so of every answer that is no page as usual.
    assert [said for said in complaints if "409 (Conflict)" not in said] == []


def item(page: Page, name: str) -> str:
    """What an item has now."""
    return page.locator(f"#item-{name} .now").inner_text()


def test_two_markers_mark_a_class_from_start_to_end(windows: list[BrowserContext], course: SmallCourse) -> None:
    with served(course, graded=False) as address:
        by_keys, by_mouse = enter(windows[0], address, "Eve"), enter(windows[1], address, "Dan")
        # The pages are there before the class is graded, and rows appear.
        for page in (by_keys, by_mouse):
            expect(page.locator("#state")).to_have_attribute("data-graded", "yes")
            expect(page.locator("#class tbody tr")).to_have_count(len(STUDENTS))
        left = page.locator("#class tbody td:nth-child(5)")
        expect(left).to_have_text(["3"] * len(STUDENTS))
        steps = mark_by_keys(by_keys)
        for student, _ in zip((EVIL, "con"), steps, strict=False):
            mark_by_mouse(by_mouse, student)
        assert next(steps) == "cy"
        for page in (by_keys, by_mouse):
            page.goto(address.partition("?")[0] + "index.html")
            expect(page.locator("#class tbody td:nth-child(5)")).to_have_text(["0"] * len(STUDENTS))
            page.goto("about:blank")
    marks = {str(entry["student"]): entry for entry in entries(course, "marks.yaml")}
    assert set(marks) == set(STUDENTS)
    assert marks["ann"] == {"student": "ann", "points": {"names": "0.5", "comments": "2"}, "waive": ["main"]}
    assert marks["bob"] == {"student": "bob", "points": {"names": "1", "comments": "0"}, "confirm": ["main"]}
    assert marks["cy"]["points"] == {"names": "0.25", "comments": "1.5"}


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def mark_by_keys(page: Page) -> Iterator[str]:
    """Mark three students, one at a time, without the mouse."""
    page.get_by_role("link", name="ann", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/ann.html")
    expect(page.locator("#item-names")).to_be_focused()
    # All at once: no key is lost while another one is written.
    press(page, "2", "1", "j", "f", "j", "c", "w")
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    yield "ann"
    press(page, "t")
    page.wait_for_url("**/bob.html")
    expect(page.locator("#item-names")).to_be_focused()
    press(page, "f")
    expect(page.locator("#item-names .now")).to_have_text("1")
    press(page, "z")
    expect(page.locator("#item-names .now")).to_have_text("0")
    press(page, "u")
    expect(page.locator("#item-names .now")).to_have_text("not yet marked")
    press(page, "f", "j", "z", "j", "c")
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "z", "Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    press(page, "o")
    page.get_by_label("What the student asks").focus()
    page.keyboard.type("fznpcwjk?0")
    expect(page.get_by_label("What the student asks")).to_have_value("fznpcwjk?0")
    assert (item(page, "names"), item(page, "comments")) == ("1", "0"), "no key acts in a field"
    yield "bob"
    press(page, "Escape", "n")
    page.wait_for_url("**/_con*.html")
    expect(page.locator("#marking-title")).to_be_visible()
    press(page, "t")
    page.wait_for_url("**/cy.html")
    expect(page.locator("#item-names")).to_be_focused()
    press(page, "e")
    page.keyboard.type("0.25")
    press(page, "Enter")
    expect(page.locator("#item-names .now")).to_have_text("0.25")
    press(page, "Escape", "j", "3", "j", "c")
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    press(page, "g")
    page.wait_for_url("**/index.html")
    yield "cy"


def mark_by_mouse(page: Page, student: str) -> None:
    """Mark a student with clicks."""
    page.locator("select[name=state]").select_option("with something to decide")
    page.get_by_role("link", name=student, exact=True).click()
    page.wait_for_url("**/students/*.html")
    for name in ("names", "comments"):
        page.locator(f"#item-{name} button[data-full]").click()
        expect(page.locator(f"#item-{name}")).not_to_have_class(re.compile("open"))
    page.get_by_role("button", name="Waive").click()
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    page.get_by_role("link", name="Class", exact=True).click()
    page.wait_for_url("**/index.html")


def test_a_stale_page_shows_both_and_asks(
    windows: list[BrowserContext], address: str, shared_course: SmallCourse
) -> None:
    eve, dan = (enter(window, address, name) for window, name in zip(windows, ("Eve", "Dan"), strict=True))
    for page in (eve, dan):
        page.goto(address.partition("?")[0] + "students/ann.html")
    eve.locator("#item-names button[data-full]").click()
    expect(eve.locator("#item-names .now")).to_have_text("1")
    expect(dan.locator("#news")).to_contain_text("open the page anew")
    dan.locator("#item-comments input[name=points]").fill("1.75")
    dan.locator("#item-names button[data-zero]").click()
    expect(dan.get_by_role("heading", name="Changed meanwhile")).to_be_visible()
    assert entries(shared_course, "marks.yaml") == [{"student": "ann", "points": {"names": "1"}}]
    dan.get_by_role("button", name="Write mine in its place").click()
    expect(dan.locator("#item-names .now")).to_have_text("0")
    assert entries(shared_course, "marks.yaml") == [{"student": "ann", "points": {"names": "0"}}]


def test_what_is_written_elsewhere_on_the_page_stays(
    windows: list[BrowserContext], address: str, shared_course: SmallCourse
) -> None:
    page = enter(windows[0], address, "Eve")
    page.goto(address.partition("?")[0] + "students/bob.html")
    page.get_by_text("Verdicts, the mark, requests, comments").click()
    page.get_by_label("What the student asks").fill("half a thought")
    page.locator("#item-names button[data-full]").click()
    expect(page.locator("#item-names .now")).to_have_text("1")
    expect(page.get_by_label("What the student asks")).to_have_value("half a thought")
    page.get_by_role("button", name="Record the request").click()
    expect(page.get_by_label("Answer to request 1")).to_be_visible()
    assert entries(shared_course, "requests.yaml")[0]["request"] == "half a thought"


def test_everything_works_without_a_script(browser: Browser, address: str, shared_course: SmallCourse) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = enter(context, address, "Eve")
    page.get_by_role("link", name="ann", exact=True).click()
    page.locator("#item-names button[data-full]").click()
    page.get_by_role("button", name="Confirm").click()
    page.locator("#item-comments input[name=points]").fill("1.25")
    page.locator("#item-comments").get_by_role("button", name="Give").click()
    assert page.url.endswith("/students/ann.html#item-comments")
    page.get_by_role("link", name="Groups").click()
    page.get_by_label("Comment for all of them").first.fill("one\ntwo")
    page.get_by_role("button", name="Say this").first.click()
    assert page.get_by_label("Comment for all of them").first.input_value() == "one\ntwo"
    page.get_by_role("link", name="Requests").click()
    page.get_by_label("What the student asks").fill("please")
    page.get_by_role("button", name="Record the request").click()
    page.get_by_label("Answer to request 1").fill("no")
    page.get_by_role("button", name="Decline").click()
    assert "declined by Eve" in page.locator("#main").inner_text()
    context.close()
    assert entries(shared_course, "marks.yaml") == [
        {"student": "ann", "points": {"names": "1", "comments": "1.25"}, "confirm": ["main"]}
    ]


def test_a_server_that_ends_is_noticed_and_nothing_is_said_to_be_written(browser: Browser, course: SmallCourse) -> None:
    context = browser.new_context()
    with served(course) as address:
        page = enter(context, address, "Eve")
        page.goto(address.partition("?")[0] + "students/ann.html")
    page.locator("#item-names button[data-full]").click()
    expect(page.locator("#news")).to_contain_text("Not written")
    assert item(page, "names") == "not yet marked"
    context.close()


@pytest.fixture(scope="module")
def full_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A class about which much is decided."""
    course = marked_course(tmp_path_factory.mktemp("full"))
    files = {
        "marks": "marks:\n  - {student: bob, points: {names: 1}}",
        "overrides": "overrides:\n  - {student: bob, test: small, verdict: passed, reason: x, by: y}\n"
        "  - {student: bob, mark: 3, reason: x, by: y}",
        "requests": "requests:\n  - {id: 1, student: bob, request: please}\n"
        "  - {id: 2, student: ann, about: small, request: look, state: declined, answer: no, by: Eve}",
    }
    for name, text in files.items():
        (course.students / f"{name}.yaml").write_text(f"format: 1\n{text}\n")
    with served(course) as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_are_accessible(
    width: int, scheme: Literal["light", "dark"], browser: Browser, full_address: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page = enter(context, full_address, "Eve")
    too_small = (Path(__file__).parents[1] / "reports" / "html" / "too_small.js").read_text()
    for path in PAGES:
        page.goto(full_address.partition("/?")[0] + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{path}\n{found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
        if width == 390:
            assert page.evaluate(too_small) == [], path
    context.close()
