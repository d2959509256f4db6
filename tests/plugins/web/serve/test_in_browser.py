"""Two markers in a real browser: by keyboard alone, by mouse, and without a script."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser import MILLISECONDS
from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import EVIL, STUDENTS, enter, entries, marked_course, served

PAGES = (
    *("/index.html", "/students/bob.html", "/groups.html", "/requests.html", "/tests/small.html"),
    *("/overview.html", "/search.html?text=print", "/items/names.html", "/items/comments.html?at=bob"),
)

TOO_SMALL = (Path(__file__).parents[1] / "pages" / "too_small.js").read_text()
MAX_TABS = 200
# Sent without the script, so that a page says why nothing is written.
SEND = """(fields) => {
  const form = document.querySelector("form.exact");
  for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
  form.submit();
}"""
REFUSED = (({"points": "99"}, "Not written"), ({"points": "0.5", "seen": "x"}, "Changed meanwhile"))


@pytest.fixture
def windows(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Two browsers that know nothing of each other, in which nothing may go wrong."""
    contexts = [browser.new_context(viewport={"width": 1280, "height": 900}) for _ in range(2)]
    complaints: list[str] = []
    for context in contexts:
        context.set_default_timeout(MILLISECONDS)
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


@pytest.mark.slow
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
    press(page, "1", "k", "h", "0", "f", "c", "w")
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    yield "ann"
    press(page, "t")
    page.wait_for_url("**/bob.html")
    expect(page.locator("#item-names")).to_be_focused()
    press(page, "f")
    expect(page.locator("#item-names .now")).to_have_text("1")
    expect(page.locator("#item-comments")).to_be_focused()
    press(page, "k", "z")
    expect(page.locator("#item-names .now")).to_have_text("0")
    press(page, "k", "u")
    expect(page.locator("#item-names .now")).to_have_text("not yet marked")
    press(page, "f", "z", "c")
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
    press(page, "Escape", "j", "h", "1", "c")
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    press(page, "g")
    page.wait_for_url("**/index.html")
    yield "cy"


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until this is in focus."""
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    pytest.fail(f"Tab does not reach {wanted}")


@pytest.mark.slow
def test_all_that_can_be_decided_needs_no_mouse(
    windows: list[BrowserContext], address: str, shared_course: SmallCourse
) -> None:
    page = windows[0].new_page()
    page.goto(address)
    reach(page, page.get_by_label("Your name"))
    page.keyboard.type("Eve")
    press(page, "Enter")
    page.wait_for_url("**/index.html")
    reach(page, page.get_by_role("link", name="bob", exact=True))
    press(page, "Enter")
    page.wait_for_url("**/bob.html")
    expect(page.locator("#item-names")).to_be_focused()
    press(page, "f", "h", "0", "c")
    expect(page.locator("#marking-title small")).to_contain_text("nothing left")
    override_by_keys(page)
    answer_by_keys(page)
    press(page, "g")
    page.wait_for_url("**/index.html")
    comment_by_keys(page)
    [marks] = entries(shared_course, "marks.yaml")
    assert marks == {"student": "bob", "points": {"names": "1", "comments": "0.5"}, "confirm": ["main"]}
    verdict, mark = entries(shared_course, "overrides.yaml")
    assert (verdict["verdict"], verdict["reason"], mark["mark"]) == ("passed", "an appeal", "9.5")
    [request] = entries(shared_course, "requests.yaml")
    assert (request["request"], request["state"], request["answer"]) == ("please look", "answered", "I did")
    assert entries(shared_course, "comments.yaml")[0]["comment"] == "Read the handout."


def override_by_keys(page: Page) -> None:
    """Decide a verdict and the mark of a student."""
    press(page, "v")
    expect(page.get_by_role("combobox", name="Verdict on small")).to_be_focused()
    page.keyboard.type("passed")
    reach(page, page.get_by_label("Reason for the verdict on small"))
    page.keyboard.type("an appeal")
    press(page, "Enter")
    expect(page.locator("#test-small")).to_contain_text("test small: passed. Decided by Eve: an appeal")
    page.locator("#marking-title").click()
    press(page, "o")
    reach(page, page.get_by_label("Mark, of 15"))
    page.keyboard.type("9.5")
    reach(page, page.get_by_label("Reason for the mark"))
    page.keyboard.type("agreed")
    press(page, "Enter")
    expect(page.locator("#more")).to_contain_text("mark 9.5. Decided by Eve: agreed")


def answer_by_keys(page: Page) -> None:
    """Record what a student asks, and answer it."""
    reach(page, page.get_by_label("What the student asks"))
    page.keyboard.type("please look")
    reach(page, page.get_by_role("button", name="Record the request"))
    press(page, "Enter")
    expect(page.get_by_label("Answer to request 1")).to_be_visible()
    reach(page, page.get_by_label("Answer to request 1"))
    page.keyboard.type("I did")
    reach(page, page.get_by_role("button", name="Answer", exact=True))
    press(page, "Enter")
    expect(page.locator("#request-1")).to_contain_text("answered by Eve")


def comment_by_keys(page: Page) -> None:
    """Say something to all who made the same mistake."""
    reach(page, page.get_by_role("link", name="Groups"))
    press(page, "Enter")
    page.wait_for_url("**/groups.html")
    reach(page, page.get_by_label("Comment for all of them").first)
    page.keyboard.type("Read the handout.")
    reach(page, page.get_by_role("button", name="Say this").first)
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Comment for all of them")).to_be_visible()


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


@pytest.mark.slow
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
    page.get_by_text("The mark, passed tests, requests").click()
    page.get_by_label("What the student asks").fill("half a thought")
    page.locator("#item-names button[data-full]").click()
    expect(page.locator("#item-names .now")).to_have_text("1")
    expect(page.get_by_label("What the student asks")).to_have_value("half a thought")
    page.get_by_role("button", name="Record the request").click()
    expect(page.get_by_label("Answer to request 1")).to_be_visible()
    assert entries(shared_course, "requests.yaml")[0]["request"] == "half a thought"


@pytest.mark.slow
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


@pytest.mark.slow
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
        "comments": "comments:\n  - {student: bob, comment: Well done., by: Eve}\n"
        "  - {student: bob, file: double.py, line: 1, comment: A clear name., by: Eve}\n"
        "  - {student: ann, about: comments, comment: More of them., by: Eve}",
        "requests": "requests:\n  - {id: 1, student: bob, request: please}\n"
        "  - {id: 2, student: ann, about: small, request: look, state: declined, answer: no, by: Eve}",
    }
    for name, text in files.items():
        (course.students / f"{name}.yaml").write_text(f"format: 1\n{text}\n")
    with served(course) as address:
        yield address


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_are_accessible(
    width: int, scheme: Literal["light", "dark"], browser: Browser, full_address: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    context.set_default_timeout(MILLISECONDS)
    page = context.new_page()
    page.goto(full_address)
    check(page, width)
    page = enter(context, full_address, "Eve")
    for path in PAGES:
        page.goto(full_address.partition("/?")[0] + path)
        check(page, width)
    for fields, heading in REFUSED:
        page.goto(full_address.partition("/?")[0] + "/students/bob.html")
        page.evaluate(SEND, fields)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        check(page, width)
    context.close()


def check(page: Page, width: int) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth") == width, page.url
    if width == 390:
        assert page.evaluate(TOO_SMALL) == [], page.url
