"""Measures how long the pages of `grader serve` take for a large class, and a decision with the next page, as JSON.

The class comes from `benchmarks.html_report`, with a roster, an item that is marked for all students except the visited
ones, a rule that one in fifteen breaks, requests from one in five, and a comment on every tenth group. Times are
measured by a client on the same machine: the median and the maximum, including the first page after a change, as
elapsed time and as processor time of server and client.
"""

import argparse
import gc
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from urllib.parse import quote, urlencode

from benchmarks.html_report import made_up_class
from grader.api.request import GradeOptions
from grader.class_files.all_files import read_class_files
from grader.intake.choose_attempt import ClassSubmissions
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.results import ClassResult, GradedSubmission
from grader.model.rule import Rule, RuleFinding, RuleResult
from grader.plugins.code_rules.main_guard import MainGuard
from grader.plugins.web.serve.app import MarkerApp
from grader.plugins.web.serve.class_server import watched_files
from grader.plugins.web.serve.editing.edit import ClassFileEditor
from grader.plugins.web.serve.entry_keys import Entry, EntryKeys, Marker, new_keys
from grader.plugins.web.serve.listener import HOST, open_port
from grader.plugins.web.serve.live_class import LiveClass, LiveSource
from grader.plugins.web.serve.pages import MarkerPages
from grader.plugins.web.serve.server import running
from grader.plugins.web.serve.student_names import names_of

_VISITS = 30
_ITEM = ManualItem("style", "style", Decimal(2))
_RULE = Rule(id="main", title="main is guarded", check=MainGuard(), programs=("game.py",), deduct=Decimal(1))


def live_class(graded: ClassResult, folder: Path) -> LiveClass:
    """Return the class with an item to mark, completely graded, with its files in `folder`."""
    part = Part(id="style", title="Style", marks=Decimal(2), manual=(_ITEM,))
    assignment = replace(graded.assignment, parts=(*graded.assignment.parts, part), rules=(_RULE,))
    submissions = [_further(row.graded, number) for number, row in enumerate(graded.rows)]
    live = LiveClass(_source(assignment, submissions, folder))
    live.finish(submissions, (), ())
    students = [one.submission.student for one in submissions]
    marked = [one for one in students if one not in visited(students)]
    _write(folder / "marks.yaml", [f"{{student: {one}, points: {{style: 1}}}}" for one in marked])
    asked = [f"{{id: {number}, student: {one}, request: look}}" for number, one in enumerate(students[::5])]
    _write(folder / "requests.yaml", asked)
    groups = live.view().groups[::10]
    _write(folder / "comments.yaml", [f"{{group: {one.id}, comment: look}}" for one in groups])
    return live


def visited(students: list[str]) -> list[str]:
    """Return the students whose pages are opened, from all over the class."""
    return [students[number * len(students) // _VISITS] for number in range(_VISITS)]


def _write(file: Path, entries: list[str]) -> None:
    lines = "".join(f"  - {entry}\n" for entry in entries)
    file.write_text(f"format: 1\n{file.stem}:\n{lines}")


def _further(graded: GradedSubmission, number: int) -> GradedSubmission:
    """Return a submission with roster data; every fifteenth submission also breaks a rule."""
    roster = {"section": f"S{number % 10}", "marker": f"M{number % 4}"}
    identity = replace(graded.submission.identity, name=f"Student {number}")
    found = (RuleFinding(message="main() is called", file="game.py", line=3),) if number % 15 == 0 else ()
    submission = replace(graded.submission, identity=identity, roster=roster)
    return replace(graded, submission=submission, rules=(RuleResult(_RULE, found),))


def _source(assignment: Assignment, graded: list[GradedSubmission], folder: Path) -> LiveSource:
    students = [one.submission.student for one in graded]
    named = GradeOptions()
    reading = partial(read_class_files, named, folder, assignment, students)
    return LiveSource(
        assignment=assignment,
        submissions=ClassSubmissions(tuple(one.submission for one in graded), ()),
        files=reading(),
        read_files=reading,
        watched=watched_files(named, folder),
        editor=ClassFileEditor(assignment=assignment, students=students, named=named, folder=folder),
        audit_log=folder / "reports" / "audit.jsonl",
        names=names_of([one.submission for one in graded]),
    )


class Browser:
    """A browser that requests pages with a cookie, on one connection."""

    def __init__(self, port: int, keys: EntryKeys) -> None:
        cookie = keys.cookie_for("Eve")
        marker = keys.marker(cookie)
        self._form_key = keys.form_key(marker or Marker("", ""))
        self._headers = {"Cookie": f"grader-{port}={cookie}"}
        self._connection = HTTPConnection(HOST, port)

    def page(self, path: str) -> str:
        """Return a page."""
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return text

    def mark(self, student: str, points: str) -> None:
        """Give points, and read the student's page again."""
        fields = {"form_key": self._form_key, "seen": "", "student": student, "item": _ITEM.id, "points": points}
        self._connection.request("POST", "/decide/points", urlencode(fields), self._headers)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status != 303:
            raise RuntimeError(f"{student}: {answer.status}")
        self.page(f"/students/{quote(student)}.html")


@dataclass(frozen=True)
class Visit:
    """The elapsed time and processor time of a page."""

    seconds: float
    processor: float


def _timed(action: Callable[[], object]) -> Visit:
    began, used = perf_counter(), process_time()
    action()
    return Visit(perf_counter() - began, process_time() - used)


def _visits(browser: Browser, students: list[str], tests: int) -> dict[str, list[Visit]]:
    times: dict[str, list[Visit]] = {}
    for number, student in enumerate(visited(students)):
        times.setdefault("mark and page", []).append(_timed(partial(browser.mark, student, "1.5")))
        paths = {"student": f"/students/{quote(student)}.html", "class": "/index.html", "groups": "/groups.html"}
        paths |= {"requests": "/requests.html", "overview": "/overview.html", "search": "/search.html?text=shuffle"}
        paths |= {"test": f"/tests/game-{number * tests // _VISITS}.html"}
        for name, path in paths.items():
            times.setdefault(name, []).append(_timed(partial(browser.page, path)))
    return times


def _figures(visits: list[Visit]) -> dict[str, float]:
    seconds, processor = [one.seconds for one in visits], [one.processor for one in visits]
    return {
        "median": round(median(seconds), 3),
        "longest": round(max(seconds), 3),
        "processor_median": round(median(processor), 3),
        "processor_longest": round(max(processor), 3),
    }


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--tests", type=int, default=40)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_port(0) as listener:
        live = live_class(made_up_class(chosen.students, chosen.tests, Path(folder)), Path(folder))
        keys, port = new_keys(), listener.getsockname()[1]
        app = MarkerApp(live=live, pages=MarkerPages(live.source), entry=Entry(keys=keys, port=port))
        # A server does this once the class is graded.
        gc.freeze()
        with running(app.application(), listener):
            browser = Browser(port, keys)
            times = _visits(browser, [row.student for row in live.view().graded.rows], chosen.tests)
    pages = {name: _figures(own) for name, own in times.items()}
    json.dump({"students": chosen.students, "tests": chosen.tests, "pages": pages}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
