"""Makes the pictures of pages for markers anew, of sample classes: `python -m tests.plugins.web.serve.pictures`."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from grader.api.request import GradeOptions, GradeRequest
from grader.plugins.web.serve.api import ServeOptions, serve
from tests import ROOT
from tests.browser import open_browser, picture_context
from tests.plugins.web.serve.marked_course import Client, enter, wait_until_graded

_GROUPED, _MARKED = "cse231-proj09", "cse231-proj10"
_COMMENT = "The game ends when a player has no card left: ask before a round, not after the last one."
_IMAGES = ROOT / "docs" / "images"


def main() -> None:
    """Write all three."""
    for browser in open_browser():
        with tempfile.TemporaryDirectory() as folder:
            _draw_marking(browser, Path(folder))
            _draw_groups(browser, Path(folder))


def _draw_marking(browser: Browser, folder: Path) -> None:
    """Draw serve-class.png and serve-student.png."""
    with _served(folder, _MARKED) as address:
        page = enter(picture_context(browser), address, "Eve")
        page.get_by_label("section").select_option("A")
        page.screenshot(path=_IMAGES / "serve-class.png")
        page.locator("#class tbody tr:visible a").first.click()
        page.wait_for_url("**/students/*")
        page.keyboard.press("f")
        page.locator("#marking-title small").get_by_text("2 left").wait_for()
        page.screenshot(path=_IMAGES / "serve-student.png")


def _draw_groups(browser: Browser, folder: Path) -> None:
    """Draw serve-groups.png."""
    with _served(folder, _GROUPED) as address:
        page = enter(picture_context(browser), address, "Eve")
        page.get_by_role("link", name="Groups").click()
        page.wait_for_url("**/groups.html")
        page.get_by_label("Comment for all of them").first.fill(_COMMENT)
        page.set_viewport_size({"width": 1280, "height": 1000})
        page.screenshot(path=_IMAGES / "serve-groups.png")


@contextmanager
def _served(folder: Path, assignment: str) -> Iterator[str]:
    """Serve a copy of a sample class in two sections about which nothing is decided; gives the first address."""
    students = folder / assignment
    shutil.copytree(ROOT / "submissions" / assignment, students)
    (students / "marks.yaml").unlink(missing_ok=True)
    named = sorted(path.name for path in students.iterdir() if path.is_dir())
    rows = "".join(f"{name},{'AB'[number % 2]}\n" for number, name in enumerate(named))
    (students / "roster.csv").write_text(f"login,section\n{rows}", encoding="utf-8")
    options = GradeOptions(store=folder / "store.sqlite3")
    request = GradeRequest(folder=students, assignment=assignment, course=ROOT, options=options)
    with serve(request, ServeOptions(port=0, reports=folder / "reports")) as served:
        wait_until_graded(Client(served.address).enter("waiting"))
        yield served.address


if __name__ == "__main__":
    main()
