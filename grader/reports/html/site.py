"""Writes the site about a graded class.

FOLDER/index.html                  the overview
FOLDER/groups.html                 who made the same mistake
FOLDER/students/STUDENT.html       a page per student
FOLDER/tests/TEST.html             a page per test
"""

import gc
import multiprocessing
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment

from grader.analysis.failure_groups import groups_of
from grader.analysis.item_statistics import item_statistics
from grader.authoring.shortest import ShorterSession
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, StudentResult
from grader.model.rule import RuleResult
from grader.reports.html.class_pages import groups_page, test_pages
from grader.reports.html.overview import class_overview
from grader.reports.html.pages import Neighbours, neighbour_links, page_environment, page_links, write_page
from grader.reports.html.student_page import student_page
from grader.reports.probing import ProbedSubmissions
from grader.reports.terminal.test_result import cost_words, group_words
from grader.reports.write import ReportError

Item = TypeVar("Item")


def share_out(work: Callable[[Sequence[Item]], None], items: Sequence[Item], processes: int) -> None:
    """Call `work` with every item in one of as many parts as there are to be processes.

    Where there is no fork, or one process is enough, that is this one. Raises OSError when a part did.
    """
    parts = [items[number::processes] for number in range(min(processes, len(items)))]
    if len(parts) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        work(items)
        return
    context = multiprocessing.get_context("fork")
    errors = context.SimpleQueue()

    def do(part: Sequence[Item]) -> None:
        # What is there already stays; to look through it for garbage again and again takes long.
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


_UNSAFE = re.compile(r"[^\w.-]+")


_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


# Most file systems take 255 bytes; what is added must fit too.
_LONGEST = 150


_DIGITS = 10


def page_names(names: Iterable[str]) -> dict[str, str]:
    """A file name, without extension, for each of `names`, which are all different.

    A name that is safe on every common file system is kept. Any other one, and one that is equal to an earlier one when
    case or composition of letters make no difference, is made safe and ends in a digest of the true name.
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        file = next(file for file in _candidates(name) if _folded(file) not in taken)
        taken.add(_folded(file))
        files[name] = file
    return files


def _candidates(name: str) -> Iterator[str]:
    safe = _safe(name)
    if safe and safe == name:
        yield safe
    for attempt in count():
        digest = sha256(f"{name}{attempt or ''}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        yield f"{safe}-{digest}" if safe else digest


def _safe(name: str) -> str:
    text = _UNSAFE.sub("-", unicodedata.normalize("NFC", name)).strip(".-")
    text = text.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore").rstrip(".-")
    return f"_{text}" if _RESERVED.fullmatch(_folded(text)) else text


def _folded(file: str) -> str:
    return unicodedata.normalize("NFKC", file).casefold()


@dataclass(frozen=True)
class FurtherFindings:
    """What is known of a class beside its results.

    `probed` are submissions that random sessions were played with. In a session of `shorter` the failure that stands
    for a group shows, by the group's id.
    """

    probed: ProbedSubmissions | None = None
    shorter: Mapping[str, ShorterSession] = field(default_factory=dict)


_NOTHING_FURTHER = FurtherFindings()


def write_site(
    graded: ClassResult, folder: Path, processes: int = 1, further: FurtherFindings = _NOTHING_FURTHER
) -> Path:
    """Write the site about `graded` to `folder`, replacing an earlier one; returns its first page.

    The pages of students are written by several `processes`. Raises ReportError when the folder cannot be written.
    """
    environment = site_environment(graded.assignment)
    students = page_names(row.student for row in graded.rows)
    tests = page_names(test.id for test in graded.assignment.tests)
    student_links, test_links = page_links(students), page_links(tests)
    names = ("student.html", "test.html", "groups.html", "overview.html")
    student, test, groups, first = map(environment.get_template, names)

    def write_students(rows: Sequence[tuple[StudentResult, Neighbours]]) -> None:
        for row, around in rows:
            text = student.render(page=student_page(graded, row), links=test_links, **around)
            write_page(folder / "students" / f"{students[row.student]}.html", text)

    try:
        for name in ("students", "tests"):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
        rows = list(zip(graded.rows, neighbour_links(list(student_links.values())), strict=True))
        share_out(write_students, rows, processes)
        submissions = [row.graded for row in graded.rows]
        items = {item.test: item for item in item_statistics(submissions)}
        pages = test_pages(graded, items, student_links)
        for page, around in zip(pages, neighbour_links(list(test_links.values())), strict=True):
            write_page(folder / "tests" / f"{tests[page.test.id]}.html", test.render(page=page, **around))
        shared = groups_page(graded, groups_of(submissions), student_links, test_links, further.shorter)
        write_page(folder / "groups.html", groups.render(page=shared))
        view = class_overview(graded, items, student_links, test_links, further.probed)
        write_page(folder / "index.html", first.render(page=view, shared=shared))
    except OSError as error:
        raise ReportError(f"The site cannot be written: {error}") from None
    return folder / "index.html"


def site_environment(assignment: Assignment) -> Environment:
    """The templates for pages about a class, with what they call."""
    environment = page_environment(assignment, "report")
    environment.globals.update(cost_words=cost_words, group_words=group_words, decision=_decision)
    return environment


def _decision(row: StudentResult, result: RuleResult) -> str:
    if result.rule.id in row.manual.confirmed:
        return "costs"
    return "waived" if result.rule.id in row.manual.waived else "to confirm"
