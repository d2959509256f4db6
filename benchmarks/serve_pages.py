"""How long the pages of `grader serve` take for a large class, and a decision with the page after it. Prints JSON.

The class is that of `benchmarks.html_report`, with an item to mark and a comment on every tenth group. Times are
seconds of a client on the same machine: the median and the longest of all, the first one after a change among them.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import perf_counter
from urllib.parse import quote, urlencode

from benchmarks.html_report import made_up_class
from grader.api.request import GradeOptions
from grader.class_files.all_files import read_class_files, watched_files
from grader.class_files.edit import ClassFileEditor
from grader.intake.choose_attempt import ClassSubmissions
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.results import ClassResult
from grader.serve.app import MarkerApp
from grader.serve.live_class import LiveClass, LiveSource
from grader.serve.pages import MarkerPages
from grader.serve.security import EntryKeys, Marker, new_keys
from grader.serve.server import HOST, open_port, running
from grader.serve.student_names import names_of

_VISITS = 30
_ITEM = ManualItem("style", "style", Decimal(2))


def live_class(graded: ClassResult, folder: Path) -> LiveClass:
    """The class with an item to mark, all graded, with its files in `folder`."""
    part = Part(id="style", title="Style", marks=Decimal(2), manual=(_ITEM,))
    assignment = replace(graded.assignment, parts=(*graded.assignment.parts, part))
    live = LiveClass(_source(assignment, graded, folder))
    live.finish([row.graded for row in graded.rows], (), ())
    groups = live.view().groups[::10]
    comments = "".join(f"  - {{group: {group.id}, comment: look}}\n" for group in groups)
    (folder / "comments.yaml").write_text(f"format: 1\ncomments:\n{comments}")
    return live


def _source(assignment: Assignment, graded: ClassResult, folder: Path) -> LiveSource:
    students = [row.student for row in graded.rows]
    named = GradeOptions()
    reading = partial(read_class_files, named, folder, assignment, students)
    return LiveSource(
        assignment=assignment,
        submissions=ClassSubmissions(tuple(row.graded.submission for row in graded.rows), ()),
        files=reading(),
        read_files=reading,
        watched=watched_files(named, folder),
        editor=ClassFileEditor(assignment=assignment, students=students, named=named, folder=folder),
        audit_log=folder / "reports" / "audit.jsonl",
        names=names_of(students),
    )


class Browser:
    """Asks for pages with a cookie, on one connection."""

    def __init__(self, port: int, keys: EntryKeys) -> None:
        cookie = keys.cookie_for("Eve")
        marker = keys.marker(cookie)
        self._form_key = keys.form_key(marker or Marker("", ""))
        self._headers = {"Cookie": f"grader-{port}={cookie}"}
        self._connection = HTTPConnection(HOST, port)

    def page(self, path: str) -> str:
        """A page."""
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return text

    def mark(self, student: str, points: str) -> None:
        """Give points, and read the page of the student again."""
        fields = {"form_key": self._form_key, "seen": "", "student": student, "item": _ITEM.id, "points": points}
        self._connection.request("POST", "/decide/points", urlencode(fields), self._headers)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status != 303:
            raise RuntimeError(f"{student}: {answer.status}")
        self.page(f"/students/{quote(student)}.html")


def _timed(times: list[float], action: Callable[[], object]) -> None:
    began = perf_counter()
    action()
    times.append(perf_counter() - began)


def _visits(browser: Browser, students: list[str]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    for number in range(_VISITS):
        student = students[number * len(students) // _VISITS]
        _timed(times.setdefault("mark and page", []), partial(browser.mark, student, "1.5"))
        paths = {"student": f"/students/{quote(student)}.html", "class": "/index.html", "groups": "/groups.html"}
        paths |= {"requests": "/requests.html", "overview": "/overview.html", "test": "/tests/game-1.html"}
        for name, path in paths.items():
            _timed(times.setdefault(name, []), partial(browser.page, path))
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--tests", type=int, default=40)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_port(0) as listener:
        live = live_class(made_up_class(chosen.students, chosen.tests, Path(folder)), Path(folder))
        keys, port = new_keys(), listener.getsockname()[1]
        app = MarkerApp(live=live, pages=MarkerPages(live.source), keys=keys, port=port)
        with running(app.application(), listener):
            browser = Browser(port, keys)
            browser.page("/overview.html")
            times = _visits(browser, [row.student for row in live.view().graded.rows])
    pages = {name: {"median": round(median(own), 3), "longest": round(max(own), 3)} for name, own in times.items()}
    json.dump({"students": chosen.students, "tests": chosen.tests, "pages": pages}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
