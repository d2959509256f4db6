"""Makes the pictures of reports in docs/images anew: `python -m tests.plugins.web.pages.pictures`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests import ROOT
from tests.browser import open_browser, picture_context

_REPORTED = "cse231-lab10b"
_IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Write both."""
    _IMAGES.mkdir(exist_ok=True)
    for browser in open_browser():
        with tempfile.TemporaryDirectory() as folder:
            _draw_report(browser, Path(folder))


def _draw_report(browser: Browser, folder: Path) -> None:
    """Draw overview.png and difference.png."""
    command = ["report", f"submissions/{_REPORTED}", "--reports", str(folder), "--store", f"{folder}/store.sqlite3"]
    subprocess.run([sys.executable, "-m", "grader", *command], cwd=ROOT, check=True)
    site = folder / "html" / _REPORTED
    _open(browser, (site / "index.html").as_uri()).screenshot(path=_IMAGES / "overview.png")
    student = _open(browser, (site / "students" / "player-1-wins-ties.html").as_uri() + "#test-war-draw")
    student.locator("#test-war-draw").screenshot(path=_IMAGES / "difference.png")


def _open(browser: Browser, address: str) -> Page:
    page = picture_context(browser).new_page()
    page.goto(address)
    return page


if __name__ == "__main__":
    main()
