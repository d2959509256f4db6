"""A real browser on a site made of the example class."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from grader.plugins.web.pages.site import write_site
from tests.reports.site_example import CLASS
from tests.reports.visit import Visit, visit


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, with spaces in its name."""
    folder = tmp_path_factory.mktemp("a site")
    write_site(CLASS, folder)
    return folder


@pytest.fixture(scope="module")
def seen_wide(browser: Browser, site: Path) -> Iterator[Visit]:
    """A window on a desk, shared by tests that leave nothing behind once another page is opened."""
    yield from visit(browser, site)


@pytest.fixture(scope="module")
def seen_on_a_phone(browser: Browser, site: Path) -> Iterator[Visit]:
    """The same, as narrow as a phone."""
    yield from visit(browser, site, 390, "dark")


@pytest.fixture(scope="module")
def seen_on_paper(browser: Browser, site: Path) -> Iterator[Visit]:
    """The same, as it is printed."""
    for paper in visit(browser, site, 680):
        paper.page.emulate_media(media="print")
        yield paper


@pytest.fixture
def wide(browser: Browser, site: Path) -> Iterator[Visit]:
    """A window on a desk, in light colours."""
    yield from visit(browser, site)


@pytest.fixture
def phone(browser: Browser, site: Path) -> Iterator[Visit]:
    """A window as narrow as a phone, in dark colours."""
    yield from visit(browser, site, 390, "dark")
