"""A class of 40 with a roster, two items to mark and seven findings of a rule, marked by two people at once."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import MILLISECONDS, open_browser
from tests.conftest import RIGHT, SmallCourse
from tests.plugins.web.serve.marked_course import Client, enter, entries, marked_course, served

SECTIONS = {"A": "Eve", "B": "Dan"}
STUDENTS = [f"s{number:03}" for number in range(40)]
FINDINGS = STUDENTS[::6]
GUARDED = 'def main():\n    print("Double:", 2 * int(input("Number: ")))\n\n\nif __name__ == "__main__":\n    main()\n'


def section_of(student: str) -> str:
    return "AB"[STUDENTS.index(student) % 2]


def large_course(folder: Path) -> SmallCourse:
    course = marked_course(folder, ())
    for student in STUDENTS:
        program = RIGHT if student in FINDINGS else GUARDED
        course.hand_in(student, f"# {student}\n{program}")
    lines = [f"{student},Student {student[1:]},{section_of(student)}" for student in STUDENTS]
    (course.students / "roster.csv").write_text("\n".join(["login,name,section", *lines, ""]))
    return course


@contextmanager
def window(address: str, name: str) -> Iterator[Page]:
    """A browser of its own, in which a marker has come in."""
    for browser in open_browser():
        context = browser.new_context()
        context.set_default_timeout(MILLISECONDS)
        yield enter(context, address, name)


def mark_section(address: str, name: str, section: str) -> list[str]:
    """Mark a section by keys alone, from its first student on; gives the students in the order in which they came."""
    marked = []
    with window(address, name) as page:
        page.get_by_label("section").select_option(section)
        page.locator("#class tbody tr:visible a").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/students/*")
        while True:
            marked.append(page.locator("h1").inner_text().split()[0])
            expect(page.locator("#item-names")).to_be_focused()
            keys = ["f", "1"] + ["w"] * (page.locator(".target[data-kind=rule]").count())
            for key in keys:
                page.keyboard.press(key)
            expect(page.locator("#marking-title small")).to_contain_text("nothing left")
            if not page.evaluate("document.body.dataset.waiting"):
                break
            before = page.url.partition("#")[0]
            page.keyboard.press("t")
            page.wait_for_function("before => location.href.split('#')[0] !== before", arg=before)
        page.keyboard.press("g")
        page.wait_for_url("**/index.html?*")
        # The table shows the section that was chosen, with nothing left to decide in it.
        shown = page.locator("#class tbody tr:visible td:nth-child(5)")
        expect(shown).to_have_text(["0"] * (len(STUDENTS) // 2))
    return marked


@pytest.mark.slow
def test_two_markers_mark_a_class_of_40_at_once(tmp_path: Path) -> None:
    course = large_course(tmp_path)
    with served(course) as address:
        shown = Client(address).enter("Ann").get("/index.html").text
        assert shown.count("<tr id=") == len(STUDENTS)
        with ThreadPoolExecutor() as markers:
            work = {section: markers.submit(mark_section, address, name, section) for section, name in SECTIONS.items()}
        for section, marked in work.items():
            assert marked.result() == [student for student in STUDENTS if section_of(student) == section]
    marks = {str(entry.pop("student")): entry for entry in entries(course, "marks.yaml")}
    points = {"points": {"names": "1", "comments": "1"}}
    assert marks == {student: {**points, "waive": ["main"]} if student in FINDINGS else points for student in STUDENTS}
    log = (course.folder / "reports" / "audit.jsonl").read_text().splitlines()
    decided = Counter(name for line in log for name in SECTIONS.values() if f'"by": "{name}"' in line)
    assert sum(decided.values()) == len(log) == 2 * len(STUDENTS) + len(FINDINGS)
