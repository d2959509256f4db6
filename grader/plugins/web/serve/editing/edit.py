"""Writes a decision into the file that it belongs to, as a person would by hand.

A decision records what its author saw. If the file has changed since, because another marker or an editor was faster,
nothing is written. A faulty file is never written to.
"""

from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any

from grader.class_files.all_files import FILE_NAMES, NamedFiles, class_file
from grader.class_files.comments import Comments, comments_in
from grader.class_files.manual_marks import manual_marks_in
from grader.class_files.overrides import overrides_in
from grader.class_files.requests import requests_in
from grader.config.yaml_reader import YamlDocument, decoded, document_in
from grader.errors import GraderError
from grader.files.digest import read_named_file
from grader.files.replace_file import replace_file
from grader.model.assignment import Assignment
from grader.model.mark import ManualMarks, MarkOverride, VerdictOverride
from grader.plugins.web.serve.editing.decisions import (
    Decided,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    RuleDecision,
    SayToGroup,
    SayToStudent,
    WriteRequest,
    subject_of,
    token_of,
    wanted,
)
from grader.plugins.web.serve.editing.entries import edits_for, list_key, new_entry
from grader.plugins.web.serve.editing.writers import is_being_written
from grader.plugins.web.serve.editing.yaml_edit import YamlEditError, edited, yaml_file

_TRIES, _PAUSE = 50, 0.1
"""How often to wait for another program that writes a file, and for how many seconds each time."""


class ChangedMeanwhileError(GraderError):
    """The file has a different value from the one that the author of a decision saw; `current` is the new value."""

    def __init__(self, file: Path, current: Decided) -> None:
        super().__init__(f"{file.name} says something else by now.")
        self.current = current


class NotWritableError(GraderError):
    """A decision cannot be written into its file."""


Announce = Callable[[Decided, Decided], None]
"""A function called just before each change, with the old and the new value in the file."""


@dataclass(frozen=True, kw_only=True)
class ClassFileEditor:
    """An editor of the files about a class: the specified files, or else the ones beside the submissions in `folder`.

    Decisions are written one at a time, and a class may have only one editor.
    """

    assignment: Assignment
    students: Sequence[str]
    named: NamedFiles
    folder: Path
    _turn: Lock = field(default_factory=Lock, compare=False)

    def file_of(self, decision: Decision) -> Path:
        """Return the file that a decision belongs to. Raises SpecError if it exists both as YAML and as CSV."""
        kind = list_key(decision)
        return class_file(self.named, self.folder, kind) or self.folder / FILE_NAMES[kind][0]

    def decide(self, decision: Decision, seen: str, announce: Announce) -> None:
        """Write a decision; `seen` is the token of what its author saw.

        Raises ChangedMeanwhileError, NotWritableError if it cannot be written, or SpecError if the file is faulty.
        """
        file = self.file_of(decision)
        if file.suffix == ".csv":
            raise NotWritableError(
                f"{file} is a table, which is not written to here: mark in the table, "
                f"or write what it says into {file.stem}.yaml and take the table away."
            )
        change = _Announced(announce)
        try:
            with self._turn:
                self._decide(decision, seen, change)
        except GraderError:
            change.take_back()
            raise
        except OSError as error:
            change.take_back()
            raise NotWritableError(f"{file} cannot be written: {error.strerror or error}.") from None

    def _decide(self, decision: Decision, seen: str, change: "_Announced") -> None:
        file, asked = self.file_of(decision), wanted(decision)
        for attempt in range(_TRIES):
            if attempt:
                sleep(_PAUSE)
            if is_being_written(file):
                continue
            content = _content(file)
            current = None if content is None else self.value_in(decision, file, content)
            if current == asked:
                return
            if token_of(current) != seen:
                raise ChangedMeanwhileError(file, current)
            after = self._changed_file(decision, file, content)
            if replace_file(file, content, after, partial(change.say, current, asked)):
                return
        raise NotWritableError(
            f"{file} is being written by another program, so nothing was written; try again when that is done."
        )

    def value_in(self, decision: Decision, file: Path, content: bytes) -> Decided:
        """Return the value that the given content of a decision's file has for its subject. Raises SpecError."""
        return self._current_value(decision, document_in(file, decoded(file, content)))

    def _changed_file(self, decision: Decision, file: Path, content: bytes | None) -> bytes:
        """Return the file with the decision in it."""
        if content is None:
            text = yaml_file(list_key(decision), new_entry(decision))
        else:
            text = decoded(file, content)
            data: Any = document_in(file, text).data
            text = edited(file, text, edits_for(decision, data[list_key(decision)]))
        value = self._current_value(decision, document_in(file, text))
        if value != wanted(decision):
            raise YamlEditError(f"{file} cannot be changed here; change it by hand.")
        mark = BOM_UTF8 if content and content.startswith(BOM_UTF8) else b""
        return mark + text.encode()

    def _current_value(self, decision: Decision, document: YamlDocument) -> Decided:
        """Return the value in a document for the subject of a decision. Raises SpecError if the document is faulty."""
        match decision:
            case GivePoints(student, item):
                return self._marks(document, student).points.get(item)
            case DecideRule(student, rule):
                marks = self._marks(document, student)
                if rule in marks.confirmed:
                    return RuleDecision.CONFIRM
                return RuleDecision.WAIVE if rule in marks.waived else None
            case DecideOverride(student, test):
                overrides = overrides_in(document, self.assignment, self.students).of.get(student, ())
                return next((entry for entry in overrides if _test_of(entry) == test), None)
            case SayToGroup(group):
                groups = self._comments(document).groups
                return next((entry.text for entry in groups if entry.group == group), None)
            case SayToStudent(student, subject):
                remarks = self._comments(document).of.get(student, ())
                return next((entry for entry in remarks if subject_of(entry) == subject), None)
            case WriteRequest(request):
                every = requests_in(document, self.assignment, self.students).all
                return next((entry for entry in every if entry.id == request.id), None)

    def _comments(self, document: YamlDocument) -> Comments:
        return comments_in(document, self.assignment, self.students)

    def _marks(self, document: YamlDocument, student: str) -> ManualMarks:
        return manual_marks_in(document, self.assignment, self.students).marks.get(student, ManualMarks())


@dataclass
class _Announced:
    """A change to announce once, and to announce as undone if it fails."""

    announce: Announce
    change: tuple[Decided, Decided] | None = None

    def say(self, before: Decided, after: Decided) -> None:
        if self.change is None:
            self.announce(before, after)
            self.change = before, after

    def take_back(self) -> None:
        if self.change is not None:
            before, after = self.change
            self.announce(after, before)


def _test_of(override: MarkOverride | VerdictOverride) -> str | None:
    return override.test if isinstance(override, VerdictOverride) else None


def _content(file: Path) -> bytes | None:
    try:
        return read_named_file(file)
    except FileNotFoundError:
        return None
