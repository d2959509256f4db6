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
import yaml
from playwright.sync_api import Browser, expect

from tests import ROOT
from tools.site_pages import PAGES, as_on_site

SITE = {"page.md", "guide.md", "images/overview.png", *PAGES.values()}


def pages_of(navigation: Any) -> Iterator[str]:
    """The pages of `nav` in mkdocs.yml."""
    match navigation:
        case str():
            yield navigation
        case list() | dict():
            for inner in navigation.values() if isinstance(navigation, dict) else navigation:
                yield from pages_of(inner)


def test_every_document_is_in_the_navigation() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    documents = [path.name for path in (ROOT / "docs").glob("*.md")]
    assert sorted(pages_of(settings["nav"])) == sorted([*documents, *PAGES.values()])


@pytest.mark.parametrize(
    ("text", "on_site"),
    [
        ("[guide](guide.md#a-part)", "[guide](guide.md#a-part)"),
        ("[here](#a-part)", "[here](#a-part)"),
        ("[figures](../benchmarks/README.md)", "[figures](benchmarks.md)"),
        ("[changes](../CHANGELOG.md#not-yet-released)", "[changes](changes.md#not-yet-released)"),
        ("![a picture](images/overview.png)", "![a picture](images/overview.png)"),
        ("[the licence](../LICENSE)", "the licence"),
        ("[lost](../lost.md)", "[lost](../lost.md)"),
        ("[far](https://example.org/guide.md)", "[far](https://example.org/guide.md)"),
        ("```python file=reference/nim.py\n", '```python title="reference/nim.py"\n'),
        ("```yaml\n", "```yaml\n"),
    ],
)
def test_links_and_blocks_of_a_document(text: str, on_site: str) -> None:
    assert as_on_site(text, "docs/page.md", SITE, ROOT) == on_site


def test_a_document_beside_docs_links_into_it() -> None:
    text = "[guide](docs/guide.md) and ![picture](docs/images/overview.png)"
    on_site = "[guide](guide.md) and ![picture](images/overview.png)"
    assert as_on_site(text, "README.md", SITE, ROOT) == on_site
    assert as_on_site("[guide](../docs/guide.md)", "benchmarks/README.md", SITE, ROOT) == "[guide](guide.md)"


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
    documents = {path.stem for path in (ROOT / "docs").glob("*.md")} | {Path(page).stem for page in PAGES.values()}
    assert {path.stem for path in site.glob("*.html")} == documents | {"404"}
    for page in site.glob("*.html"):
        loaded = re.findall(
            r'<(?:link|script|img)\b[^>]*(?:href|src)="(https?:[^"]*)"', page.read_text(encoding="utf-8")
        )
        assert loaded == [], page.name
    assert '<span class="filename">reference/nim.py</span>' in (site / "tutorial-instructor.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("link", ["[lost](lost.md)", "[lost](api.md#no-such-part)"])
def test_a_link_that_leads_nowhere_is_an_error(link: str, tmp_path: Path) -> None:
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
    with (tmp_path / "docs" / "scale.md").open("a", encoding="utf-8") as document:
        document.write(f"\n{link}\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode == 1
    assert "scale.md' contains a link" in built.stderr


@pytest.mark.slow
def test_the_search_finds_a_page(site: Path, browser: Browser) -> None:
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html?q=worksheet")
        found = page.locator(".md-search-result__link", has_text="Instructor guide")
        expect(found.first).to_be_visible(timeout=60_000)
        page.close()
        server.shutdown()
