"""What axe, the usual tool for it, finds on the pages: nothing that keeps anyone out."""

from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from grader.grading.student_view import student_views
from grader.plugins.web.pages.student_page import feedback_page_writer
from tests.plugins.web.pages.test_in_browser import PAGES, everything_open
from tests.reports.site_example import CLASS
from tests.reports.visit import visit

Scheme: TypeAlias = Literal["light", "dark"]

WINDOWS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


def check(page: Page) -> None:
    everything_open(page)
    found = Axe().run(page)
    assert found.violations_count == 0, f"{page.url}: {found.generate_report()}"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), WINDOWS)
def test_axe_finds_nothing_on_the_site(browser: Browser, site: Path, width: int, scheme: Scheme) -> None:
    for window in visit(browser, site, width, scheme):
        for file in PAGES:
            check(window.open(file))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "scheme"),
    [*(pytest.param(*one, marks=pytest.mark.slow) for one in WINDOWS[:-1]), WINDOWS[-1]],
)
def test_axe_finds_nothing_on_the_page_for_a_student(
    browser: Browser, tmp_path: Path, width: int, scheme: Scheme
) -> None:
    (tmp_path / "bob.html").write_text(
        feedback_page_writer(CLASS.assignment)(student_views(CLASS.assignment)(CLASS.rows[1]))
    )
    for window in visit(browser, tmp_path, width, scheme):
        check(window.open("bob.html"))
        assert window.complaints == []
