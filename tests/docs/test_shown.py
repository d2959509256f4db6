"""What the documents show of a run is what appears: texts alike, pictures nearly."""

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.docs.renew import CLASS_PICTURE, CONCEPTS, STUDENTS, TUTORIAL, draw_class, renew_students
from tests.docs.shown import Shown, check_shown, renewed
from tests.sandbox import needs_sandbox

HINT = "python -m tests.docs.renew"
# A running time of another length, or another version of Python.
MAX_DIFFERENT_PIXELS = 0.01
COMPARE = """async (pictures) => {
    const [first, second] = await Promise.all(pictures.map(async (picture) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d");
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    if (first.length !== second.length) return 1;
    let different = 0;
    for (let place = 0; place < first.length; place += 4)
        if (Math.abs(first[place] - second[place]) > 64) different += 1;
    return different / (first.length / 4);
}"""


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("document", CONCEPTS, ids=lambda file: file.stem)
def test_texts_of_a_concept(document: Path, tmp_path: Path) -> None:
    check_shown(document, tmp_path)


@needs_sandbox
@pytest.mark.slow
def test_the_tutorial_and_the_page_for_students(tmp_path: Path, browser: Browser) -> None:
    """The students' page needs nothing but the self-check that the tutorial makes."""
    course, student = tmp_path / "course", tmp_path / "student"
    course.mkdir()
    student.mkdir()
    assert renewed(TUTORIAL, course) == TUTORIAL.read_text(encoding="utf-8"), HINT
    assert renew_students(course, student) == STUDENTS.read_text(encoding="utf-8"), HINT
    pictures = (CLASS_PICTURE.read_bytes(), draw_class(browser, course))
    page = browser.new_page()
    different = page.evaluate(COMPARE, [base64.b64encode(picture).decode() for picture in pictures])
    page.close()
    assert different < MAX_DIFFERENT_PIXELS, HINT


def test_what_differs_is_put_in_place_and_durations_stay(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    file = "```text file=a.txt\none: 0.3 s\ntwo\n```\n\n"
    text = f"{file}```text shown=a.txt:1\none: 9 s\n```\n\n```text shown=a.txt\nold\n```\n"
    page.write_text(text)
    assert renewed(page, tmp_path) == text.replace("old\n", "one: 0.3 s\ntwo\n")


def test_what_commands_print_is_put_in_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\necho a; pwd\n```\n\n```text\nb\n```\n\n```text\nc\n```\n")
    assert "```text\na\n/home/you/course\n```\n\n```text\nc\n```" in renewed(page, tmp_path)


@pytest.mark.parametrize(
    ("text", "appears", "is_right"),
    [
        ("Python           3.11.7\n", "Python           3.14.0\n", True),
        ("7 of 10, 3 s\n", "7 of 10, 12.5 s\n", True),
        ("7 of 10\n", "8 of 10\n", False),
        ("...\ntwo\n", "one\ntwo\n", True),
        ("...\ntwo\n", "one\ntwo\nthree\n", False),
        ("a … of 3\n", "a mark of 3\n", True),
        ("a … of 3\n", "a\nmark of 3\n", False),
    ],
)
def test_parts_that_may_differ(text: str, appears: str, is_right: bool) -> None:
    assert Shown((0, 0), text, appears).is_right is is_right
