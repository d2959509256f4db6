"""A real browser on the pages about similar programs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from grader.plugins.similarity.pages import write_similar
from tests.plugins.similarity.similar_example import SEARCH, find_pairs
from tests.reports.site_example import ASSIGNMENT
from tests.reports.visit import Visit, visit


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages, with spaces in its name."""
    folder = tmp_path_factory.mktemp("similar programs")
    write_similar(ASSIGNMENT, find_pairs(), SEARCH, folder)
    return folder


@pytest.fixture
def wide(browser: Browser, pages: Path) -> Iterator[Visit]:
    """A window on a desk, in light colours."""
    yield from visit(browser, pages)


@pytest.fixture
def phone(browser: Browser, pages: Path) -> Iterator[Visit]:
    """A window as narrow as a phone, in dark colours."""
    yield from visit(browser, pages, 390, "dark")
