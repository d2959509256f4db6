"""Writes the site about a graded class.

FOLDER/index.html                  the overview
FOLDER/groups.html                 students with the same mistake
FOLDER/students/STUDENT.html       a page per student
FOLDER/tests/TEST.html             a page per test
"""

import gc
import multiprocessing
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from grader.analysis.failure_groups import groups_of
from grader.analysis.item_statistics import item_statistics
from grader.errors import reported_as
from grader.model.results import ClassResult
from grader.plugins.web.pages.class_pages import GroupsPage, StudentLink, groups_page, test_pages
from grader.plugins.web.pages.environment import site_environment
from grader.plugins.web.pages.overview import class_overview
from grader.plugins.web.pages.student_page import student_page
from grader.reports.html.pages import (
    neighbour_links,
    neighbours,
    page_links,
    write_page,
)
from grader.reports.html.writer import FurtherFindings
from grader.reports.student_notes import notes_of
from grader.reports.write import ReportError
from grader.text.file_names import file_names

Item = TypeVar("Item")
_NOTHING_FURTHER = FurtherFindings()


def share_out(work: Callable[[Sequence[Item]], None], items: Sequence[Item], processes: int) -> None:
    """Call `work` with the items, divided into as many parts as there are `processes`.

    Without fork, or if one process is enough, this process does everything. Raises OSError if a part failed with an
    OSError.
    """
    parts = [items[number::processes] for number in range(min(processes, len(items)))]
    if len(parts) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        work(items)
        return
    context = multiprocessing.get_context("fork")
    errors = context.SimpleQueue()

    def do(part: Sequence[Item]) -> None:
        # Existing objects stay, and searching them for garbage repeatedly takes long.
        gc.freeze()
        try:
            work(part)
        except OSError as error:
            errors.put(str(error))

    workers = [context.Process(target=do, args=(part,)) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if not errors.empty():
        raise OSError(errors.get())
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a process that writes pages has failed")


class ClassPages:
    """The pages about a graded class, each made on request. File names have no extension."""

    def __init__(self, graded: ClassResult, further: FurtherFindings = _NOTHING_FURTHER) -> None:
        self.graded = graded
        self.further = further
        self.student_files = file_names(row.student for row in graded.rows)
        self.test_files = file_names(test.id for test in graded.assignment.tests)
        self._tests = page_links(self.test_files)
        pages = page_links(self.student_files)
        self._students = {
            row.student: StudentLink(row.student, row.full_name, pages[row.student]) for row in graded.rows
        }
        self._student_pages = list(pages.values())
        self._items = {item.test: item for item in item_statistics(row.graded for row in graded.rows)}
        self._groups = groups_of(row.graded for row in graded.rows)
        environment = site_environment(graded.assignment)
        environment.globals.update(names_known=any(row.full_name for row in graded.rows))
        names = ("student.html", "test.html", "groups.html", "overview.html")
        self._templates = {name: environment.get_template(name) for name in names}

    def student(self, number: int) -> tuple[str, str]:
        """Return the file and the text of the page of the student whose row has this number."""
        row, links = self.graded.rows[number], neighbours(self._student_pages, number)
        notes = notes_of(row, self.graded)
        page = student_page(self.graded.assignment, row, notes)
        text = self._templates["student.html"].render(page=page, links=self._tests, **links)
        return self.student_files[row.student], text

    def tests(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Yield the file and the text of the page of each test, in pieces."""
        pages = test_pages(self.graded, self._items, self._students)
        for page, links in zip(pages, neighbour_links(list(self._tests.values())), strict=True):
            yield self.test_files[page.test.id], self._templates["test.html"].generate(page=page, **links)

    def groups(self) -> GroupsPage:
        """Gather the page of shared mistakes."""
        return groups_page(self.graded, self._groups, self._students, self._tests, self.further.shorter)

    def class_pages(self) -> Iterator[tuple[str, Iterator[str]]]:
        """Yield the file and the text of the overview, and of the page about shared mistakes, in pieces."""
        shared = self.groups()
        yield "groups", self._templates["groups.html"].generate(page=shared)
        page = class_overview(self.graded, self._items, self._students, self._tests, self.further.probed)
        yield "index", self._templates["overview.html"].generate(page=page, shared=shared)


def write_site(
    graded: ClassResult, folder: Path, processes: int = 1, further: FurtherFindings = _NOTHING_FURTHER
) -> Path:
    """Write the site about `graded` to `folder`, replacing an earlier one; return its first page.

    The pages of students are written by several `processes`. Raises ReportError if the folder cannot be written.
    """
    pages = ClassPages(graded, further)

    def write_students(numbers: Sequence[int]) -> None:
        for file, text in map(pages.student, numbers):
            write_page(folder / "students" / f"{file}.html", text)

    with reported_as(ReportError, "The site cannot be written"):
        for name in ("students", "tests"):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
        share_out(write_students, range(len(graded.rows)), processes)
        for file, pieces in pages.tests():
            _write_pieces(folder / "tests" / f"{file}.html", pieces)
        for file, pieces in pages.class_pages():
            _write_pieces(folder / f"{file}.html", pieces)
    return folder / "index.html"


def _write_pieces(file: Path, pieces: Iterable[str]) -> None:
    """Write a page in pieces, because as a whole it would take much memory. Raises OSError."""
    with file.open("w", encoding="utf-8", newline="") as page:
        page.writelines(pieces)
