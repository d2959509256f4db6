"""Checks how tests count: groups, required tests, bonus, hints and partial credit."""

from collections.abc import Iterator, Mapping, Sequence

from grader.config.yaml_reader import KeyPath, YamlDocument
from grader.errors import Problem, SourceLocation, nearest, quoted
from grader.extensions import HINTS, extensions
from grader.model.counting import GroupCount, TestGroup
from grader.model.expectation import FromReference, OutputChecks
from grader.model.interaction import (
    Dialogue,
    FunctionCall,
    Interaction,
    PluginInteraction,
    ReplSession,
    StdinRun,
    typed_lines,
)
from grader.model.partial_credit import (
    PartialChecks,
    PartialLines,
    PartialRepair,
    PartialSteps,
    PartialWay,
    PluginShare,
)
from grader.model.test import Test, Visibility
from grader.spec.assignment_file import AssignmentFile
from grader.spec.cross_checks import PlacedTest
from grader.spec.points import shares_marks_of_part
from grader.spec.tests_file import entries_of_plugins

_WITHOUT_HINTS = ("internal-error", "needs-review", "override", "required-test", "cancelled")
"""The causes that are not the student's fault."""


def all_groups(content: AssignmentFile, placed: Sequence[PlacedTest]) -> tuple[TestGroup, ...]:
    """Return the groups in assignment.yaml, followed by those in the tests files."""
    by_file = {item.document.file: (item.test.part, item.defaults.groups) for item in placed}
    groups_of_assignment = [group.group(group.part) for group in content.groups]
    return (*groups_of_assignment, *(group.group(part) for part, groups in by_file.values() for group in groups))


def counting_problems(
    document: YamlDocument, content: AssignmentFile, placed: Sequence[PlacedTest]
) -> Iterator[Problem]:
    """Yield the problems with how tests count, except for points."""
    yield from _bonus_problems(document, content, placed)
    yield from _group_problems(document, content, placed)
    yield from _member_problems(content, placed)
    yield from required_problems(placed)
    yield from _hint_problems(document, content, placed)
    for item in placed:
        yield from _partial_problems(item)


def _bonus_problems(document: YamlDocument, content: AssignmentFile, placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    bonus_parts = {part.id for part in content.parts if part.bonus}
    if len(bonus_parts) == len(content.parts):
        yield Problem(document.place(("parts",)), "found only parts with `bonus`; expected at least one without")
    for item in placed:
        if item.test.counting.bonus and item.test.part in bonus_parts:
            yield item.problem("bonus", f"the part {quoted(item.test.part)} is a bonus as a whole; leave out `bonus`")
        elif item.test.counting.bonus and shares_marks_of_part(item):
            yield item.problem("bonus", "a bonus test has no share in the marks of its part; give it `points`")
    groups = all_groups(content, placed)
    has_bonus = bonus_parts or any(group.bonus for group in groups) or any(i.test.counting.bonus for i in placed)
    full = sum(part.marks for part in content.parts if not part.bonus)
    if content.max_mark is None:
        return
    if not has_bonus:
        yield Problem(document.key_place(("max_mark",)), "found `max_mark`, but no test, group or part with `bonus`")
    elif content.max_mark < full:
        message = f"found {content.max_mark}; expected at least the full mark, {full}"
        yield Problem(document.place(("max_mark",)), message)


def _group_problems(document: YamlDocument, content: AssignmentFile, placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    parts = [part.id for part in content.parts]
    members = {item.test.counting.group for item in placed}
    taken = {part: f"the part {quoted(part)}" for part in parts}
    places = [(document, ("groups", index), group.id) for index, group in enumerate(content.groups)]
    files = {item.document.file: item for item in placed}
    for item in files.values():
        places += [(item.document, ("groups", index), group.id) for index, group in enumerate(item.defaults.groups)]
    for file, steps, name in places:
        if name in taken:
            yield Problem(file.place((*steps, "id")), f"{taken[name]} has this id already")
        elif name not in members:
            yield Problem(
                file.place((*steps, "id")), f"no test is in the group {quoted(name)}; a test names it in `group`"
            )
        taken.setdefault(name, f"another group, {quoted(name)},")
    for index, group in enumerate(content.groups):
        if group.part not in parts:
            message = f"there is no part {quoted(group.part)} in assignment.yaml{nearest(group.part, parts)}"
            yield Problem(document.place(("groups", index, "part")), message)


def _member_problems(content: AssignmentFile, placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    groups = {group.id: group for group in all_groups(content, placed)}
    for item in placed:
        counting, entry = item.test.counting, item.entry
        if counting.group is None:
            if entry.weight is not None:
                yield item.problem("weight", "found `weight` without `group`; a weight is for tests of a group")
            continue
        group = groups.get(counting.group)
        if group is None:
            yield item.problem("group", f"there is no group {quoted(counting.group)}{nearest(counting.group, groups)}")
            continue
        yield from _faults_in_group(item, group)


def _faults_in_group(item: PlacedTest, group: TestGroup) -> Iterator[Problem]:
    entry = item.entry
    for key, value in (("points", entry.points), ("shared_points", entry.shared_points)):
        if value is not None:
            yield item.problem(key, f"a test of the group {quoted(group.id)} has no `{key}`: the group has them")
    if entry.bonus:
        yield item.problem("bonus", f"say `bonus` of the group {quoted(group.id)}, which has the points")
    if entry.weight is not None and group.count is not GroupCount.SUM:
        yield item.problem(
            "weight", f"weights are for groups that count `sum`; {quoted(group.id)} counts `{group.count}`"
        )
    if item.test.part != group.part:
        message = (
            f"the group {quoted(group.id)} is in the part {quoted(group.part)}, this test in {quoted(item.test.part)}"
        )
        yield item.problem("group", message)


def required_problems(placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each required test that does not exist, is hidden from students, or is part of a cycle."""
    tests = {item.test.id: item.test for item in placed}
    reported: set[str] = set()
    for item in placed:
        for index, name in enumerate(item.test.counting.requires):
            place = _required_place(item, index)
            if name not in tests:
                yield Problem(place, f"there is no test {quoted(name)}{nearest(name, tests)}")
            elif item.test.visibility is Visibility.PUBLIC and tests[name].visibility is Visibility.HIDDEN:
                message = f"a public test cannot require the hidden test {quoted(name)}: a self-check does not run it"
                yield Problem(place, message)
        circle = _find_cycle(item.test, tests)
        if circle and not reported & set(circle):
            reported |= set(circle)
            yield Problem(_required_place(item, 0), f"this test requires itself: {' -> '.join(circle)}")


def _required_place(item: PlacedTest, index: int) -> SourceLocation:
    if item.entry.requires is None:
        return item.document.place(("requires", index))
    return item.document.place((*item.steps, "requires", index))


def _find_cycle(test: Test, tests: Mapping[str, Test]) -> list[str]:
    """Return a cycle of required tests that starts and ends with this test, or an empty list."""
    before: dict[str, str] = {}
    waiting = [test.id]
    for name in waiting:
        for required in tests[name].counting.requires if name in tests else ():
            if required == test.id:
                way = [test.id, name]
                while way[-1] != test.id:
                    way.append(before[way[-1]])
                return way[::-1]
            if required not in before:
                before[required] = name
                waiting.append(required)
    return []


def _hint_problems(document: YamlDocument, content: AssignmentFile, placed: Sequence[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each hint about a cause that does not exist, and for each unknown word for a plugin."""
    places: list[tuple[YamlDocument, KeyPath, str]]
    places = [(document, ("hints", cause), hint) for cause, hint in content.hints.items()]
    entries = {(item.document.file, item.steps): item for item in placed}
    for item in entries.values():
        places += [(item.document, (*item.steps, "hints", cause), hint) for cause, hint in item.entry.hints.items()]
    if not places:
        return
    # Importing the causes takes a while, and most assignments have no hints.
    from grader.judge.causes.diagnose import all_causes

    causes = (*all_causes(), *(cause for entry in entries_of_plugins() for cause in entry.causes))
    cause_ids = [cause.id for cause in causes if cause.id not in _WITHOUT_HINTS]
    for file, steps, hint in places:
        cause = str(steps[-1])
        words = [word for key, _, word in (name.partition("-") for name in extensions(HINTS)) if word and key == cause]
        if words and hint not in words:
            yield Problem(file.place(steps), f"found {quoted(hint)}; expected one of: {', '.join(words)}")
        elif not words and cause not in cause_ids:
            message = f"there is no cause {quoted(cause)} that a hint could be for"
            yield Problem(file.key_place(steps), f"{message}{nearest(cause, cause_ids)}")


def _partial_problems(item: PlacedTest) -> Iterator[Problem]:
    entry, test = item.entry, item.test
    key = "milestones" if entry.milestones is not None else "partial"
    if test.partial is None:
        if entry.partial == "frames":
            yield item.problem(
                "partial", "found `partial: frames` without `keys`, which show screens; expected `lines`"
            )
        if entry.partial_if_stopped:
            yield item.problem("partial_if_stopped", "found `partial_if_stopped` without `partial` or `milestones`")
        return
    if test.checker is not None:
        yield item.problem(key, f"found `{key}` and a checker, which gives a share itself; expected one of them")
    way, by_checks = test.partial.way, isinstance(test.expectation, OutputChecks)
    fault = _other_way(way, test.program, by_checks=by_checks)
    if fault is not None:
        yield item.problem(key, fault)
    reason = _reason_against_shares(test.interaction, calls=by_checks or isinstance(way, PartialRepair))
    if reason:
        yield item.problem(key, f"found `{key}` {reason}")
    elif isinstance(way, PartialSteps):
        yield from _step_problems(item)


def _reason_against_shares(interaction: Interaction, *, calls: bool) -> str:
    """Return why these tests cannot have partial credit, as the end of a message; empty if they can."""
    match interaction:
        case PluginInteraction(not_partial=reason):
            return reason
        case FunctionCall() if not calls:
            return "in a test with `call`; it is for tests that compare a transcript"
        case FunctionCall() | Dialogue() | ReplSession() | StdinRun():
            return ""


def _other_way(way: PartialWay | PartialRepair, program: str, *, by_checks: bool) -> str | None:
    """Return why a kind of partial credit does not suit tests with or without checks; None if it does."""
    match way:
        case PartialRepair() if not program.endswith(".py"):
            return "found `partial: repair` for a program that is not in Python"
        case PartialLines() | PartialSteps() | PluginShare() if by_checks:
            return "found shares of a transcript and `expect`; expected `partial: checks`"
        case PartialChecks() if not by_checks:
            return "found `partial: checks` without `expect`, the checks that give shares"
    return None


def _step_problems(item: PlacedTest) -> Iterator[Problem]:
    if not typed_lines(item.test.interaction):
        yield item.problem("partial", "found `partial: steps` in a test that types nothing; expected `lines`")
    if not isinstance(item.test.expectation, FromReference):
        message = "found `partial: steps` without a reference, which says when the input is read; expected `lines`"
        yield item.problem("partial", message)
    if item.test.comparison.wildcard_lines or item.test.comparison.wildcard_texts:
        message = "found `partial: steps` in a test that is compared with wildcards; expected `lines`"
        yield item.problem("partial", message)
