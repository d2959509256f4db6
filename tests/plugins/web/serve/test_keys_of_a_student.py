"""Twenty students with three items each are marked with at most four keys a student, beside moving on."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import MILLISECONDS
from tests.conftest import SmallCourse
from tests.plugins.web.serve.marked_course import enter, entries, marked_course, served

STUDENTS = tuple(f"s{number:02}" for number in range(20))
GUARDED = 'def main():\n    print("Double:", 2 * int(input("Number: ")))\n\n\nif __name__ == "__main__":\n    main()\n'
ITEM = "      - {id: comments, title: comments, marks: 2}\n"
LAYOUT = "      - {id: layout, title: layout, marks: 1}\n"
POINTS = {"names": "1", "comments": "1", "layout": "0"}


@pytest.fixture
def course(tmp_path: Path) -> SmallCourse:
    course = marked_course(tmp_path, ())
    file = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    content = file.read_text()
    assert ITEM in content
    file.write_text(content.replace(ITEM, ITEM.replace("2", "1") + LAYOUT))
    for student in STUDENTS:
        course.hand_in(student, f"# {student}\n{GUARDED}")
    return course


@pytest.mark.slow
def test_a_student_takes_four_keys_and_the_code_is_in_sight(browser: Browser, course: SmallCourse) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(MILLISECONDS)
    with served(course) as address:
        page = enter(context, address, "Eve")
        page.get_by_role("link", name=STUDENTS[0], exact=True).click()
        for student in STUDENTS:
            page.wait_for_url(f"**/{student}.html*")
            expect(page.locator("#item-names")).to_be_focused()
            expect(page.locator(".code").first).to_be_in_viewport()
            for key in ("f", "f", "z"):
                page.keyboard.press(key)
            expect(page.locator("#marking-title small")).to_contain_text("nothing left")
            expect(page.locator(".code").first).to_be_in_viewport()
            page.keyboard.press("t")
        context.close()
    assert {entry["student"]: entry["points"] for entry in entries(course, "marks.yaml")} == dict.fromkeys(
        STUDENTS, POINTS
    )
