"""Decisions are written as a person would write them; what two people write at once is never lost."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from threading import Thread

import pytest

from grader.class_files.all_files import ClassFiles, read_class_files
from grader.errors import SpecError
from grader.model.judgement import Verdict
from grader.model.mark import InstructorDecision, MarkOverride, VerdictOverride
from grader.model.regrade import RegradeRequest, RequestState
from grader.model.results import StudentComment
from grader.plugins.web.serve.editing.decisions import (
    CommentSubject,
    Decided,
    DecideOverride,
    DecideRule,
    Decision,
    GivePoints,
    RuleDecision,
    SayToGroup,
    SayToStudent,
    WriteRequest,
    token_of,
)
from grader.plugins.web.serve.editing.edit import ChangedMeanwhileError, ClassFileEditor, NotWritableError
from grader.plugins.web.serve.editing.yaml_edit import YamlEditError
from tests.class_files.marked_assignment import ASSIGNMENT, NAMED, STUDENTS

BY = InstructorDecision("an appeal: granted", "the lecturer")


class Desk:
    """A folder of a class, and what was announced of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[tuple[Decided, Decided]] = []

    @cached_property
    def editor(self) -> ClassFileEditor:
        return ClassFileEditor(assignment=ASSIGNMENT, students=STUDENTS, named=NAMED, folder=self.folder)

    def decide(self, decision: Decision, seen: Decided = None) -> None:
        self.editor.decide(decision, token_of(seen), lambda before, after: self.said.append((before, after)))

    def read(self) -> ClassFiles:
        return read_class_files(NAMED, self.folder, ASSIGNMENT, STUDENTS)

    def text(self, name: str = "marks.yaml") -> str:
        return (self.folder / name).read_text()

    def write(self, text: str, name: str = "marks.yaml") -> None:
        (self.folder / name).write_text(text)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_points_are_given_changed_and_taken_back(desk: Desk) -> None:
    desk.decide(GivePoints("ann", "names", Decimal("1.0")))
    desk.decide(GivePoints("ann", "comments", Decimal("0.5")))
    desk.decide(GivePoints("bob", "names", Decimal(0)))
    assert desk.text() == (
        "format: 1\nmarks:\n  - {student: ann, points: {names: 1, comments: 0.5}}\n"
        "  - {student: bob, points: {names: 0}}\n"
    )
    desk.decide(GivePoints("ann", "names", Decimal("0.5")), Decimal(1))
    desk.decide(GivePoints("bob", "names", None), Decimal(0))
    assert desk.text() == "format: 1\nmarks:\n  - {student: ann, points: {names: 0.5, comments: 0.5}}\n"
    desk.decide(GivePoints("ann", "names", None), Decimal("0.5"))
    desk.decide(GivePoints("ann", "comments", None), Decimal("0.5"))
    assert desk.read().by_hand.marks == {}
    desk.decide(GivePoints("cy", "names", Decimal(1)))
    assert desk.text() == "format: 1\nmarks:\n  - {student: cy, points: {names: 1}}\n"
    assert desk.said[2:4] == [(None, Decimal(0)), (Decimal(1), Decimal("0.5"))]


def test_rules_are_confirmed_waived_and_left_open_again(desk: Desk) -> None:
    desk.write("format: 1\nmarks:\n  - student: ann  # see mail\n    points: {names: 1}\n    confirm: [main, guard]\n")
    desk.decide(DecideRule("ann", "main", RuleDecision.WAIVE), RuleDecision.CONFIRM)
    assert desk.text().endswith("    points: {names: 1}\n    confirm: [guard]\n    waive: [main]\n")
    desk.decide(DecideRule("ann", "guard", RuleDecision.WAIVE), RuleDecision.CONFIRM)
    assert desk.text().endswith("    points: {names: 1}\n    waive: [main, guard]\n")
    desk.decide(DecideRule("ann", "main", None), RuleDecision.WAIVE)
    desk.decide(DecideRule("ann", "guard", None), RuleDecision.WAIVE)
    assert desk.text() == "format: 1\nmarks:\n  - student: ann  # see mail\n    points: {names: 1}\n"
    desk.decide(DecideRule("bob", "main", RuleDecision.CONFIRM))
    desk.decide(DecideRule("bob", "main", RuleDecision.WAIVE), RuleDecision.CONFIRM)
    assert desk.text().endswith("  - {student: bob, waive: [main]}\n")
    desk.decide(DecideRule("bob", "main", None), RuleDecision.WAIVE)
    assert "bob" not in desk.text()


def test_overrides(desk: Desk) -> None:
    mark, verdict = MarkOverride(Decimal("2.5"), BY), VerdictOverride("small", Verdict.PASSED, Decimal("0.5"), BY)
    desk.decide(DecideOverride("ann", None, mark))
    desk.decide(DecideOverride("ann", "small", verdict))
    assert desk.read().overrides_of("ann") == (mark, verdict)
    assert desk.text("overrides.yaml").splitlines()[2:] == [
        "  - {student: ann, mark: 2.5, reason: 'an appeal: granted', by: the lecturer}",
        "  - {student: ann, test: small, verdict: passed, score: 0.5, reason: 'an appeal: granted', by: the lecturer}",
    ]
    other = VerdictOverride("small", Verdict.WRONG_OUTPUT, None, InstructorDecision("no", "a tutor", "3f2a9c01"))
    desk.decide(DecideOverride("ann", "small", other), verdict)
    assert desk.read().overrides_of("ann") == (mark, other)
    desk.decide(DecideOverride("ann", "small", None), other)
    desk.decide(DecideOverride("ann", None, None), mark)
    assert desk.read().overrides_of("ann") == ()


SPECIALS = "- a: b # c\r\n  {'x'}: *y\n\n\x07\x1b[31m \u2028 é 🂡 %!&@`\t|"


def test_comments_on_groups(desk: Desk) -> None:
    desk.write("format: 1\ncomments:\n  - group: d63dc4ca  # aces\n    comment: >\n      The ace is\n      high.\n",
               "comments.yaml")  # fmt: skip
    desk.decide(SayToGroup("12345678", "Read the rules.\n\nAll of them."))
    desk.decide(SayToGroup("d63dc4ca", SPECIALS), "The ace is high.")
    assert {one.group: one.text for one in desk.read().comments.groups} == {
        "d63dc4ca": SPECIALS,
        "12345678": "Read the rules.\n\nAll of them.",
    }
    assert "  # aces\n" in desk.text("comments.yaml")
    assert desk.text("comments.yaml").endswith(
        "  - group: 12345678\n    comment: |-\n      Read the rules.\n\n      All of them.\n"
    )
    desk.decide(SayToGroup("12345678", None), "Read the rules.\n\nAll of them.")
    assert len(desk.read().comments.groups) == 1


ON_LINE = CommentSubject("double.py", 3)


def test_comments_for_students(desk: Desk) -> None:
    desk.decide(SayToGroup("12345678", "Read."))
    whole = StudentComment(text=SPECIALS, by="Eve")
    on_line = StudentComment(text="A clear name:\nfine", file="double.py", line=3, by="Eve")
    on_item = StudentComment(text="fine", about="names", by="Eve")
    desk.decide(SayToStudent("ann", CommentSubject(), whole))
    desk.decide(SayToStudent("ann", ON_LINE, on_line))
    desk.decide(SayToStudent("bob", CommentSubject(about="names"), on_item))
    assert desk.read().comments_of("ann") == (whole, on_line)
    assert desk.read().comments_of("bob") == (on_item,)
    changed = replace(on_line, text="clear", by="Dan")
    desk.decide(SayToStudent("ann", ON_LINE, changed), on_line)
    with pytest.raises(ChangedMeanwhileError) as met:
        desk.decide(SayToStudent("ann", ON_LINE, None), on_line)
    assert met.value.current == changed
    desk.decide(SayToStudent("ann", CommentSubject(), None), whole)
    desk.decide(SayToStudent("bob", CommentSubject(about="names"), None), on_item)
    assert desk.text("comments.yaml").splitlines()[2:] == [
        "  - {group: 12345678, comment: Read.}",
        "  - student: ann",
        "    file: double.py",
        "    line: 3",
        "    comment: clear",
        "    by: Dan",
    ]


def test_requests(desk: Desk) -> None:
    asked = RegradeRequest(id="1", student="ann", about="small", text="I think that\nthis is right.")
    desk.decide(WriteRequest(asked))
    assert desk.read().requests_of("ann") == (asked,)
    answered = RegradeRequest(
        id="1", student="ann", about="small", text=asked.text, state=RequestState.DECLINED, answer="No: 9.", by="Eve"
    )
    desk.decide(WriteRequest(answered), asked)
    assert desk.read().requests_of("ann") == (answered,)
    assert desk.text("requests.yaml") == (
        "format: 1\nrequests:\n  - id: 1\n    student: ann\n    about: small\n"
        "    request: |-\n      I think that\n      this is right.\n"
        "    state: declined\n    answer: 'No: 9.'\n    by: Eve\n"
    )


def test_who_saw_something_else_is_told_and_writes_nothing(desk: Desk) -> None:
    desk.decide(GivePoints("ann", "names", Decimal(1)))
    before = desk.text()
    with pytest.raises(ChangedMeanwhileError) as error:
        desk.decide(GivePoints("ann", "names", Decimal("0.5")))
    assert (error.value.current, desk.text()) == (Decimal(1), before)
    desk.decide(GivePoints("ann", "names", Decimal(1)))
    assert len(desk.said) == 1, "the same decision twice is one"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("format: 1\nmarks:\n  - {student: ann, points: {names: 1}\n", "this is not valid YAML"),
        ("format: 1\nmarks:\n  - {student: ann, points: {nam: 1}}\n", "there is no manual item `nam`"),
        ("", "the file is empty"),
        ("\xff", "expected UTF-8"),
    ],
)
def test_a_faulty_file_is_never_written_to(text: str, said: str, desk: Desk) -> None:
    (desk.folder / "marks.yaml").write_bytes(text.encode("latin-1"))
    with pytest.raises(SpecError, match=said):
        desk.decide(GivePoints("bob", "names", Decimal(1)))
    assert (desk.folder / "marks.yaml").read_bytes() == text.encode("latin-1")
    assert desk.said == []


@pytest.mark.parametrize(
    ("decision", "error"),
    [
        (GivePoints("ann", "names", Decimal(7)), SpecError),
        (GivePoints("ann", "name", Decimal(1)), SpecError),
        (DecideRule("ann", "docstrings", RuleDecision.WAIVE), SpecError),
        (DecideOverride("ann", None, MarkOverride(Decimal(99), BY)), SpecError),
        (DecideOverride("ann", None, MarkOverride(Decimal(1), InstructorDecision("a\nb", "x"))), SpecError),
        (SayToGroup("12345678", "half \ud800"), (SpecError, YamlEditError)),
    ],
)
def test_what_could_not_be_read_again_is_not_written(decision: Decision, error: type[Exception], desk: Desk) -> None:
    with pytest.raises(error):
        desk.decide(decision)
    assert list(desk.folder.iterdir()) == []
    assert desk.said == []


def test_a_table_is_left_to_its_author(desk: Desk) -> None:
    desk.write("student,names\nann,1\n", "marks.csv")
    with pytest.raises(NotWritableError, match="is a table, which is not written to here: mark in the table"):
        desk.decide(GivePoints("bob", "names", Decimal(1)))


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_said_before_anything_is_announced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("format: 1\nmarks: []\n")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(NotWritableError, match=r"marks.yaml cannot be written: No space left on device"):
        desk.decide(GivePoints("bob", "names", Decimal(1)))
    assert (desk.said, os.listdir(desk.folder)) == ([], ["marks.yaml"])


def test_what_was_announced_and_cannot_be_written_is_taken_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("format: 1\nmarks: []\n")
    monkeypatch.setattr("grader.files.replace_file._exchange", full)
    with pytest.raises(NotWritableError, match=r"marks.yaml cannot be written: No space left on device"):
        desk.decide(GivePoints("bob", "names", Decimal(1)))
    assert desk.said == [(None, Decimal(1)), (Decimal(1), None)]
    assert desk.text() == "format: 1\nmarks: []\n"


def test_while_another_program_writes_nothing_is_decided(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.web.serve.editing.edit._PAUSE", 0)
    half, rest = (
        "format: 1\nmarks:\n  - {student: ann, points: {names: 1}}\n  - {stu",
        "dent: bob, points: {names: 0}}\n",
    )
    with (desk.folder / "marks.yaml").open("w") as writer:
        writer.write(half)
        writer.flush()
        with pytest.raises(NotWritableError, match=r"is being written by another program, so nothing was written; try"):
            desk.decide(GivePoints("ann", "comments", Decimal(1)))
        writer.write(rest)
    assert (desk.said, desk.text()) == ([], half + rest)
    desk.decide(GivePoints("ann", "comments", Decimal(1)))
    assert desk.read().by_hand.marks["ann"].points == {"names": 1, "comments": 1}
    assert desk.read().by_hand.marks["bob"].points == {"names": 0}


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_neither_read_nor_replaced(make: Callable[[Path], None], desk: Desk) -> None:
    make(desk.folder / "marks.yaml")
    with pytest.raises(NotWritableError, match="cannot be written: it is a folder, a pipe or a device"):
        desk.decide(GivePoints("ann", "names", Decimal(1)))
    with pytest.raises(SpecError, match="1:1: the file cannot be read: it is a folder, a pipe or a device"):
        desk.read()


def test_a_read_only_file_stays_as_it_is(desk: Desk) -> None:
    desk.write("format: 1\nmarks: []\n")
    (desk.folder / "marks.yaml").chmod(0o444)
    with pytest.raises(NotWritableError, match=r"marks.yaml cannot be written: it is read-only\."):
        desk.decide(GivePoints("ann", "names", Decimal(1)))
    assert (desk.said, desk.text()) == ([], "format: 1\nmarks: []\n")


def test_markers_at_once_lose_nothing(desk: Desk) -> None:
    students = [f"s{number}" for number in range(4)]
    desk.write("format: 1\nmarks:\n  - {student: ann, points: {names: 0.5}}\n")
    steps = 12

    def mark(student: str) -> None:
        points = None
        for step in range(steps):
            after = Decimal(step) / 10
            desk.decide(GivePoints(student, "comments", after), points)
            points = after

    threads = [Thread(target=mark, args=(student,)) for student in students]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = desk.read().by_hand.marks
    assert {student: found[student].points["comments"] for student in students} == dict.fromkeys(
        students, Decimal(steps - 1) / 10
    )


MARKER = """
import random, sys
from decimal import Decimal
from pathlib import Path
from grader.plugins.web.serve.editing.decisions import GivePoints, token_of
from grader.plugins.web.serve.editing.edit import ClassFileEditor
from grader.files.replace_file import clear_leftovers
from tests.class_files.marked_assignment import ASSIGNMENT, NAMED

folder, seed, said = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]).open("a")
assert clear_leftovers(folder) == []
editor = ClassFileEditor(assignment=ASSIGNMENT, students=(), named=NAMED, folder=folder)
def announce(before, after):
    said.write(f"{student} {after}\\n")
    said.flush()
print("ready", flush=True)
for number in range(10_000):
    student = f"s{seed}-{number}"
    editor.decide(GivePoints(student, "comments", Decimal("0.5")), "", announce)
    print(student, flush=True)
"""


@pytest.mark.slow
def test_a_marker_that_is_killed_at_any_moment_loses_nothing(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = tmp_path_factory.mktemp("log") / "said"
    desk.write("# top\nformat: 1\nmarks:\n  # Ann\n  - {student: ann, points: {names: 1}}  # fine\n")
    told: set[str] = set()
    for seed, lines in enumerate((1, 1, 2, 3, 5, 8)):
        command = [sys.executable, "-c", MARKER, str(desk.folder), str(seed), str(log)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as marker:
            assert marker.stdout
            assert marker.stdout.readline() == "ready\n"
            told |= {marker.stdout.readline().strip() for _ in range(lines)}
            marker.kill()
            told |= set(marker.stdout.read().split("\n")[:-1])
        found = set(desk.read().by_hand.marks) - {"ann"}
        announced = {line.split()[0] for line in log.read_text().splitlines()}
        assert told <= found <= announced
        assert len(announced) <= len(told) + seed + 1
    assert desk.text().startswith("# top\nformat: 1\nmarks:\n  # Ann\n  - {student: ann, points: {names: 1}}  # fine\n")
