"""Writes the site about a graded class:

FOLDER/index.html                  the overview
FOLDER/groups.html                 who made the same mistake
FOLDER/students/STUDENT.html       a page per student
FOLDER/tests/TEST.html             a page per test
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from grader.insight.groups import groups_of
from grader.insight.items import items_of
from grader.report.files import ReportError
from grader.report.graded_class import GradedClass, Row
from grader.report.html.groups_page import groups_page
from grader.report.html.overview import overview
from grader.report.html.page_names import page_names
from grader.report.html.pages import Neighbours, neighbours, page_environment, quoted, write_page
from grader.report.html.share_out import share_out
from grader.report.html.student_page import student_page
from grader.report.html.test_page import test_pages
from grader.report.rule_text import cost_words
from grader.rules.finding import RuleResult


def write_site(graded: GradedClass, folder: Path, processes: int = 1) -> Path:
    """Write the site about `graded` to `folder`, replacing an earlier one; returns its first page.

    The pages of students are written by several `processes`. Raises ReportError when the folder cannot be written.
    """
    environment = page_environment(graded.assignment, "report")
    environment.globals.update(cost_words=cost_words, decision=_decision)
    students = page_names(row.student for row in graded.rows)
    tests = page_names(test.id for test in graded.assignment.tests)
    student_links, test_links = quoted(students), quoted(tests)
    names = ("student.html", "test.html", "groups.html", "overview.html")
    student, test, groups, first = map(environment.get_template, names)

    def write_students(rows: Sequence[tuple[Row, Neighbours]]) -> None:
        for row, around in rows:
            text = student.render(page=student_page(graded, row), links=test_links, **around)
            write_page(folder / "students" / f"{students[row.student]}.html", text)

    try:
        for name in ("students", "tests"):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
        rows = list(zip(graded.rows, neighbours(list(student_links.values())), strict=True))
        share_out(write_students, rows, processes)
        submissions = [row.graded for row in graded.rows]
        items = {item.test: item for item in items_of(submissions)}
        pages = test_pages(graded, items, student_links)
        for page, around in zip(pages, neighbours(list(test_links.values())), strict=True):
            write_page(folder / "tests" / f"{tests[page.test.id]}.html", test.render(page=page, **around))
        shared = groups_page(graded, groups_of(submissions), student_links, test_links)
        write_page(folder / "groups.html", groups.render(page=shared))
        view = overview(graded, items, student_links, test_links)
        write_page(folder / "index.html", first.render(page=view, shared=shared))
    except OSError as error:
        raise ReportError(f"The site cannot be written: {error}") from None
    return folder / "index.html"


def _decision(row: Row, result: RuleResult) -> str:
    if result.rule.id in row.manual.confirmed:
        return "costs"
    return "waived" if result.rule.id in row.manual.waived else "to confirm"
