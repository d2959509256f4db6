"""How test cases count: groups of Kattis as groups of an assignment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from grader.config.yaml_writer import Writable
from grader.importers.course_draft import CourseDraft
from grader.importers.kattis.problem import Problem
from grader.importers.kattis.test_data import Case, Group, case_id

_AGGREGATIONS = ("sum", "min", "max", "avg")
_COUNTS = {"sum": "sum", "avg": "sum", "min": "least", "max": "best", "pass-fail": "all"}
_UNBOUNDED = "unbounded"


@dataclass(frozen=True, kw_only=True)
class CountedCases:
    """Cases that count together; without points they are shown and do not count. `requires` are cases too."""

    id: str
    title: str
    points: Decimal
    count: str
    cases: tuple[Case, ...]
    requires: tuple[str, ...] = ()

    def entry(self, part: str) -> dict[str, Writable]:
        """The group as assignment.yaml has it."""
        return {"id": self.id, "title": self.title, "part": part, "points": f"{self.points:f}", "count": self.count}


def counted_cases(problem: Problem, root: Group, draft: CourseDraft) -> tuple[CountedCases, ...]:
    """What counts how much. Without scores, all cases have to pass for the one point that there is."""
    if not problem.is_scoring:
        cases = tuple(root.all_cases())
        whole = CountedCases(id="accepted", title="all test cases", points=Decimal(1), count="all", cases=cases)
        return (whole,)
    found = tuple(one for group in root.all_groups() if group.cases for one in _scored(group, root, draft))
    _note_groups_of_groups(root, draft)
    return found


def _scored(group: Group, root: Group, draft: CourseDraft) -> Iterator[CountedCases]:
    flags = str(group.settings.get("grader_flags", "")).split()
    is_free = "ignore_sample" in str(root.settings.get("grader_flags", "")).split() and group.path.startswith("sample")
    points, count = _new_score(group, draft) if _has_new_keys(group) else _legacy_score(group, flags, draft)
    yield CountedCases(
        id=case_id(f"group/{group.path}"),
        title=group.path,
        points=Decimal(0) if is_free else points,
        count=count,
        cases=group.cases,
        requires=tuple(_required(group, root)),
    )


def _has_new_keys(group: Group) -> bool:
    return not {"max_score", "score_aggregation", "require_pass"}.isdisjoint(group.settings)


def _new_score(group: Group, draft: CourseDraft) -> tuple[Decimal, str]:
    said = str(group.settings.get("max_score", "0"))
    if said == _UNBOUNDED:
        draft.note(f"data/{group.path}: the score has no bound; here it counts 100 points.")
        said = "100"
    default = "sum" if group.path == "secret" else "pass-fail"
    return Decimal(said), _COUNTS[str(group.settings.get("score_aggregation", default))]


def _legacy_score(group: Group, flags: Sequence[str], draft: CourseDraft) -> tuple[Decimal, str]:
    """Each accepted case gives `accept_score`; a flag says how these make the score of the group."""
    settings = group.settings
    kind = next((flag for flag in reversed(flags) if flag in _AGGREGATIONS), "sum")
    each = _decimal(settings.get("accept_score"), Decimal(1))
    if _decimal(settings.get("reject_score"), Decimal(0)):
        draft.note(f"data/{group.path}: `reject_score` was not imported: a test that fails earns nothing.")
    if settings.get("grading") == "custom":
        draft.note(f"data/{group.path}: the custom grader was not imported; the scores of the cases are added up.")
    if kind == "sum" and settings.get("on_reject", "break") == "break" and len(group.cases) > 1:
        draft.note(f"data/{group.path}: `on_reject: break` was not imported: tests after one that fails count too.")
    return each * (len(group.cases) if kind == "sum" else 1), _COUNTS[kind]


def _decimal(value: object, default: Decimal) -> Decimal:
    try:
        return Decimal(str(value)) if value not in (None, "") else default
    except InvalidOperation:
        return default


def _required(group: Group, root: Group) -> Iterator[str]:
    wanted = group.settings.get("require_pass") or []
    for path in [wanted] if isinstance(wanted, str) else wanted:
        for other in root.all_groups():
            if path in (other.path, other.path.removeprefix("secret/")):
                yield from (case.id for case in other.all_cases())


def _note_groups_of_groups(root: Group, draft: CourseDraft) -> None:
    """Say where groups are not added up."""
    for group in root.all_groups():
        flags = {*str(group.settings.get("grader_flags", "")).split(), str(group.settings.get("score_aggregation", ""))}
        kinds = flags & {"min", "max", "avg"}
        if kinds and len(group.groups) > 1:
            draft.note(f"data/{group.path}: the scores of its groups are added up, though `{kinds.pop()}` was said.")
    draft.note("What `grader_flags` says of verdicts was not imported: here marks count, not one verdict for all.")
