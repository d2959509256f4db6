"""Makes the pictures in docs/images anew, of the sample class of War: `python -m tests.reports.html.pictures`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests import ROOT
from tests.browser import ARGUMENTS, chromium

_CLASS = "cse231-lab10b"
_IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Write overview.png and difference.png."""
    _IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = ["report", f"submissions/{_CLASS}", "--reports", folder, "--store", f"{folder}/store.sqlite3"]
        subprocess.run([sys.executable, "-m", "grader", *command], cwd=ROOT, check=True)
        site = Path(folder) / "html" / _CLASS
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            _open(browser, site / "index.html").screenshot(path=_IMAGES / "overview.png")
            student = _open(browser, site / "students" / "player-1-wins-ties.html", "#test-war-draw")
            student.locator("#test-war-draw").screenshot(path=_IMAGES / "difference.png")
            browser.close()


def _open(browser: Browser, file: Path, fragment: str = "") -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 1000}, color_scheme="light", reduced_motion="reduce")
    page.goto(file.as_uri() + fragment)
    return page


if __name__ == "__main__":
    main()
