"""The page on which a student is marked, in a real browser: code and decisions, comments, items, verdicts, mistakes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import MILLISECONDS
from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import Client, enter, entries, marked_course, served

MANY = tuple(f"s{number:02}" for number in range(20))
SOME = MANY[:6]
MAX_KEYS = 4
OpenPage = Callable[[str], Page]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(MILLISECONDS)
    yield context
    context.close()


@pytest.fixture
def open_page(context: BrowserContext, address: str) -> OpenPage:
    """A page of the class, for Eve."""
    page = enter(context, address, "Eve")

    def go_to(path: str) -> Page:
        page.goto(address.partition("/?")[0] + path)
        return page

    return go_to


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 1280, 1920])
def test_code_is_left_of_the_decisions_which_stay_in_sight(width: int, open_page: OpenPage) -> None:
    page = open_page("/students/bob.html")
    page.set_viewport_size({"width": width, "height": 700})
    end = page.locator(".desk-code").evaluate("card => card.getBoundingClientRect().right")
    assert end <= page.locator("#marking").evaluate("card => card.getBoundingClientRect().left")
    page.locator("#tests").evaluate("heading => heading.scrollIntoView()")
    for name in ("#item-names", "#tests"):
        expect(page.locator(name)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow
def test_code_follows_the_decisions_on_a_narrow_screen(open_page: OpenPage) -> None:
    page = open_page("/students/bob.html")
    page.set_viewport_size({"width": 1199, "height": 700})
    places = [page.locator(name).bounding_box() for name in ("#marking", ".desk-code", "#tests")]
    tops = [place["y"] for place in places if place]
    assert tops == sorted(tops)
    assert len(tops) == 3


@pytest.mark.slow
def test_a_click_on_a_line_opens_a_comment_that_can_be_changed_and_taken_back(
    open_page: OpenPage, shared_course: SmallCourse
) -> None:
    page = open_page("/students/bob.html")
    page.locator("#code-1-1 .n").click()
    page.keyboard.type("A clear name.")
    page.locator("form.here").get_by_role("button", name="Say this").click()
    expect(page.locator("#code-1-1 ~ .remark.said")).to_have_text("A clear name.")
    place = {"student": "bob", "file": "double.py", "line": "1"}
    assert entries(shared_course, "comments.yaml") == [{**place, "comment": "A clear name.", "by": "Eve"}]
    page.locator("#code-1-1 .n").click()
    field = page.locator("form.here textarea")
    expect(field).to_have_value("A clear name.")
    field.fill("Clear.")
    page.locator("form.here").get_by_role("button", name="Say this").click()
    expect(page.locator("#code-1-1 ~ .remark.said")).to_have_text("Clear.")
    page.locator("#code-1-1 .n").click()
    page.locator("form.here").get_by_role("button", name="Take back").click()
    expect(page.locator(".remark.said")).to_have_count(0)
    assert entries(shared_course, "comments.yaml") == []


@pytest.mark.slow
def test_keys_comment_on_a_line_and_find_text(open_page: OpenPage, shared_course: SmallCourse) -> None:
    page = open_page("/students/bob.html")
    press(page, "/")
    page.keyboard.type("DOUBLED")
    expect(page.locator(".desk-code output")).to_have_text("1 lines")
    press(page, "Enter")
    expect(page.locator("#code-1-1")).to_have_class("l rule hit at")
    press(page, "Escape", "l", "ArrowDown", "Enter")
    page.keyboard.type("from keys")
    press(page, "Tab", "Enter")
    expect(page.locator(".remark.said")).to_have_text("from keys")
    assert [entry["comment"] for entry in entries(shared_course, "comments.yaml")] == ["from keys"]


@pytest.mark.slow
def test_comments_used_before_are_taken_again_and_reworded_for_all(
    open_page: OpenPage, shared_course: SmallCourse
) -> None:
    page = open_page("/students/ann.html")
    page.locator("#say-comments summary").click()
    page.locator("#say-comments textarea").fill("More of them.")
    page.locator("#say-comments").get_by_role("button", name="Say this").click()
    expect(page.locator("#comments ~ .comment")).to_contain_text("More of them.")
    page = open_page("/students/bob.html")
    page.locator("#item-comments .again button").click()
    expect(page.locator("#comments ~ .comment")).to_contain_text("More of them.")
    page.locator("#code-1-1 .n").click()
    page.locator("form.here select").select_option("More of them.")
    expect(page.locator("form.here textarea")).to_have_value("More of them.")
    page.locator("#say-comments summary").click()
    page.locator("#say-comments textarea").fill("Some more.")
    page.locator("#say-comments").get_by_label("for 1 other who has it too").check()
    page.locator("#say-comments").get_by_role("button", name="Say this").click()
    expect(page.locator("#comments ~ .comment")).to_contain_text("Some more.")
    found = {entry["student"]: entry["comment"] for entry in entries(shared_course, "comments.yaml")}
    assert found == {"ann": "Some more.", "bob": "Some more."}


@pytest.mark.slow
def test_a_verdict_is_decided_at_its_test_for_all_of_the_same_cause(
    open_page: OpenPage, shared_course: SmallCourse
) -> None:
    page = open_page("/students/bob.html")
    press(page, "v")
    expect(page.get_by_role("combobox", name="Verdict on small")).to_be_focused()
    page.keyboard.type("passed")
    form = page.locator("#verdict-small form")
    form.get_by_label("Reason for the verdict").fill("as the handout says")
    form.get_by_label("that fail for the same reason").check()
    form.get_by_role("button", name="Decide the verdict").click()
    expect(page.locator("#test-small")).to_contain_text("Decided by Eve: as the handout says")
    decided = entries(shared_course, "overrides.yaml")
    assert len(decided) > 1
    assert {(entry["verdict"], entry["reason"]) for entry in decided} == {("passed", "as the handout says")}
    assert len({entry["test"] for entry in decided}) == len(decided)


@pytest.mark.slow
def test_a_request_is_reached_by_keys_and_leads_to_its_test(open_page: OpenPage, shared_course: SmallCourse) -> None:
    text = "format: 1\nrequests:\n  - {id: 1, student: bob, about: small, request: look}\n"
    (shared_course.students / "requests.yaml").write_text(text)
    page = open_page("/students/bob.html")
    press(page, "j", "j", "j")
    expect(page.locator("#request-1")).to_be_focused()
    assert page.locator("#request-1").get_by_role("link", name="small").get_attribute("href") == "#test-small"
    press(page, "a")
    page.keyboard.type("I did")
    page.locator("#request-1").get_by_role("button", name="Answer").click()
    expect(page.locator("#request-1")).to_contain_text("answered by Eve")


@pytest.mark.slow
def test_a_mistake_is_told_beside_its_field_with_what_was_typed(open_page: OpenPage) -> None:
    page = open_page("/students/bob.html")
    page.locator("#item-names .exact input[name=points]").fill("99")
    page.locator("#item-names").get_by_role("button", name="Give").click()
    expect(page.locator("#item-names .wrong")).to_contain_text("expected points from 0 to 1")
    field = page.locator("#item-names .exact input[name=points]")
    expect(field).to_have_value("99")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()


def test_a_conflict_names_the_subject_the_marker_and_the_time(open_page: OpenPage, address: str) -> None:
    page = open_page("/students/ann.html")
    dan = Client(address).enter("Dan")
    dan.decide("points", dan.student("ann"), 'id="item-names"', student="ann", item="names", points="1")
    page.locator("#item-names button[data-zero]").click()
    warning = page.locator("#main .warning")
    expect(warning).to_contain_text("Dan has changed the points on names of ann, at 20")


def of_three_items(folder: Path, students: tuple[str, ...]) -> SmallCourse:
    """A class with three items for each student, and no rule."""
    course = marked_course(folder, students)
    file = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    text = file.read_text().replace("    marks: 3\n", "    marks: 4\n")
    text = text.replace("marks: 2}\nrules:", "marks: 2}\n      - {id: layout, title: layout, marks: 1}\nrules:")
    start, end = text.index("rules:"), text.index("due:")
    file.write_text(text[:start] + text[end:])
    return course


@pytest.mark.slow
def test_a_class_takes_three_keys_for_each_student_and_one_to_go_on(context: BrowserContext, tmp_path: Path) -> None:
    course = of_three_items(tmp_path, SOME)
    with served(course) as address:
        page = enter(context, address, "Eve")
        page.get_by_role("link", name="s00", exact=True).click()
        page.wait_for_url("**/s00.html")
        keys = 0
        for student in SOME:
            expect(page.locator("h1")).to_have_text(student)
            expect(page.locator("#item-names")).to_be_focused()
            press(page, "1", "2", "0")
            keys += 3
            expect(page.locator("#marking-title small")).to_contain_text("nothing left")
            if student == SOME[-1]:
                expect(page.locator(".done")).to_have_text("All 6 are marked: back to the class")
            press(page, "t")
        page.wait_for_url("**/index.html")
    assert keys <= MAX_KEYS * len(SOME)
    points = {"names": "1", "comments": "2", "layout": "0"}
    assert entries(course, "marks.yaml") == [{"student": student, "points": points} for student in SOME]


@pytest.mark.slow
def test_an_item_is_marked_through_the_class_with_a_key_for_each_student(
    context: BrowserContext, tmp_path: Path
) -> None:
    course = of_three_items(tmp_path, MANY)
    with served(course) as address:
        page = enter(context, address, "Eve")
        page.get_by_role("link", name="mnemonic names").click()
        expect(page.locator("#progress")).to_have_text("0 of 20 marked")
        expect(page.locator("#item-names")).to_be_focused()
        expect(page.get_by_role("region", name="double.py")).to_be_in_viewport()
        # As fast as they can be typed: each is for the student who comes then.
        press(page, *"1011010110")
        expect(page.locator("#progress")).to_have_text("10 of 20 marked")
        expect(page.locator("#marking-title")).to_have_text("s10")
        press(page, *"1011010110")
        expect(page.locator("#progress")).to_have_text("All 20 are marked: back to the class")
        page.get_by_role("link", name="back to the class").click()
        page.wait_for_url("**/index.html")
        expect(page.locator(".by-item")).to_contain_text("20 of 20 marked")
    given = [entry["points"]["names"] for entry in entries(course, "marks.yaml")]  # type: ignore[index]
    assert "".join(given) == "1011010110" * 2
