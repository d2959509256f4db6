"""Turns a decision into edits of the file that it belongs to: the entry, the key and the new value."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from grader.config.yaml_reader import YamlData
from grader.plugins.web.serve.editing.decisions import (
    CommentSubject,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    RuleDecision,
    SayToGroup,
    SayToStudent,
    WriteRequest,
    comment_entry,
    override_entry,
    request_entry,
)
from grader.plugins.web.serve.editing.yaml_edit import DropValue, PutValue, YamlEdit
from grader.text.names import student_key
from grader.text.words import format_decimal

_Entries: TypeAlias = Sequence[Mapping[str, Any]]
"""The list in a file that has been validated against its model."""


def list_key(decision: Decision) -> str:
    """Return the key of the list that a decision belongs to."""
    match decision:
        case GivePoints() | DecideRule():
            return "marks"
        case DecideOverride():
            return "overrides"
        case SayToGroup() | SayToStudent():
            return "comments"
        case WriteRequest():
            return "requests"


def new_entry(decision: Decision) -> dict[str, YamlData]:
    """Return a new entry with the decision, for a list without an entry on its subject."""
    match decision:
        case GivePoints(student, item, points):
            return {"student": student, "points": {item: format_decimal(points)} if points is not None else {}}
        case DecideRule(student, rule, ruling):
            return {"student": student, str(ruling): [rule]}
        case DecideOverride(student, _, override):
            return {"student": student, **(override_entry(override) if override else {})}
        case SayToGroup(group, comment):
            return {"group": group, "comment": comment or ""}
        case SayToStudent(student, _, remark):
            return {"student": student, **(comment_entry(remark) if remark else {})}
        case WriteRequest(request):
            return {**request_entry(request)}


def edits_for(decision: Decision, entries: _Entries) -> list[YamlEdit]:
    """Return the edits that put a decision into a file with these entries."""
    match decision:
        case GivePoints():
            return list(_points(decision, entries))
        case DecideRule():
            return list(_rule(decision, entries))
        case DecideOverride(student, test, override):
            place = _first(entries, lambda entry: _is_of(entry, student) and entry.get("test") == test)
            return list(_entry_edits("overrides", entries, place, new_entry(decision) if override else None))
        case SayToGroup(group, comment):
            place = _first(entries, lambda entry: entry.get("group") == group)
            return list(_entry_edits("comments", entries, place, None if comment is None else new_entry(decision)))
        case SayToStudent(student, subject, remark):
            place = _first(entries, lambda entry: "student" in entry and _is_on(entry, student, subject))
            return list(_entry_edits("comments", entries, place, new_entry(decision) if remark else None))
        case WriteRequest(request):
            place = _first(entries, lambda entry: entry["id"] == request.id)
            return list(_entry_edits("requests", entries, place, new_entry(decision)))


def _first(entries: _Entries, fits: Any) -> int | None:
    return next((index for index, entry in enumerate(entries) if fits(entry)), None)


def _is_of(entry: Mapping[str, Any], student: str) -> bool:
    return student_key(entry["student"]) == student


def _is_on(entry: Mapping[str, Any], student: str, subject: CommentSubject) -> bool:
    line = None if subject.line is None else str(subject.line)
    there = entry.get("file"), entry.get("line"), entry.get("about")
    return _is_of(entry, student) and there == (subject.file, line, subject.about)


def _points(decision: GivePoints, entries: _Entries) -> Iterator[YamlEdit]:
    student, item, points = decision.student, decision.item, decision.points
    place = _first(entries, lambda entry: _is_of(entry, student) and item in entry.get("points", {}))
    if points is None:
        if place is not None:
            yield _without("marks", place, entries[place], "points", item)
        return
    written = format_decimal(points)
    if place is None:
        place = _first(entries, lambda entry: _is_of(entry, student))
    if place is None:
        yield PutValue(("marks", len(entries)), new_entry(decision))
    elif "points" in entries[place]:
        yield PutValue(("marks", place, "points", item), written)
    else:
        yield PutValue(("marks", place, "points"), {item: written})


def _rule(decision: DecideRule, entries: _Entries) -> Iterator[YamlEdit]:
    student, rule, ruling = decision.student, decision.rule, decision.decision
    place = _first(entries, lambda entry: _is_of(entry, student) and _word_on(entry, rule) is not None)
    if place is None:
        place = _first(entries, lambda entry: _is_of(entry, student))
    elif ruling is None:
        word = str(_word_on(entries[place], rule))
        yield _without("marks", place, entries[place], word, entries[place][word].index(rule))
        return
    else:
        word = str(_word_on(entries[place], rule))
        several = len(entries[place][word]) > 1
        steps = ("marks", place, word)
        # The rule is added to the other list first, so that the entry never loses its only list.
        yield _added_to_list(entries[place], place, str(ruling), rule)
        yield DropValue((*steps, entries[place][word].index(rule)) if several else steps)
        return
    if place is None:
        yield PutValue(("marks", len(entries)), new_entry(decision))
    else:
        yield _added_to_list(entries[place], place, str(ruling), rule)


def _word_on(entry: Mapping[str, Any], rule: str) -> str | None:
    return next((str(word) for word in RuleDecision if rule in entry.get(word, ())), None)


def _added_to_list(entry: Mapping[str, Any], place: int, word: str, rule: str) -> YamlEdit:
    if word in entry:
        return PutValue(("marks", place, word, len(entry[word])), rule)
    return PutValue(("marks", place, word), [rule])


def _without(key: str, place: int, entry: Mapping[str, Any], inner: str, step: str | int) -> YamlEdit:
    """Return the edit that removes an item, along with containers that it would leave empty."""
    if len(entry[inner]) > 1:
        return DropValue((key, place, inner, step))
    return DropValue((key, place, inner) if entry.keys() - {"student", inner} else (key, place))


def _entry_edits(
    key: str, entries: _Entries, place: int | None, entry: Mapping[str, YamlData] | None
) -> Iterator[YamlEdit]:
    """Yield edits that add an entry or replace the one at `place` with `entry` (None removes the entry)."""
    if entry is None:
        if place is not None:
            yield DropValue((key, place))
        return
    if place is None:
        yield PutValue((key, len(entries)), dict(entry))
        return
    for name, value in entry.items():
        if entries[place].get(name) != value and not (name == "student" and _is_of(entries[place], str(value))):
            yield PutValue((key, place, name), value)
    for name in entries[place].keys() - entry.keys():
        yield DropValue((key, place, name))
