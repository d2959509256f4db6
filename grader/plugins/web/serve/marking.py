"""The decisions that a page offers on a student: items, rules that ask, verdicts, the mark, requests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from markupsafe import Markup

from grader.files.source_text import NoSourceError, source_text
from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.mark import MarkOverride, VerdictOverride
from grader.model.regrade import RegradeRequest
from grader.model.results import StudentResult
from grader.model.rule import RuleFinding, RuleResult
from grader.model.submission import Submission
from grader.plugins.web.serve.editing.decisions import RuleDecision, token_of
from grader.reports.html.text import MOST_LINES, code_line, more_lines, plain_code

_STEPS = tuple(Decimal(step) for step in ("0.5", "1", "2", "5", "10", "20", "50", "100", "200", "500", "1000", "2000"))
_MOST_STEPS = 9


@dataclass(frozen=True)
class PointsChoice:
    """The points that a key gives."""

    points: Decimal
    key: str


@dataclass(frozen=True, kw_only=True)
class ItemView:
    """An item that a person marks; `seen` is the token of its current value."""

    part: Part
    item: ManualItem
    points: Decimal | None
    seen: str
    choices: Sequence[PointsChoice]


@dataclass(frozen=True)
class EvidenceFile:
    """A file with marks on the lines that break a rule."""

    name: str
    code: Markup


@dataclass(frozen=True, kw_only=True)
class RuleView:
    """A broken rule that asks, the decision on it (empty: none yet), and the code with the findings."""

    result: RuleResult
    decision: str
    seen: str
    files: Sequence[EvidenceFile]


@dataclass(frozen=True)
class OverrideView:
    """A person's decision and its token."""

    override: MarkOverride | VerdictOverride
    seen: str


@dataclass(frozen=True)
class RequestView:
    """A request and its token."""

    request: RegradeRequest
    seen: str


@dataclass(frozen=True, kw_only=True)
class MarkingView:
    """The decisions on the page of a student; `left` counts the ones that wait for a person."""

    items: Sequence[ItemView]
    rules: Sequence[RuleView]
    verdicts: Sequence[OverrideView]
    mark: OverrideView | None
    undecided_tests: Sequence[str]
    subjects: Sequence[str]
    requests: Sequence[RequestView]
    left: int


def marking_view(assignment: Assignment, row: StudentResult, requests: Sequence[RegradeRequest]) -> MarkingView:
    """Return the decisions that can be made about a student; `requests` are those in their file."""
    decided = [OverrideView(view, token_of(view)) for view in (*row.overrides, *row.unfit)]
    verdicts = [view for view in decided if isinstance(view.override, VerdictOverride)]
    by_test = {view.override.test for view in verdicts if isinstance(view.override, VerdictOverride)}
    shown = [RequestView(view, token_of(view)) for view in requests]
    waiting = sum(view.request.state == "open" for view in shown)
    return MarkingView(
        items=[_item(part, item, row) for part in assignment.parts for item in part.manual],
        rules=[_rule(result, row) for result in row.graded.rules if result.rule.asks and result.findings],
        verdicts=verdicts,
        mark=next((view for view in decided if isinstance(view.override, MarkOverride)), None),
        undecided_tests=[test.id for test in assignment.tests if test.id not in by_test],
        subjects=[*(item.id for item in assignment.manual), *(test.id for test in assignment.tests)],
        requests=shown,
        left=left_to_do(row) + waiting,
    )


def left_to_do(row: StudentResult) -> int:
    """Return how many items and rules of a student wait for a person."""
    return len(row.not_yet_marked) + len(row.to_confirm)


def choices_for(most: Decimal) -> list[PointsChoice]:
    """Return the choices of points for the digit keys: none, all, and round steps between."""
    step = next((step for step in _STEPS if most / step <= _MOST_STEPS), most)
    count = int(most / step)
    points = [step * number for number in range(count + 1)]
    if points[-1] != most:
        points = [*points[:_MOST_STEPS], most]
    return [PointsChoice(amount, str(number)) for number, amount in enumerate(points)]


def _item(part: Part, item: ManualItem, row: StudentResult) -> ItemView:
    points = row.manual.points.get(item.id)
    return ItemView(part=part, item=item, points=points, seen=token_of(points), choices=choices_for(item.marks))


def _rule(result: RuleResult, row: StudentResult) -> RuleView:
    name = result.rule.id
    decision = None
    if name in row.manual.confirmed:
        decision = RuleDecision.CONFIRM
    elif name in row.manual.waived:
        decision = RuleDecision.WAIVE
    files = list(_evidence(row.graded.submission, result.findings))
    return RuleView(result=result, decision=str(decision or ""), seen=token_of(decision), files=files)


def _evidence(submission: Submission, findings: Sequence[RuleFinding]) -> Iterator[EvidenceFile]:
    lines: dict[str, dict[int, str]] = {}
    for finding in findings:
        if finding.line is not None:
            lines.setdefault(finding.file, {})[finding.line] = finding.message
    for name, marked in lines.items():
        file = submission.file(name)
        text = _source(submission, name) if file else None
        if text is not None:
            yield EvidenceFile(name, Markup("\n".join(_code(text, marked))))


def _source(submission: Submission, name: str) -> str | None:
    file = submission.file(name)
    try:
        return source_text(file.path) if file else None
    except NoSourceError:
        return None


def _code(text: str, marked: Mapping[int, str]) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines[:MOST_LINES], 1):
        yield code_line(number, plain_code(line), "first" if number in marked else "")
    yield more_lines(len(lines))
