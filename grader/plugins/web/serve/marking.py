"""The decisions that a marker can make on a student's page: items, rules, verdicts, the mark, and requests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from grader.model.assignment import Assignment, ManualItem, Part
from grader.model.judgement import Verdict
from grader.model.mark import MarkOverride, VerdictOverride
from grader.model.regrade import RegradeRequest
from grader.model.results import StudentResult
from grader.model.rule import RuleResult
from grader.plugins.web.serve.editing.decisions import RuleDecision, token_of
from grader.reports.failures import Failure

_STEPS = tuple(Decimal(step) for step in ("0.5", "1", "2", "5", "10", "20", "50", "100", "200", "500", "1000", "2000"))
_MAX_STEPS = 9


@dataclass(frozen=True)
class PointsChoice:
    """The points given by a key."""

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


@dataclass(frozen=True, kw_only=True)
class RuleView:
    """A broken rule that costs marks, and the decision on it (empty if there is none yet)."""

    result: RuleResult
    decision: str
    seen: str


@dataclass(frozen=True)
class OverrideView:
    """A person's decision and its token."""

    override: MarkOverride | VerdictOverride
    seen: str


@dataclass(frozen=True)
class RequestView:
    """A request, its token, and the anchor of its subject on the student's page."""

    request: RegradeRequest
    seen: str
    anchor: str


@dataclass(frozen=True, kw_only=True)
class MarkingView:
    """The decisions on a student's page; `left` is the number still waiting for a person.

    `verdicts` is keyed by test, and `alike` holds the tests that fail for the same reason as another test. Verdicts on
    `passed_tests` appear nowhere else on the page.
    """

    items: Sequence[ItemView]
    rules: Sequence[RuleView]
    verdicts: Mapping[str, OverrideView]
    alike: Mapping[str, Sequence[str]]
    mark: OverrideView | None
    passed_tests: Sequence[str]
    subjects: Sequence[str]
    requests: Sequence[RequestView]
    left: int

    @property
    def open_requests(self) -> Sequence[RequestView]:
        """The requests that are waiting for an answer."""
        return [view for view in self.requests if view.request.state == "open"]


def marking_view(
    assignment: Assignment, row: StudentResult, requests: Sequence[RegradeRequest], failed: Iterable[Failure]
) -> MarkingView:
    """Return the decisions that can be made about a student; `requests` come from the student's file."""
    decided = [OverrideView(view, token_of(view)) for view in (*row.overrides, *row.unfit)]
    verdicts = {view.override.test: view for view in decided if isinstance(view.override, VerdictOverride)}
    shown = [RequestView(view, token_of(view), _anchor(assignment, view.about)) for view in requests]
    waiting = sum(view.request.state == "open" for view in shown)
    passed = [result.test.id for result in row.graded.results if result.verdict is Verdict.PASSED]
    return MarkingView(
        items=[item_view(part, item, row) for part in assignment.parts for item in part.manual],
        rules=[_rule(result, row) for result in row.graded.rules if result.rule.asks and result.findings],
        verdicts=verdicts,
        alike=_alike_failures(failed, verdicts),
        mark=next((view for view in decided if isinstance(view.override, MarkOverride)), None),
        passed_tests=[test for test in passed if test not in verdicts],
        subjects=[*(item.id for item in assignment.manual), *(test.id for test in assignment.tests)],
        requests=shown,
        left=left_to_do(row) + waiting,
    )


def _anchor(assignment: Assignment, about: str | None) -> str:
    kinds = {
        "item": [item.id for item in assignment.manual],
        "rule": [rule.id for rule in assignment.rules],
        "test": [test.id for test in assignment.tests],
    }
    return next((f"{kind}-{about}" for kind, names in kinds.items() if about in names), "mark")


def _alike_failures(failed: Iterable[Failure], verdicts: Mapping[str, OverrideView]) -> dict[str, Sequence[str]]:
    """Map each undecided test to the other undecided tests that fail for the same reason."""
    alike: dict[str, Sequence[str]] = {}
    for failure in failed:
        tests = [result.test.id for result in (failure.result, *failure.alike) if result.test.id not in verdicts]
        alike |= {test: [other for other in tests if other != test] for test in tests}
    return alike


def left_to_do(row: StudentResult) -> int:
    """Return how many of a student's items and rules are waiting for a person."""
    return len(row.not_yet_marked) + len(row.to_confirm)


def choices_for(most: Decimal) -> list[PointsChoice]:
    """Return the points to choose from: none, all, and round steps in between.

    If possible, a digit gives that many points, and `h` before it adds half a point. Otherwise, the digits number the
    choices.
    """
    step = next((step for step in _STEPS if most / step <= _MAX_STEPS), most)
    count = int(most / step)
    points = [step * number for number in range(count + 1)]
    if points[-1] != most:
        points = [*points[:_MAX_STEPS], most]
    keys = [_digit(amount) for amount in points] if most < 10 else [str(number) for number in range(len(points))]
    return [PointsChoice(amount, key) for amount, key in zip(points, keys, strict=True)]


def _digit(amount: Decimal) -> str:
    """Return the keys for less than ten points, or no keys if the points are not a multiple of one half."""
    whole, rest = divmod(amount, 1)
    return {Decimal(0): f"{whole:.0f}", Decimal("0.5"): f"h{whole:.0f}"}.get(rest, "")


def item_view(part: Part, item: ManualItem, row: StudentResult) -> ItemView:
    """Return the view of a student's item."""
    points = row.manual.points.get(item.id)
    return ItemView(part=part, item=item, points=points, seen=token_of(points), choices=choices_for(item.marks))


def _rule(result: RuleResult, row: StudentResult) -> RuleView:
    name = result.rule.id
    decision = None
    if name in row.manual.confirmed:
        decision = RuleDecision.CONFIRM
    elif name in row.manual.waived:
        decision = RuleDecision.WAIVE
    return RuleView(result=result, decision=str(decision or ""), seen=token_of(decision))
