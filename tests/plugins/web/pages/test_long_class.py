"""The overview of a long class in a real browser, with and without its script."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from grader.plugins.web.pages.site import write_site
from tests.reports.site_example import CLASS, MARKED, row

STUDENTS = 120
HEIGHT = 5_200
"""A fourth of what 300 students took when all of them were shown."""


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a class whose students fail in turns."""
    folder = tmp_path_factory.mktemp("long")
    words = ("You said", "I said")
    rows = tuple(row(f"student-{number:03}", words[number % 2], manual=MARKED) for number in range(STUDENTS))
    write_site(replace(CLASS, rows=rows), folder)
    return folder


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(browser: Browser, long_site: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The overview."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=request.param)
    page = context.new_page()
    page.goto((long_site / "index.html").as_uri())
    yield page
    context.close()


def rows(page: Page) -> int:
    return page.locator("#class tbody tr:visible").count()


@pytest.mark.slow
def test_fifty_rows_are_shown_and_the_rest_opens(page: Page) -> None:
    assert rows(page) == 50
    page.get_by_text(f"Show all {STUDENTS}").click()
    assert rows(page) == STUDENTS
    page.get_by_text("Show 50").click()
    assert rows(page) == 50


@pytest.mark.slow
def test_what_needs_a_person_is_seen_at_once_and_the_page_is_short(page: Page) -> None:
    expect(page.get_by_role("heading", name="What needs a person")).to_be_in_viewport()
    box = page.locator("body").bounding_box()
    assert box
    assert box["height"] < HEIGHT


@pytest.mark.slow
def test_the_links_to_sections_stay_in_sight(page: Page) -> None:
    links = page.get_by_role("navigation", name="On this page")
    links.get_by_role("link", name="Tests").click()
    expect(page.get_by_role("heading", name="Tests", exact=True)).to_be_in_viewport()
    expect(links).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_bar_leads_to_its_students(page: Page) -> None:
    bar = page.locator("svg.histogram a").first
    bar.click()
    students = page.locator(".bars dd:target")
    expect(students).to_be_in_viewport()
    assert students.get_by_role("link").count() == STUDENTS // 2


@pytest.mark.slow
def test_only_what_failed_is_shown(browser: Browser, long_site: Path) -> None:
    page = browser.new_page()
    page.goto((long_site / "index.html").as_uri())
    students = page.locator("section", has=page.get_by_role("heading", name="Students", exact=True))
    students.get_by_label("failed only").check()
    expect(students.locator("output")).to_have_text(f"{STUDENTS // 2} of {STUDENTS} match")
    assert rows(page) == 50
    assert page.locator("#class tbody tr:visible").first.inner_text().startswith("student-001")
    tests = page.locator("section", has=page.get_by_role("heading", name="Tests", exact=True))
    tests.get_by_label("failed only").check()
    assert page.locator("#rates tbody tr:visible th a").all_inner_texts() == ["talk"]
    page.reload()
    expect(students.locator("output")).to_have_text(f"{STUDENTS // 2} of {STUDENTS} match")
    assert page.locator("#rates tbody tr:visible").count() == 1
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_no_column_of_tests_is_cut_and_no_label_is_over_another(
    browser: Browser, long_site: Path, width: int, scheme: str
) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.goto((long_site / "index.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    table = page.get_by_role("region", name="Table of tests")
    if width == 1280:
        assert table.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert page.evaluate(OVERLAPS) == []
    page.close()


OVERLAPS = """() => [...document.querySelectorAll('svg.histogram, svg.scatter')].flatMap((chart) => {
  const labels = [...chart.querySelectorAll('text')].filter((one) => one.checkVisibility());
  const boxes = labels.map((one) => one.getBoundingClientRect());
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  return labels.flatMap((one, i) => labels.slice(i + 1)
    .filter((_, j) => over(boxes[i], boxes[i + 1 + j])).map((other) => `${one.textContent} ${other.textContent}`));
})"""
