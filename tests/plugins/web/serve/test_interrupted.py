"""A server that is killed between a line of the audit log and the file that it is about leaves no false line."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from grader.files.replace_file import clear_leftovers
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, VerdictOverride
from grader.model.regrade import RegradeRequest
from grader.plugins.web.serve.editing.decisions import (
    Decided,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    RuleDecision,
    SayToGroup,
    WriteRequest,
    fields_of_value,
    token_of,
)
from grader.plugins.web.serve.editing.edit import ClassFileEditor
from grader.plugins.web.serve.interrupted import take_back_interrupted
from grader.plugins.web.serve.prepared_changes import interrupted_changes
from grader.reports.decision_log import LoggedDecision, now, read_audit_log, record_decision
from tests.class_files.marked_assignment import ASSIGNMENT, NAMED, STUDENTS

BY = InstructorDecision("an appeal", "Eve")
HALF, ONE = Decimal("0.5"), Decimal(1)


class Desk:
    """A class with its audit log, on which decisions are made and killed."""

    def __init__(self, folder: Path) -> None:
        (folder / "class").mkdir()
        self.log = folder / "audit.jsonl"
        self.folder = folder / "class"
        self.editor = ClassFileEditor(assignment=ASSIGNMENT, students=STUDENTS, named=NAMED, folder=self.folder)

    def decide(self, subject: tuple[str, str], decision: Decision, seen: Decided, ending: Callable[[], None]) -> None:
        what, key = subject

        def announce(before: Decided, after: Decided) -> None:
            logged = LoggedDecision(
                assignment=ASSIGNMENT.id,
                students=("ann",),
                what=what,
                key=key,
                before=fields_of_value(before),
                after=fields_of_value(after),
                by="Eve",
                at=now(),
                file=self.editor.file_of(decision).name,
            )
            record_decision(self.log, logged)
            ending()

        self.editor.decide(decision, token_of(seen), announce)

    def killed(self, subject: tuple[str, str], decision: Decision, seen: Decided) -> None:
        """Decide in a process that is killed as soon as the log has the decision."""
        child = os.fork()
        if not child:
            self.decide(subject, decision, seen, lambda: os.kill(os.getpid(), signal.SIGKILL))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL

    def start(self) -> None:
        """Do as a server does that starts."""
        for change in interrupted_changes(self.folder):
            take_back_interrupted(self.log, self.editor, change)
        assert clear_leftovers(self.folder) == []

    @property
    def logged(self) -> list[tuple[object, object]]:
        return [(one.before, one.after) for one in read_audit_log(self.log) if isinstance(one, LoggedDecision)]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def nothing() -> None:
    """Go on."""


MARK, OTHER_MARK = MarkOverride(ONE, BY), MarkOverride(HALF, BY)
VERDICT = VerdictOverride("small", Verdict.PASSED, None, BY)
ASKED = RegradeRequest(id="1", student="ann", about=None, text="Why?")
CHANGES: list[tuple[tuple[str, str], Decision, Decided, Decision]] = [
    (("points", "names"), GivePoints("ann", "names", HALF), HALF, GivePoints("ann", "names", ONE)),
    (("points", "names"), GivePoints("ann", "names", HALF), HALF, GivePoints("ann", "names", None)),
    (
        ("rule", "main"),
        DecideRule("ann", "main", RuleDecision.WAIVE),
        RuleDecision.WAIVE,
        DecideRule("ann", "main", RuleDecision.CONFIRM),
    ),
    (("mark", ""), DecideOverride("ann", None, MARK), MARK, DecideOverride("ann", None, OTHER_MARK)),
    (("verdict", "small"), DecideOverride("ann", "small", VERDICT), VERDICT, DecideOverride("ann", "small", None)),
    (("comment", "aces"), SayToGroup("aces", "Low."), "Low.", SayToGroup("aces", "High.")),
    (("request", "1"), WriteRequest(ASKED), ASKED, WriteRequest(replace(ASKED, text="Why not?"))),
]


@pytest.mark.parametrize(("subject", "first", "value", "second"), CHANGES)
def test_a_decision_that_was_logged_and_not_written_is_taken_back(
    subject: tuple[str, str], first: Decision, value: Decided, second: Decision, desk: Desk
) -> None:
    desk.killed(subject, first, None)
    desk.start()
    assert desk.logged == [(None, fields_of_value(value)), (fields_of_value(value), None)]
    desk.decide(subject, first, None, nothing)
    desk.killed(subject, second, value)
    before, after = desk.logged[-1]
    desk.start()
    assert desk.logged[-1] == (after, before) == (after, fields_of_value(value))
    length = len(desk.logged)
    desk.start()
    assert len(desk.logged) == length
    assert os.listdir(desk.folder) == [desk.editor.file_of(first).name]


def test_a_file_that_was_written_since_is_what_holds(desk: Desk) -> None:
    desk.decide(("points", "names"), GivePoints("ann", "names", HALF), None, nothing)
    desk.killed(("points", "names"), GivePoints("ann", "names", ONE), HALF)
    (desk.folder / "marks.yaml").write_text("format: 1\nmarks: [{student: ann, points: {names: 1}}]\n")
    desk.start()
    assert desk.logged[-1] == ("0.5", "1")


def test_a_class_that_shares_the_log_is_not_meant(desk: Desk, tmp_path: Path) -> None:
    desk.killed(("points", "names"), GivePoints("ann", "names", HALF), None)
    other = Desk.__new__(Desk)
    other.log, other.folder = desk.log, tmp_path / "other"
    other.folder.mkdir()
    other.editor = ClassFileEditor(assignment=ASSIGNMENT, students=STUDENTS, named=NAMED, folder=other.folder)
    other.start()
    assert desk.logged == [(None, "0.5")]
    desk.start()
    assert desk.logged == [(None, "0.5"), ("0.5", None)]
