"""Corrects the audit log after a server was killed between writing a line of the log and the file that it describes."""

from dataclasses import replace
from pathlib import Path

from grader.errors import SpecError
from grader.model.regrade import RegradeRequest
from grader.plugins.web.serve.editing.decisions import (
    CommentSubject,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    LoggedValue,
    SayToGroup,
    SayToStudent,
    WriteRequest,
    fields_of_value,
)
from grader.plugins.web.serve.editing.edit import ClassFileEditor
from grader.plugins.web.serve.prepared_changes import InterruptedChange
from grader.reports.decision_log import LoggedDecision, now, read_audit_log, record_decision


def take_back_interrupted(log: Path, editor: ClassFileEditor, change: InterruptedChange) -> None:
    """Log that a decision was taken back if the log contains it but its file does not. Raises ReportError."""
    for entry in reversed(read_audit_log(log)):
        if isinstance(entry, LoggedDecision) and entry.assignment == editor.assignment.id:
            decision = _decision(entry)
            if editor.file_of(decision).resolve() != change.file.resolve():
                continue
            if _values(editor, decision, change) == (entry.before, entry.after):
                record_decision(log, replace(entry, before=entry.after, after=entry.before, at=now()))
            return


def _values(
    editor: ClassFileEditor, decision: Decision, change: InterruptedChange
) -> tuple[LoggedValue, LoggedValue] | None:
    """Return the value before and after a change, or None if the file is faulty."""
    try:
        before = None if change.before is None else editor.value_in(decision, change.file, change.before)
        after = editor.value_in(decision, change.file, change.after)
    except SpecError:
        return None
    return fields_of_value(before), fields_of_value(after)


def _decision(entry: LoggedDecision) -> Decision:
    """Return a decision on the subject of an entry that takes the entry's decision back."""
    match entry.what:
        case "points":
            return GivePoints(entry.students[0], entry.key, points=None)
        case "rule":
            return DecideRule(entry.students[0], entry.key, decision=None)
        case "comment":
            return SayToGroup(entry.key, comment=None)
        case "remark":
            return SayToStudent(entry.students[0], CommentSubject.of_key(entry.key), comment=None)
        case "request":
            return WriteRequest(RegradeRequest(id=entry.key, student=entry.students[0], about=None, text=""))
        case _:
            return DecideOverride(entry.students[0], entry.key or None, override=None)
