"""The content of a student's page: the calculation of the mark, line by line, then the results of each part.

A student gets the same page in one file, without anything that students may not see.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import compress, groupby
from typing import TypeAlias

from grader.grading.student_view import StudentView
from grader.marks.submission_mark import costly_rules
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.counting import GroupResult
from grader.model.finding import PageSection
from grader.model.judgement import Verdict
from grader.model.results import StudentResult, TestResult
from grader.model.rule import RuleResult
from grader.platforms.platform import ExportOptions, StudentRenderer
from grader.plugins.web.pages.code_view import CodeView, code_view
from grader.plugins.web.pages.environment import site_environment
from grader.plugins.web.pages.result_view import ResultView, result_view
from grader.reports.failures import MAX_IN_DETAIL, Failures, failures, in_detail, in_order, names_of_tests
from grader.reports.terminal.test_result import MAX_SINGLE, note_lines
from grader.reports.words import no_program_words, points_together, variant_words
from grader.store.origin import Provenance
from grader.text.language import told_plural
from grader.text.sentence import Sentence, say
from grader.text.words import format_decimal

_TIME = "%Y-%m-%d %H:%M:%S %Z"


@dataclass(frozen=True)
class MarkStep:
    """A line of the calculation: its label, the value, and the working. Either of the last two may be empty."""

    label: str
    value: str
    sum: str = ""


def mark_steps(assignment: Assignment, row: StudentResult) -> Iterator[MarkStep]:
    """Yield the calculation from points and times to the mark, including steps that are still open."""
    submission = row.graded.submission
    yield from _point_steps(assignment, row)
    due = say("Due (extended)") if row.due != assignment.due else say("Due")
    yield MarkStep(due, f"{row.due:{_TIME}}")
    if submission.submitted is not None:
        source = say("from {source}", source=submission.time_source)
        yield MarkStep(say("Handed in"), f"{submission.submitted:{_TIME}}", source)
    if row.granted.excused:
        yield MarkStep(say("Mark"), say("excused"), say("no mark counts"))
    elif row.mark is None:
        waiting = say("not yet marked: {items}", items=", ".join(item.title for item in row.not_yet_marked))
        yield MarkStep(say("Mark"), "?", waiting if row.not_yet_marked else say("not known yet"))
    else:
        for number, step in enumerate(row.mark.steps, 1):
            yield MarkStep(say("Step {number}", number=number), "", step)
        yield MarkStep(say("Mark"), format_decimal(row.mark.adjusted))


def _point_steps(assignment: Assignment, row: StudentResult) -> Iterator[MarkStep]:
    earned = sum((row.part_points(part) for part in assignment.parts), Decimal(0))
    costs = costly_rules(assignment, row.graded, row.manual)
    of_all = say("tests, rules and marks by hand, of {full}", full=format_decimal(assignment.marks))
    if not costs:
        yield MarkStep(say("Points"), format_decimal(row.points), of_all)
        return
    yield MarkStep(say("Earned"), format_decimal(earned), of_all)
    for rule in costs:
        cost = say("costs everything") if rule.zero_mark else f"−{format_decimal(rule.deduct)}"
        yield MarkStep(say("Rule broken"), cost, f"{rule.id}: {rule.title}")
    yield MarkStep(say("Points"), format_decimal(row.points), say("never below 0"))


@dataclass(frozen=True)
class MarkedItem:
    """An item that a person marks; `points` is None until that is done."""

    item: ManualItem
    points: Decimal | None


ResultNotes: TypeAlias = tuple[ResultView, Sequence[str]]
"""A test, and the differences ignored in it."""


@dataclass(frozen=True, kw_only=True)
class ResultBlock:
    """Tests shown together: individually, or folded under `words`, with their verdict and points.

    `is_first` marks a failure that is described in full, `alike` lists the tests with the same failure.
    """

    results: Sequence[ResultNotes]
    words: str = ""
    verdict: Verdict = Verdict.PASSED
    points: str = ""
    is_first: bool = False
    alike: str = ""


@dataclass(frozen=True, kw_only=True)
class PartView:
    """A part of the assignment with everything that earns points in it."""

    part: Part
    points: str
    percent: float
    waits: bool
    results: Sequence[ResultNotes]
    blocks: Sequence[ResultBlock]
    passed: int
    groups: Sequence[GroupResult]
    rules: Sequence[RuleResult]
    manual: Sequence[MarkedItem]


@dataclass(frozen=True, kw_only=True)
class StudentPage:
    """The page; `notes` are for the instructor, `rules` earn no points.

    A student who submitted no program sees `no_program` instead of the tests. Of the `failures`, only folded ones are
    shown separately.

    `rule_numbers` tell the rules apart in anchors.
    """

    row: StudentResult
    sections: Sequence[PageSection]
    steps: Sequence[MarkStep]
    variants: Sequence[str]
    parts: Sequence[PartView]
    failures: Failures
    rules: Sequence[RuleResult]
    rule_numbers: Mapping[str, int]
    notes: Sequence[str]
    code: CodeView
    no_program: Sentence | None = None


def student_page(assignment: Assignment, row: StudentResult, notes: Sequence[str]) -> StudentPage:
    """Return the page of `row` with the `notes` for the instructor."""
    rules = [result for result in row.graded.rules if result.rule.part is None]
    failed = failures(row.graded)
    findings = [finding.view(row.graded.submission) for finding in row.graded.findings]
    sections = [
        (True, _section("mark", say("Mark"))),
        (bool(notes), replace(_section("notes", "For the instructor"), private=True)),
        (bool(row.comments or row.remarks), _section("comments", say("Comments"))),
        (bool(row.requests), _section("requests", say("Regrade requests"))),
        (True, _section("tests", say("Tests"))),
        (bool(rules), _section("rules", say("Rules about the code"))),
        *((True, finding.section) for finding in findings if finding.section is not None),
        (bool(row.graded.submission.files), _section("code", say("Submitted files"))),
    ]
    return StudentPage(
        row=row,
        sections=[section for is_shown, section in sections if is_shown],
        steps=list(mark_steps(assignment, row)),
        variants=list(variant_words(assignment, row.graded)),
        parts=[_part(row, part, failed) for part in assignment.parts],
        failures=failed,
        rules=rules,
        rule_numbers={result.rule.id: number for number, result in enumerate(row.graded.rules, 1)},
        notes=notes,
        code=code_view(row, findings),
    )


def _section(name: str, title: str) -> PageSection:
    return PageSection(id=name, title=title, template=f"student/{name}.html")


def _part(row: StudentResult, part: Part, failed: Failures) -> PartView:
    points = row.part_points(part)
    results_of_part = _helpers_first(row, [result for result in row.graded.results if result.test.part == part.id])
    results = [
        (result_view(result), [line.plain.strip() for line in note_lines(result, row.graded.results)])
        for result in results_of_part
    ]
    return PartView(
        part=part,
        points=format_decimal(points),
        percent=min(float(100 * points / part.marks), 100.0) if part.marks else 0.0,
        waits=row.waits(part),
        results=results,
        blocks=list(_blocks(results, failed)),
        passed=sum(view.passed for view, _ in results),
        groups=[result for result in row.graded.groups if result.group.part == part.id],
        rules=[rule for rule in row.graded.rules if rule.rule.part == part.id],
        manual=[MarkedItem(item, row.manual.points.get(item.id)) for item in part.manual],
    )


def _helpers_first(row: StudentResult, results: Sequence[TestResult]) -> list[TestResult]:
    """Return the tests with the failed ones in the order of their causes, and all others in their places."""
    is_failed = [result.verdict is not Verdict.PASSED for result in results]
    failed = iter(in_order(row.graded, list(compress(results, is_failed))))
    return [next(failed) if moves else result for moves, result in zip(is_failed, results, strict=True)]


def _blocks(results: Sequence[ResultNotes], failed: Failures) -> Iterator[ResultBlock]:
    """Yield the tests of a part, folding long series of passed tests, and tests that fail the same way as another."""
    detailed = {failure.result.test.id for failure in in_detail(failed.described, MAX_IN_DETAIL)}
    firsts = {failure.result.test.id: failure for failure in failed.described}
    like = {peer.test.id: failure.result.test.id for failure in failed.described for peer in failure.alike}

    def kind(item: ResultNotes) -> str:
        view, notes = item
        name = view.result.test.id
        if name in like:
            return like[name]
        is_plain = not notes and (view.passed or view.result in failed.folded)
        return view.result.verdict if is_plain else f"={name}"

    by_kind: dict[str, list[ResultNotes]] = {}
    for run, items in groupby(results, kind):
        # Tests that fail in the same way are shown together, wherever they are in the part.
        name = run if run in firsts else f"{run} {len(by_kind)}"
        by_kind.setdefault(name, []).extend(items)
    for name, same in by_kind.items():
        tests = [view.result for view, _ in same]
        points = points_together(tests).strip(" ()")
        first = firsts.get(tests[0].test.id)
        if name in firsts:
            words = told_plural(len(same), "{count} test, as in {test}", "{count} tests, as in {test}", test=name)
            yield ResultBlock(results=same, words=words, verdict=tests[0].verdict, points=points)
        elif len(same) > MAX_SINGLE:
            words = names_of_tests(tests)
            words = told_plural(len(same), "{count} test: {names}", "{count} tests: {names}", names=words)
            yield ResultBlock(results=same, words=words, verdict=tests[0].verdict, points=points)
        else:
            yield ResultBlock(
                results=same, is_first=tests[0].test.id in detailed, alike=first.words if first and first.alike else ""
            )


def feedback_page_writer(assignment: Assignment) -> Callable[[StudentView], str]:
    """Return a writer of feedback pages, which takes rows without anything that students may not see."""
    template = site_environment(assignment).get_template("feedback.html")

    def write(row: StudentView) -> str:
        visible_row = replace(row, graded=replace(row.graded, rules=row.told_rules))
        page = _without_tests(student_page(assignment, visible_row, notes=()))
        return template.render(page=page, links={})

    return write


def _without_tests(page: StudentPage) -> StudentPage:
    """Return the page with one sentence instead of its tests if the program is missing."""
    sentence = no_program_words(page.row.graded)
    if sentence is None:
        return page
    parts = [replace(part, results=(), blocks=(), groups=(), rules=()) for part in page.parts]
    return replace(page, parts=parts, rules=(), failures=Failures((), ()), no_program=sentence)


def page_renderer(_: ExportOptions) -> StudentRenderer:
    """Return the function that writes a web page for a student."""
    writers: dict[str, Callable[[StudentView], str]] = {}

    def render(assignment: Assignment, row: StudentView, _: Provenance) -> str:
        if assignment.id not in writers:
            writers[assignment.id] = feedback_page_writer(assignment)
        return writers[assignment.id](row)

    return render
