"""A real browser on pages made of the example class."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page

from grader.text.file_names import file_names
from tests.reports.site_example import CLASS


@dataclass
class Visit:
    """A page of the site in a browser. `complaints` and `requests` are those of all pages opened so far."""

    page: Page
    site: Path
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, file: str, fragment: str = "") -> Page:
        """Open a page of the site."""
        path = self.site / file
        self.page.goto(path.as_uri() + fragment)
        return self.page

    def student(self, name: str, fragment: str = "") -> Page:
        """Open the page of a student."""
        file = file_names(row.student for row in CLASS.rows)[name]
        return self.open(f"students/{file}.html", fragment)


def visit(
    browser: Browser, site: Path, width: int = 1280, scheme: Literal["light", "dark"] = "light"
) -> Iterator[Visit]:
    """A new window of a browser that remembers nothing."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    visit = Visit(page, site)
    page.on("console", lambda message: visit.complaints.append(message.text))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on("request", lambda request: visit.requests.append(request.url))
    yield visit
    context.close()
