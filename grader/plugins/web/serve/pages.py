"""Renders the marking server's pages: the report pages with marking controls, and pages that only markers see."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader

from grader.analysis.item_statistics import TestStatistics, item_statistics
from grader.grading.student_result import override_words
from grader.model.judgement import Verdict
from grader.model.results import ClassResult, StudentResult
from grader.plugins.web.pages.class_pages import StudentLink, groups_page, test_page
from grader.plugins.web.pages.code_view import line_anchor
from grader.plugins.web.pages.environment import site_environment
from grader.plugins.web.pages.overview import RosterFilter, class_overview, roster_filters
from grader.plugins.web.pages.student_page import student_page
from grader.plugins.web.serve.conflict import Conflict
from grader.plugins.web.serve.editing.decisions import LoggedValue, fields_of_value, token_of
from grader.plugins.web.serve.entry_keys import Marker
from grader.plugins.web.serve.item_walk import ItemWalk
from grader.plugins.web.serve.live_class import ClassView, LiveSource
from grader.plugins.web.serve.marking import item_view, left_to_do, marking_view
from grader.plugins.web.serve.remarks import remarks_view
from grader.plugins.web.serve.source_search import search_files
from grader.reports.html.pages import Neighbours, PageAssets, neighbour_links, neighbours, page_links
from grader.reports.student_notes import notes_of
from grader.text.file_names import file_names
from grader.text.words import format_decimal

_OWN, _REPORTS = "grader.plugins.web.serve", "grader.plugins.web.pages"
_DIGITS = 12
_LONGEST_TEXT = 200
_MAX_FOUND = 500
_TYPED = ("points", "mark", "percent", "reason", "line", "comment", "text", "answer")
_LONG = ("comment", "text", "answer")
"""The form fields in which a marker types, and the ones with several lines."""


@dataclass(frozen=True)
class SentAsset:
    """A style sheet or script as served: its content, and a URL that changes with the content."""

    url: str
    content: str


@dataclass(frozen=True, kw_only=True)
class ClassLine:
    """A row of the class: `state` holds the words the table can be filtered by, `left` counts pending decisions."""

    link: StudentLink
    roster: tuple[str, ...]
    mark: str
    points: str
    passed: int
    tests: int
    left: int
    open_requests: int
    state: str
    verdicts: str


@dataclass(frozen=True)
class PageReader:
    """The reader of a page, and the key that its forms carry."""

    marker: Marker
    form_key: str


@dataclass(frozen=True)
class RefusedDecision:
    """Why a decision of this kind was not saved, and the wrong field (empty if no single field is wrong)."""

    kind: str
    words: str
    field: str


@dataclass(frozen=True)
class ClassPart:
    """The students with these values in the roster columns; `query` is the query string that selects them."""

    values: Mapping[str, str]
    query: str

    def has(self, row: StudentResult) -> bool:
        """Return whether a student belongs to the part."""
        roster = row.graded.submission.roster
        return all(roster.get(column, "") == value for column, value in self.values.items())


def part_of_class(graded: ClassResult, asked: Mapping[str, str]) -> ClassPart:
    """Return the part of the class that the filters in a URL ask for."""
    columns = {f"r{number}": roster_filter.column for number, roster_filter in enumerate(roster_filters(graded))}
    chosen = {key: value for key, value in asked.items() if key in columns and value}
    query = f"?{urlencode(chosen)}" if chosen else ""
    return ClassPart({columns[key]: value for key, value in chosen.items()}, query)


@dataclass(frozen=True)
class MarkerPages:
    """The pages about a class."""

    source: LiveSource
    _statistics: dict[str, tuple[int, Mapping[str, TestStatistics]]] = field(default_factory=dict)

    @cached_property
    def environment(self) -> Environment:
        """The templates: the plugin's own, and the report templates that they extend."""
        environment = site_environment(self.source.assignment)
        prefixed = PrefixLoader({"reports": PackageLoader(_REPORTS)})
        environment.loader = ChoiceLoader([PackageLoader(_OWN), prefixed, *filter(None, [environment.loader])])
        verdicts = [verdict for verdict in Verdict if verdict is not Verdict.INTERNAL_ERROR]
        environment.globals.update(
            style=self.style, script=self.script, verdict_names=verdicts, override_words=override_words, token=token_of
        )
        environment.filters["prose"] = self.source.names.prose
        environment.globals.update(names_known=any(link.full_name for link in self.student_links.values()))
        return environment

    @cached_property
    def style(self) -> SentAsset:
        """The style sheet for all pages."""
        return self._asset("style.css", self._shared.style, "serve.css")

    @cached_property
    def script(self) -> SentAsset:
        """The script of all pages."""
        return self._asset("script.js", self._shared.script, "serve.js")

    @cached_property
    def _shared(self) -> PageAssets:
        """The reports' style sheet and script."""
        assets: Any = site_environment(self.source.assignment).globals["assets"]
        return PageAssets(assets.style, assets.script)

    def _asset(self, name: str, shared: str, file_name: str) -> SentAsset:
        content = str(shared) + (files(_OWN) / "assets" / file_name).read_text(encoding="utf-8")
        return SentAsset(f"/assets/{sha256(content.encode()).hexdigest()[:_DIGITS]}-{name}", content)

    @cached_property
    def student_links(self) -> dict[str, StudentLink]:
        """The link to each student's page, by shown name."""
        names, submissions = self.source.names, self.source.submissions.submissions
        full_names = (
            {}
            if names.is_anonymous
            else {submission.student: submission.identity.name or "" for submission in submissions}
        )
        pages = page_links(names.pages)
        return {
            shown: StudentLink(shown, _other(full_names.get(shown, ""), shown), page) for shown, page in pages.items()
        }

    @cached_property
    def test_files(self) -> dict[str, str]:
        """The name of each test's page."""
        return file_names(test.id for test in self.source.assignment.tests)

    def entry(self, token: str, problem: str = "") -> str:
        """Return the page on which a marker enters a name."""
        return self.environment.get_template("entry.html").render(token=token, problem=problem, reader=None)

    def class_page(self, view: ClassView, reader: PageReader) -> str:
        """Render the table of the class."""
        filters = roster_filters(view.graded)
        lines = self._lines(view.graded.rows, filters)
        waiting = sum(line.left for line in lines)
        unmarked = Counter(item.id for row in view.graded.rows for item in row.not_yet_marked)
        items = [(item, len(view.graded.rows) - unmarked[item.id]) for item in self.source.assignment.manual]
        return self._render("class.html", view, reader, lines=lines, filters=filters, left=waiting, items=items)

    def rows(self, view: ClassView, rows: Sequence[StudentResult]) -> dict[str, str]:
        """Return the rows of these students in the table of the class, by the file names of their pages."""
        row = self.environment.get_template("class_row.html")
        lines = self._lines(rows, roster_filters(view.graded))
        return {self.source.names.pages[line.link.student]: row.render(line=line) for line in lines}

    def _lines(self, rows: Sequence[StudentResult], filters: Sequence[RosterFilter]) -> list[ClassLine]:
        """Return the rows of the class, sorted by student name."""
        return [self._line(row, filters) for row in sorted(rows, key=lambda row: row.student)]

    def _line(self, row: StudentResult, filters: Sequence[RosterFilter]) -> ClassLine:
        results, unmarked = row.graded.results, left_to_do(row)
        passed = sum(result.verdict is Verdict.PASSED for result in results)
        waiting = sum(request.state == "open" for request in row.requests)
        states = [
            (unmarked > 0, "unmarked"),
            (unmarked == 0, "marked"),
            (passed < len(results), "failing"),
            (waiting > 0, "asked"),
            (row.mark is None and not row.granted.excused, "waiting"),
        ]
        return ClassLine(
            link=self.student_links[row.student],
            roster=tuple(row.graded.submission.roster.get(roster_filter.column, "") for roster_filter in filters),
            mark="excused" if row.granted.excused else format_decimal(row.mark.adjusted) if row.mark else "?",
            points=format_decimal(row.points),
            passed=passed,
            tests=len(results),
            left=unmarked,
            open_requests=waiting,
            state=" ".join(word for holds, word in states if holds),
            verdicts=" ".join(sorted({result.verdict for result in results} - {Verdict.PASSED})),
        )

    def student(self, view: ClassView, reader: PageReader, row: StudentResult, asked: Mapping[str, str]) -> str:
        """Render a student's page with all decisions; links lead to neighbours in the chosen part of the class."""
        part = part_of_class(view.graded, asked)
        ordered = _in_order(view, part, row)
        place = ordered.index(row)
        links = [self.student_links[other_row.student].page for other_row in ordered]
        neighbour_pages: Neighbours = neighbours(links, place)
        waiting = [other_row for other_row in (*ordered[place + 1 :], *ordered[:place]) if left_to_do(other_row)]
        at = urlencode({"at": self.source.names.pages[row.student]})
        return self._render(
            "student.html",
            view,
            reader,
            **self._student_work(view, reader, row),
            tests_at="",
            query=part.query,
            item_query=f"{part.query}&{at}" if part.query else f"?{at}",
            here=f"/students/{self.student_links[row.student].page}.html{part.query}",
            groups=[group for group in view.groups if row.student in group.students and len(group.students) > 1],
            students=len(ordered),
            next_waiting=self.student_links[waiting[0].student].page if waiting else None,
            **neighbour_pages,
        )

    def item(self, view: ClassView, reader: PageReader, name: str, asked: Mapping[str, str]) -> str | None:
        """Render the page for marking an item: for the student `at`, or the first unmarked one following `after`."""
        parts = self.source.assignment.parts
        matching = ((part, item) for part in parts for item in part.manual if item.id == name)
        part, item = next(matching, (None, None))
        if part is None or item is None:
            return None
        of_class = part_of_class(view.graded, asked)
        walk = ItemWalk(
            item=item,
            rows=_in_order(view, of_class),
            names=self.source.names.pages,
            chosen=of_class.query.removeprefix("?"),
        )
        row = walk.row(asked)
        values: dict[str, Any] = {"before": None, "after": None, "page": None}
        if row is not None:
            link = self.student_links[row.student]
            values = {
                **self._student_work(view, reader, row),
                **walk.neighbours(row),
                "one": item_view(part, item, row),
                "link": link,
                "tests_at": f"/students/{link.page}.html",
                "here": walk.url("at", row),
                "going_on": walk.url("after", row),
            }
        values |= {"part": part, "item": item, "query": of_class.query, "marked": walk.marked}
        return self._render("item.html", view, reader, lines=list(walk.lines(row)), **values)

    def _student_work(self, view: ClassView, reader: PageReader, row: StudentResult) -> dict[str, Any]:
        """Return a student's work, with all its decisions."""
        names = self.source.names
        student = next(real_name for real_name, name in names.shown.items() if name == row.student)
        page = student_page(self.source.assignment, row, [] if names.is_anonymous else notes_of(row, view.graded))
        requests = view.files.requests_of(student)
        return {
            "page": page,
            "links": page_links(self.test_files),
            "key": names.pages[row.student],
            "marking": marking_view(self.source.assignment, row, requests, page.failures.described),
            "remarks": remarks_view(view.files.comments, student, reader.marker.name, page.code, names),
        }

    def groups(self, view: ClassView, reader: PageReader) -> str:
        """Render the page of shared mistakes, with the comments on them."""
        page = groups_page(view.graded, view.groups, self.student_links, page_links(self.test_files), {})
        comments = {
            group.id: [comment for comment in view.files.comments.groups if group.has(comment.group)]
            for group in view.groups
        }
        return self._render("groups.html", view, reader, page=page, said=comments)

    def overview(self, view: ClassView, reader: PageReader) -> str:
        """Return the charts and statistics of the class."""
        items = self._items(view)
        tests = page_links(self.test_files)
        page = class_overview(view.graded, items, self.student_links, tests)
        shared = groups_page(view.graded, view.groups, self.student_links, tests, {})
        return self._render("overview.html", view, reader, page=page, shared=shared)

    def test(self, view: ClassView, reader: PageReader, file: str) -> str | None:
        """Render the page of a test; return None for an unknown test."""
        tests = self.source.assignment.tests
        links = neighbour_links(list(page_links(self.test_files).values()))
        matching = (
            (test, neighbour_pages)
            for test, neighbour_pages in zip(tests, links, strict=True)
            if self.test_files[test.id] == file
        )
        for test, neighbour_pages in matching:
            page = test_page(view.graded, test, self._items(view).get(test.id), self.student_links)
            return self._render("reports/test.html", view, reader, page=page, **neighbour_pages)
        return None

    def _items(self, view: ClassView) -> Mapping[str, TestStatistics]:
        """Return the statistics of each test, recomputed only when verdicts change."""
        version, items = self._statistics.get("last", (0, {}))
        if version != view.results_version:
            statistics = item_statistics([row.graded for row in view.graded.rows])
            items = {item.test: item for item in statistics}
            self._statistics["last"] = view.results_version, items
        return items

    def requests(self, view: ClassView, reader: PageReader) -> str:
        """Render the page of regrade requests."""
        names = self.source.names.shown
        listed = [
            (self.student_links[names[regrade_request.student]], regrade_request)
            for regrade_request in view.files.requests.all
            if regrade_request.student in names
        ]
        order = sorted(listed, key=lambda regrade_request: regrade_request[1].state != "open")
        students = sorted(self.source.names.pages.items())
        subjects = [*(item.id for item in self.source.assignment.manual), *self.test_files]
        return self._render("requests.html", view, reader, requests=order, students=students, subjects=subjects)

    def search(self, view: ClassView, reader: PageReader, text: str) -> str:
        """Render the lines of submitted files that contain a string."""
        query = text.strip()[:_LONGEST_TEXT]
        results = search_files((row.graded.submission for row in view.graded.rows) if query else (), query, _MAX_FOUND)
        lines = [
            (self.student_links[line.student], line, line_anchor(line.file_number, line.place.line))
            for line in results.lines
        ]
        return self._render("search.html", view, reader, text=query, found=results, lines=lines)

    def conflict(self, view: ClassView, reader: PageReader, conflict: Conflict, fields: Mapping[str, str]) -> str:
        """Render a conflict: a marker's decision, and the different value that the file now has."""
        values = conflict.values
        wanted_value, current = map(fields_of_value, values)
        unsaved = {name: value for name, value in fields.items() if name not in ("seen", "form_key")}
        return self._render(
            "conflict.html",
            view,
            reader,
            conflict=conflict,
            at=conflict.at(self.source.assignment.zone),
            kept=unsaved,
            wanted=_as_mapping(wanted_value),
            current=_as_mapping(current),
            seen=token_of(values[1]),
        )

    def problem(self, view: ClassView, reader: PageReader, problem: RefusedDecision, fields: Mapping[str, str]) -> str:
        """Render the form again with the marker's input, and show why the decision was not saved."""
        typed = {name: text for name, text in fields.items() if name in _TYPED and (text or name == problem.field)}
        hidden_fields = {name: text for name, text in fields.items() if name not in typed and name != "form_key"}
        return self._render("problem.html", view, reader, problem=problem, typed=typed, kept=hidden_fields, long=_LONG)

    def _render(self, template: str, view: ClassView, reader: PageReader, **values: Any) -> str:
        page_template = self.environment.get_template(template)
        return self.source.names.page(page_template.render(view=view, reader=reader, **values))


def _in_order(view: ClassView, part: ClassPart, other: StudentResult | None = None) -> list[StudentResult]:
    """Return the students in a part of the class, plus `other`, sorted by name."""
    among = [row for row in view.graded.rows if row is other or part.has(row)]
    return sorted(among, key=lambda row: row.student)


def _other(name: str, shown: str) -> str:
    return "" if name == shown else name


def _as_mapping(value: LoggedValue) -> Mapping[str, str]:
    """Return a value as a mapping of strings; a plain string gets the empty key, and None becomes an empty mapping."""
    return {"": value} if isinstance(value, str) else value or {}
