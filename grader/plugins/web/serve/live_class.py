"""A class while it is graded and marked: its current state, and decisions written into its files.

The graded submissions stay; only the files about the class are read again when they have changed. A row is recomputed
if a person's entries on the student have changed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock

from grader.analysis.failure_groups import (
    FailureGroup,
    FailureSignature,
    all_signs,
    group_called,
    groups_by_signs,
    with_group_comments,
)
from grader.class_files.all_files import ClassFiles
from grader.errors import GraderError, SpecError
from grader.grading.class_result import class_of, result_in_class
from grader.intake.choose_attempt import ClassSubmissions
from grader.model.assignment import Assignment
from grader.model.results import ClassResult, GradedSubmission, StudentResult
from grader.plugins.web.serve.conflict import Conflict, last_change
from grader.plugins.web.serve.editing.decisions import (
    Decided,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    SayToGroup,
    SayToStudent,
    WriteRequest,
    fields_of_value,
    wanted,
)
from grader.plugins.web.serve.editing.edit import ClassFileEditor
from grader.plugins.web.serve.student_names import StudentNames
from grader.reports.decision_log import LoggedDecision, now, read_audit_log, record_decision
from grader.text.words import some_of

_MAX_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class LiveSource:
    """The source of a live class: the submissions, the way to read and edit its files, and the log of edits."""

    assignment: Assignment
    submissions: ClassSubmissions
    files: ClassFiles
    read_files: Callable[[], ClassFiles]
    watched: Sequence[Path]
    editor: ClassFileEditor
    audit_log: Path
    names: StudentNames


@dataclass(frozen=True, kw_only=True)
class ClassView:
    """The class at one moment, with the names that pages show; only `files` has the students' own names.

    `results_version` changes when verdicts do. `changed` gives for each student the version in which the row last
    changed. `faults` lists files that cannot be read at present, whose earlier content still applies. `state` is the
    progress of the grading.
    """

    version: int
    graded: ClassResult
    files: ClassFiles
    groups: tuple[FailureGroup, ...]
    results_version: int
    changed: Mapping[str, int]
    faults: tuple[str, ...]
    is_graded: bool
    state: str

    def row(self, shown: str) -> StudentResult | None:
        """Return the row of a student by the displayed name."""
        return next((row for row in self.graded.rows if row.student == shown), None)


@dataclass(frozen=True, kw_only=True)
class _CachedRow:
    """The row of a submission, the data from which it was made, and the signs of its failures."""

    graded: GradedSubmission
    said: tuple[object, ...]
    row: StudentResult
    signs: frozenset[FailureSignature]


_Key = tuple[str, int]


class LiveClass:
    """See the module. All methods may be called from any thread."""

    def __init__(self, source: LiveSource) -> None:
        self.source = source
        self._lock = RLock()
        self._files = source.files
        # The files may have changed since they were read.
        self._files_stamp: tuple[object, ...] = ()
        self._faults: tuple[str, ...] = ()
        self._rows: dict[_Key, _CachedRow] = {}
        self._notes: tuple[str, ...] = ()
        self._warnings: tuple[str, ...] = ()
        self._ending: str | None = None
        self._version = 1
        self._view: ClassView | None = None
        self._shown: dict[str, StudentResult] = {}
        self._changed: dict[str, int] = {}
        self._signs: dict[str, frozenset[FailureSignature]] = {}
        self._groups: tuple[FailureGroup, ...] = ()
        self._results_version = 0

    def add(self, graded: GradedSubmission) -> None:
        """Add a submission that was just graded."""
        with self._lock:
            files = self._files
        row = self._cached(graded, files)
        with self._lock:
            self._rows[_key(graded)] = row
            self._renew()

    def finish(self, done: Sequence[GradedSubmission], warnings: Sequence[str], notes: Sequence[str]) -> None:
        """Add all submissions in their final state, once the tests themselves have been judged."""
        for graded in done:
            self.add(graded)
        with self._lock:
            self._warnings, self._notes = tuple(warnings), (*warnings, *notes)
            self._ending = ""
            self._renew()

    def fail(self, reason: str) -> None:
        """Record that the grading has ended with an error."""
        with self._lock:
            self._ending = f"The grading has ended: {reason}"
            self._renew()

    def view(self) -> ClassView:
        """Return the class in its current state."""
        with self._lock:
            self._look_at_files()
            if self._view is None:
                self._view = self._made_view()
            return self._view

    def decide(self, decision: Decision, seen: str, by: str) -> None:
        """Write a marker's decision; see ClassFileEditor.decide. Raises GraderError."""

        def announce(before: Decided, after: Decided) -> None:
            record_decision(self.source.audit_log, self._logged(decision, before, after, by))

        self.source.editor.decide(decision, seen, announce)

    def conflict(self, kind: str, decision: Decision, current: Decided) -> Conflict:
        """Return the conflict of a decision with the current value in its file. Raises GraderError."""
        asked = self._logged(decision, current, wanted(decision), "")
        names = self.source.names.shown
        students = some_of([names.get(student, student) for student in asked.students], _MAX_NAMED)
        what = {"remark": "comment"}.get(asked.what, asked.what)
        subject = f"the {what}{f' on {asked.key}' if asked.key else ''} of {students}"
        change = last_change(read_audit_log(self.source.audit_log), asked, current)
        return Conflict(kind=kind, subject=subject, values=(wanted(decision), current), change=change)

    def words_of(self, error: GraderError) -> str:
        """Return the words for an error.

        If students appear as numbers, they only give places in a faulty file, because its content may name students.
        """
        if isinstance(error, SpecError) and self.source.names.is_anonymous:
            return "\n".join(f"{problem.place}: there is a mistake here" for problem in error.problems)
        return str(error)

    def _renew(self) -> None:
        self._version += 1
        self._view = None

    def _look_at_files(self) -> None:
        stamp = _files_stamp(self.source.watched)
        if stamp == self._files_stamp:
            return
        self._files_stamp = stamp
        try:
            self._files, self._faults = self.source.read_files(), ()
        except SpecError as error:
            self._faults = tuple(self.words_of(error).splitlines())
        self._renew()

    def _cached(self, graded: GradedSubmission, files: ClassFiles) -> _CachedRow:
        student = graded.submission.student
        decisions = (
            files.overrides_of(student),
            files.manual_marks(student),
            files.extensions.of.get(student),
            files.requests_of(student),
            files.comments_of(student),
        )
        before = self._rows.get(_key(graded))
        is_same = before is not None and _is_same(before.graded, graded)
        if before and is_same and before.said == decisions:
            return before
        row = self.source.names.row(result_in_class(self.source.assignment, graded, files))
        signs = before.signs if before and is_same and before.said[0] == decisions[0] else all_signs(row.graded)
        return _CachedRow(graded=graded, said=decisions, row=row, signs=signs)

    def _made_view(self) -> ClassView:
        self._rows = {key: self._cached(row.graded, self._files) for key, row in self._rows.items()}
        source, names = self.source, self.source.names
        listed = (replace(item, student=names.shown[item.student]) for item in source.submissions.submissions)
        # The order of the names would reveal the students.
        submissions = tuple(sorted(listed, key=lambda item: item.student))
        notes = ("notes on files and submissions are not shown, because they may name students",)
        known_submissions = ClassSubmissions(submissions, source.submissions.notes)
        graded = class_of(source.assignment, known_submissions, self._files, (item.row for item in self._rows.values()))
        graded = replace(graded, notes=notes if names.is_anonymous else (*self._notes, *graded.notes))
        graded = replace(graded, warnings=self._warnings)
        self._regroup()
        if self._files.comments.groups:
            graded = with_group_comments(graded, self._files.comments.groups, self._groups)
        self._note_changes(graded)
        total, remaining = len({item.student for item in submissions}), len(graded.not_graded)
        return ClassView(
            version=self._version,
            graded=graded,
            files=self._files,
            groups=self._groups,
            results_version=self._results_version,
            changed=dict(self._changed),
            faults=self._faults,
            is_graded=self._ending is not None,
            state=f"{total - remaining} of {total} students graded" if self._ending is None else self._ending,
        )

    def _regroup(self) -> None:
        """Recompute the groups, unless all students show the same signs as before."""
        signs = {known_row.row.student: known_row.signs for known_row in self._rows.values()}
        if signs.keys() == self._signs.keys() and all(signs[name] is self._signs[name] for name in signs):
            return
        self._signs, self._groups = signs, groups_by_signs(signs)
        self._results_version += 1

    def _note_changes(self, graded: ClassResult) -> None:
        for row in graded.rows:
            if self._shown.get(row.student) != row:
                self._shown[row.student] = row
                self._changed[row.student] = self._version

    def _logged(self, decision: Decision, before: Decided, after: Decided, by: str) -> LoggedDecision:
        students, what, key = self._subject(decision)
        return LoggedDecision(
            assignment=self.source.assignment.id,
            students=students,
            what=what,
            key=key,
            before=fields_of_value(before),
            after=fields_of_value(after),
            by=by,
            at=now(),
            file=self.source.editor.file_of(decision).name,
        )

    def _subject(self, decision: Decision) -> tuple[tuple[str, ...], str, str]:
        """Return the students whom a decision concerns, by their own names, and its subject."""
        match decision:
            case GivePoints(student, item):
                return (student,), "points", item
            case DecideRule(student, rule):
                return (student,), "rule", rule
            case DecideOverride(student, test):
                return (student,), "verdict" if test else "mark", test or ""
            case WriteRequest(request):
                return (request.student,), "request", request.id
            case SayToStudent(student, subject):
                return (student,), "remark", subject.key
            case SayToGroup(name):
                group = group_called(self.view().groups, name)
                members = group.students if group else ()
                shown = self.source.names.shown.items()
                return tuple(student for student, known_as in shown if known_as in members), "comment", name


def _is_same(first: GradedSubmission, second: GradedSubmission) -> bool:
    """Return whether these are the same objects; comparing their content would take too long."""
    return first.results is second.results and first.rules is second.rules


def _key(graded: GradedSubmission) -> _Key:
    return graded.submission.student, graded.submission.attempt


def _files_stamp(files: Sequence[Path]) -> tuple[object, ...]:
    """Return a value that changes when a file is written, replaced, created or removed."""
    return tuple(map(_file_state, files))


def _file_state(file: Path) -> tuple[int, ...]:
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
