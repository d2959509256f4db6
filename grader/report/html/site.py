"""Writes the site about a graded class:

FOLDER/index.html                  the overview
FOLDER/students/STUDENT.html       a page per student
FOLDER/tests/TEST.html             a page per test

Every page holds its own style and script and asks for nothing else. Its content security policy admits just these two,
so what a student has printed is text, even should it get past the escaping.
"""

import shutil
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.marks.exact import exact
from grader.report.files import ReportError
from grader.report.graded_class import GradedClass, Row
from grader.report.html.overview import overview
from grader.report.html.page_names import page_names
from grader.report.html.share_out import share_out
from grader.report.html.student_page import student_page
from grader.report.html.test_page import test_pages
from grader.report.html.text import plain
from grader.report.rule_text import cost_words
from grader.rules.finding import RuleResult

_PACKAGE = "grader.report.html"

_Neighbours: TypeAlias = dict[str, str | None]
"""The links to the pages `before` and `after` a page, None where there is none."""


@dataclass(frozen=True)
class _Assets:
    """The style and the script of all pages, and the policy that lets a browser take these and nothing else."""

    style: Markup
    script: Markup

    @property
    def policy(self) -> str:
        style, script = _digest(self.style), _digest(self.script)
        rules = ("default-src 'none'", "img-src data:", f"style-src {style}", f"script-src {script}")
        return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


def write_site(graded: GradedClass, folder: Path, processes: int = 1) -> Path:
    """Write the site about `graded` to `folder`, replacing an earlier one; returns its first page.

    The pages of students are written by several `processes`. Raises ReportError when the folder cannot be written.
    """
    environment = _environment(graded)
    students = page_names(row.student for row in graded.rows)
    tests = page_names(test.id for test in graded.assignment.tests)
    student_links, test_links = _quoted(students), _quoted(tests)
    student, test = (environment.get_template(name) for name in ("student.html", "test.html"))

    def write_students(rows: Sequence[tuple[Row, _Neighbours]]) -> None:
        for row, around in rows:
            text = student.render(page=student_page(graded, row), links=test_links, **around)
            _write(folder / "students" / f"{students[row.student]}.html", text)

    try:
        for name in ("students", "tests"):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
        rows = list(zip(graded.rows, _neighbours(list(student_links.values())), strict=True))
        share_out(write_students, rows, processes)
        pages = test_pages(graded, student_links)
        for page, around in zip(pages, _neighbours(list(test_links.values())), strict=True):
            _write(folder / "tests" / f"{tests[page.test.id]}.html", test.render(page=page, **around))
        first = overview(graded, student_links, test_links)
        _write(folder / "index.html", environment.get_template("overview.html").render(page=first))
    except OSError as error:
        raise ReportError(f"The site cannot be written: {error}") from None
    return folder / "index.html"


def _write(file: Path, text: str) -> None:
    file.write_bytes(text.encode())


def _environment(graded: GradedClass) -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        finalize=_harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        assets=_Assets(_asset("report.css"), _asset("report.js")),
        assignment=graded.assignment,
        exact=exact,
        cost_words=cost_words,
        decision=_decision,
    )
    return environment


def _harmless(value: Any) -> Any:
    """Of every value that a template shows, control characters are made visible; markup of ours is left alone."""
    return plain(str(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def _decision(row: Row, result: RuleResult) -> str:
    if result.rule.id in row.manual.confirmed:
        return "costs"
    return "waived" if result.rule.id in row.manual.waived else "to confirm"


def _quoted(names: Mapping[str, str]) -> dict[str, str]:
    return {name: quote(file) for name, file in names.items()}


def _neighbours(links: Sequence[str]) -> Iterator[_Neighbours]:
    for number in range(len(links)):
        after = links[number + 1] if number + 1 < len(links) else None
        yield {"before": links[number - 1] if number else None, "after": after}


def _asset(name: str) -> Markup:
    return Markup((files(_PACKAGE) / "assets" / name).read_text(encoding="utf-8"))


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
