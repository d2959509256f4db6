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
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.marks.exact import exact
from grader.report.files import ReportError
from grader.report.graded_class import GradedClass, Row
from grader.report.html.overview import overview
from grader.report.html.page_names import page_names
from grader.report.html.student_page import student_page
from grader.report.html.test_page import test_pages
from grader.report.html.text import plain
from grader.report.rule_text import cost_words
from grader.rules.finding import RuleResult

_PACKAGE = "grader.report.html"


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


def write_site(graded: GradedClass, folder: Path) -> Path:
    """Write the site about `graded` to `folder`, replacing an earlier one; returns its first page.

    Raises ReportError when the folder cannot be written.
    """
    try:
        for name in ("students", "tests"):
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / name).mkdir(parents=True)
        for file, text in _pages(graded):
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ReportError(f"The site cannot be written: {error}") from None
    return folder / "index.html"


def _pages(graded: GradedClass) -> Iterator[tuple[str, str]]:
    """Every page: the file in the site's folder, and what is in it."""
    environment = _environment(graded)
    students = page_names(row.student for row in graded.rows)
    tests = page_names(test.id for test in graded.assignment.tests)
    student_links, test_links = _quoted(students), _quoted(tests)

    template = environment.get_template("student.html")
    for row, around in zip(graded.rows, _neighbours(list(student_links.values())), strict=True):
        page = student_page(graded, row)
        yield f"students/{students[row.student]}.html", template.render(page=page, links=test_links, **around)

    template = environment.get_template("test.html")
    pages = test_pages(graded, student_links)
    for test, around in zip(pages, _neighbours(list(test_links.values())), strict=True):
        yield f"tests/{tests[test.test.id]}.html", template.render(page=test, **around)

    page = overview(graded, student_links, test_links)
    yield "index.html", environment.get_template("overview.html").render(page=page)


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


def _neighbours(links: Sequence[str]) -> Iterator[dict[str, str | None]]:
    for number in range(len(links)):
        after = links[number + 1] if number + 1 < len(links) else None
        yield {"before": links[number - 1] if number else None, "after": after}


def _asset(name: str) -> Markup:
    return Markup((files(_PACKAGE) / "assets" / name).read_text(encoding="utf-8"))


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
