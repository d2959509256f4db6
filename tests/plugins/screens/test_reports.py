"""Screens in reports: in a self-check, in feedback, and on pages in a real browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import ROOT
from tests.conftest import Grader, SmallCourse

COURSE = ROOT / "docs" / "examples" / "screens"
MOVE = "After `<enter>` (step 1), everything is 1 column too far to the left."


@pytest.fixture
def course(small_course: SmallCourse) -> Path:
    """A course with the samples for noughts and crosses, in which one column off earns partial credit."""
    folder = small_course.folder
    for name in ("reference", "test_specs", "submissions"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(COURSE / "reference", folder / "reference")
    shutil.copytree(COURSE / "test_specs" / "noughts", folder / "test_specs" / "noughts")
    for student in ("one-column-off", "no-reverse"):
        sample = COURSE / "submissions" / "noughts" / student
        shutil.copytree(sample, folder / "submissions" / "noughts" / student)
    tests = folder / "test_specs" / "noughts" / "tests" / "game.yaml"
    tests.write_text(tests.read_text().replace("- id: small", "- id: small\n    partial: frames"))
    return folder


@pytest.fixture
def page(course: Path, grader: Grader, browser: Browser) -> Iterator[Page]:
    """The page of the student whose board is one column off, in a window that is still to be sized."""
    assert grader("report", "submissions/noughts", "--sandbox", "none").returncode == 0
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((course / "reports" / "html" / "noughts" / "students" / "one-column-off.html").as_uri())
    yield page
    context.close()


@pytest.mark.slow
def test_a_check_and_feedback_show_both_frames(course: Path, grader: Grader) -> None:
    checked = grader("check", "submissions/noughts/one-column-off/noughts.py").stdout
    row = "    8 │   X to move                   │  X to move\n"
    assert row in checked
    assert "note           small: Partial credit: 2 of 5 screens are right, which earns 40 % of the points." in checked
    assert grader("grade", "submissions/noughts", "--sandbox", "none").returncode == 0
    (feedback,) = (course / "reports" / "noughts" / "students").glob("one-column-off*.txt")
    text = feedback.read_text()
    assert MOVE in text
    assert row in text


@pytest.mark.slow
def test_a_page_shows_frames_beside_each_other_where_there_is_room(page: Page) -> None:
    expected, printed = (page.locator(f"#test-first-move figure.{side}").first for side in ("e", "a"))
    page.locator("#test-first-move").evaluate("failure => { failure.open = true; }")

    def places() -> list[tuple[float, float]]:
        boxes = [figure.bounding_box() for figure in (expected, printed)]
        return [(box["x"], box["y"]) for box in boxes if box]

    (left, top), (right, other_top) = places()
    assert (left < right, top == other_top) == (True, True)
    page.set_viewport_size({"width": 390, "height": 900})
    (left, top), (right, other_top) = places()
    assert (left == right, top < other_top) == (True, True)
    # Nothing is cut off, and marks differ from other cells in more than their colour.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    border = "mark => getComputedStyle(mark).borderBottomStyle"
    assert expected.locator("mark").first.evaluate(border) == "solid"


@pytest.mark.slow
def test_the_player_shows_a_frame_before_each_key(page: Page) -> None:
    page.locator("#test-first-move").evaluate("failure => { failure.open = true; }")
    replay = page.locator("#test-first-move .replay")
    replay.locator("summary").click()
    steps, shown = replay.locator("li"), replay.locator("li:visible")
    replay.locator("[data-step=first]").click()
    assert shown.count() == 1
    assert shown.locator("kbd").inner_text() == "<enter>"
    assert shown.locator("mark").count() == 0
    replay.locator("[data-step=differs]").click()
    assert shown.count() == 1
    assert shown.locator("figcaption").all_inner_texts() == ["expected, after `<enter>`", "printed, after `<enter>`"]
    assert shown.locator("mark").count() > 10
    replay.locator("[data-step=last]").click()
    assert steps.count() == 9
    assert shown.inner_text().endswith("end of the session")
