"""Makes anew what the documents show of a run: `python -m tests.docs.renew`. Read it before you commit it.

Texts stand in the documents, pictures in docs/images: the terminal, the pages of a report, the class of the tutorial.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests import ROOT
from tests.browser import open_browser, picture_context
from tests.docs import terminal_picture
from tests.docs.shown import renewed
from tests.plugins.web.pages import pictures

TUTORIAL = ROOT / "docs" / "start" / "first-class.md"
STUDENTS = ROOT / "docs" / "start" / "students.md"
CLASS_PICTURE = ROOT / "docs" / "images" / "first-class.png"
# What `grader doctor` prints depends on the machine.
CONCEPTS = sorted(set((ROOT / "docs" / "concepts").glob("*.md")) - {ROOT / "docs" / "concepts" / "sandbox.md"})
_GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))


def renew_students(tutorial_folder: Path, folder: Path) -> str:
    """Follow the document for students in a folder with nothing but the self-check of the tutorial."""
    shutil.copy(tutorial_folder / "grader.pyz", folder)
    return renewed(STUDENTS, folder)


def draw_class(browser: Browser, tutorial_folder: Path) -> bytes:
    """Return the picture of the tutorial's class."""
    page = picture_context(browser).new_page()
    page.goto((tutorial_folder / "reports" / "html" / "hello" / "index.html").as_uri())
    return page.screenshot()


def main() -> None:
    """Write texts and pictures."""
    with tempfile.TemporaryDirectory() as temporary:
        for document in (TUTORIAL, *CONCEPTS, *_GUIDES):
            document.write_text(renewed(document, Path(temporary, document.stem)), encoding="utf-8")
        student = Path(temporary, "student")
        student.mkdir()
        STUDENTS.write_text(renew_students(Path(temporary, TUTORIAL.stem), student), encoding="utf-8")
        for browser in open_browser():
            CLASS_PICTURE.write_bytes(draw_class(browser, Path(temporary, TUTORIAL.stem)))
    terminal_picture.main()
    pictures.main()


if __name__ == "__main__":
    main()
