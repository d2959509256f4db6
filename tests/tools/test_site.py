"""The documents as a site: complete, with links that lead somewhere, nothing loaded from elsewhere, and a search."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from grader.plugins.manual.contents import DOORS
from tests import ROOT
from tools.site_pages import PAGES, as_on_site, navigation

SITE = {"start/page.md", "guides/guide.md", "images/overview.png", *PAGES.values()}
DOCS = ROOT / "docs"
PAGE_WIDTH = 390  # of a telephone


def pages_of(navigation: Any) -> Iterator[str]:
    """The pages of a navigation."""
    match navigation:
        case str():
            yield navigation
        case list() | dict():
            for inner in navigation.values() if isinstance(navigation, dict) else navigation:
                yield from pages_of(inner)


def documents() -> list[str]:
    """The pages of the manual, relative to docs/."""
    files = (file.relative_to(DOCS) for file in DOCS.rglob("*.md"))
    return sorted(file.as_posix() for file in files if file.parts[0] != "examples")


def test_every_document_is_in_the_navigation_behind_a_door() -> None:
    doors = navigation(documents())
    assert [title for door in doors for title in door] == ["Home", *(door.title for door in DOORS)]
    assert sorted(pages_of(doors)) == sorted([*documents(), *PAGES.values()])


def test_the_navigation_is_in_the_order_of_the_manual() -> None:
    pages = ("start/students.md", "start/install.md", "guides/zebra.md", "guides/ci.md", "reference/files/b.md")
    assert navigation(pages)[1:4] == [
        {"Start": ["start/install.md", "start/students.md"]},
        {"Guides": [{"Set up and integrate": ["guides/ci.md", "guides/zebra.md"]}]},
        {"Reference": [{"Files": ["reference/files/b.md"]}]},
    ]


@pytest.mark.parametrize(
    ("text", "on_site"),
    [
        ("[guide](../guides/guide.md#a-part)", "[guide](../guides/guide.md#a-part)"),
        ("[here](#a-part)", "[here](#a-part)"),
        ("[figures](../../benchmarks/README.md)", "[figures](../about/benchmarks.md)"),
        ("[changes](../../CHANGELOG.md#not-yet-released)", "[changes](../about/changes.md#not-yet-released)"),
        ("![a picture](../images/overview.png)", "![a picture](../images/overview.png)"),
        ("[the licence](../../LICENSE)", "the licence"),
        ("[lost](../lost.md)", "[lost](../lost.md)"),
        ("[far](https://example.org/guide.md)", "[far](https://example.org/guide.md)"),
        ("```python file=reference/nim.py\n", '```python title="reference/nim.py"\n'),
        ("```text shown=reports/a.txt:3\n", '```text title="reports/a.txt:3"\n'),
        ("```yaml\n", "```yaml\n"),
    ],
)
def test_links_and_blocks_of_a_document(text: str, on_site: str) -> None:
    assert as_on_site(text, "docs/start/page.md", SITE, ROOT) == on_site


def test_a_document_beside_docs_links_into_it() -> None:
    text = "[guide](docs/guides/guide.md) and ![picture](docs/images/overview.png)"
    on_site = "[guide](guides/guide.md) and ![picture](images/overview.png)"
    assert as_on_site(text, "README.md", SITE, ROOT) == on_site
    link = as_on_site("[guide](../docs/guides/guide.md)", "benchmarks/README.md", SITE, ROOT)
    assert link == "[guide](../guides/guide.md)"


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Make the site of the documents in `root`."""
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--config-file",
        str(root / "mkdocs.yml"),
        "--site-dir",
        str(site),
    ]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, in a folder whose name has a space in it."""
    folder = tmp_path_factory.mktemp("the site")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.mark.slow
def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = {Path(page).with_suffix(".html") for page in (*documents(), *PAGES.values())}
    assert {path.relative_to(site) for path in site.rglob("*.html")} == pages | {Path("404.html")}
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:link|script|img)\b[^>]*(?:href|src)="(https?:[^"]*)"', page.read_text(encoding="utf-8")
        )
        assert loaded == [], page.name
    assert '<span class="filename">reference/hello.py</span>' in (site / "start" / "first-class.html").read_text()


@pytest.mark.slow
def test_links_that_lead_nowhere_are_errors(tmp_path: Path) -> None:
    for part in ("docs", "tools", "benchmarks"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for file in (
        "mkdocs.yml",
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "CODE_OF_CONDUCT.md",
        "LICENSE",
        "SECURITY.md",
    ):
        shutil.copy(ROOT / file, tmp_path / file)
    with (tmp_path / "docs" / "start" / "install.md").open("a", encoding="utf-8") as document:
        document.write("\n[lost](lost.md)\n[lost](students.md#no-such-part)\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode == 1
    lost = re.findall(r"start/install.md' contains a link '([^']*)'", built.stderr)
    assert lost == ["lost.md", "students.md#no-such-part"]


class WithoutSearch(SimpleHTTPRequestHandler):
    """The site without the index that each page would read."""

    def do_GET(self) -> None:
        if "/search/" in self.path:
            self.send_error(404)
        else:
            super().do_GET()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site on a server."""
    yield from served(site, SimpleHTTPRequestHandler)


@pytest.fixture(scope="module")
def plain_address(site: Path) -> Iterator[str]:
    """The same without its search."""
    yield from served(site, WithoutSearch)


def served(site: Path, handler: type[SimpleHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_the_search_finds_a_page(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{address}/index.html?q=loopback")
    found = page.locator(".md-search-result__link", has_text="What the sandbox keeps out")
    expect(found.first).to_be_visible(timeout=60_000)
    page.close()


@pytest.mark.slow
def test_pages_fit_a_telephone(plain_address: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": PAGE_WIDTH, "height": 844})
    too_wide = []
    for name in (*documents(), *PAGES.values()):
        page.goto(f"{plain_address}/{Path(name).with_suffix('.html').as_posix()}")
        if page.evaluate("document.documentElement.scrollWidth") > PAGE_WIDTH:
            too_wide.append(name)
    page.close()
    assert too_wide == []


@pytest.mark.slow
def test_the_doors_are_reached_on_a_telephone(address: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": PAGE_WIDTH, "height": 844})
    page.goto(f"{address}/start/install.html")
    page.locator("label.md-header__button[for=__drawer]").click()
    for door in DOORS:
        expect(page.locator(".md-nav--primary").get_by_text(door.title, exact=True).first).to_be_attached()
    page.close()
