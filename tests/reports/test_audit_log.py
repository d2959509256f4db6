"""The audit log only grows, by what is new, for every writer and every end of one."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from grader.reports.audit_log import REPORTS, LoggedRun, record
from grader.reports.decision_log import read_audit_log
from grader.reports.write import ReportError
from grader.store.origin import Provenance
from tests import ROOT
from tests.audit_entries import read_entries
from tests.reports.decided_example import BEFORE, CLASS

ORIGIN = Provenance("a" * 64, "0.1.0+abc")
RUN = LoggedRun("2026-03-20T16:00:00+00:00", "run 1", REPORTS)
ROWS = len(BEFORE.rows)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with one run in it."""
    file = tmp_path / "audit.jsonl"
    record(file, BEFORE, ORIGIN, RUN)
    return file


def test_an_entry_says_who_got_what_for_what_and_when(log: Path) -> None:
    first, *_ = (json.loads(line) for line in log.read_text().splitlines())
    assert first == {
        "format": "grader-audit/1",
        "assignment": "doubles",
        "student": '=HYPERLINK("x")',
        "mark": "1.5",
        "points": "1.5",
        "excused": False,
        "overridden": False,
        "submission": BEFORE.rows[0].graded.digest,
        "spec": "a" * 64,
        "harness": "0.1.0+abc",
        "at": "2026-03-20T16:00:00+00:00",
        "run": "run 1",
        "to": "reports",
    }
    assert len(read_entries(log)) == ROWS


def test_what_was_said_last_is_not_said_again(log: Path) -> None:
    before = log.read_bytes()
    record(log, BEFORE, ORIGIN, replace(RUN, at="2026-03-21T16:00:00+00:00", run="run 2"))
    assert log.read_bytes() == before
    record(log, CLASS, ORIGIN, replace(RUN, run="run 3"))
    assert log.read_bytes().startswith(before)
    added = {entry.student: entry.mark for entry in read_entries(log)[ROWS:]}
    # Nothing is new about the one whose override does not fit.
    assert added == {'=HYPERLINK("x")': "1.4", "Dvořák, Łucja": "1", "excused": None, "verdict": "0.8", "waived": "1.5"}


def test_the_last_entry_counts_not_any(log: Path) -> None:
    record(log, CLASS, ORIGIN, RUN)
    record(log, BEFORE, ORIGIN, replace(RUN, run="run 3"))
    marks = [entry.mark for entry in read_entries(log) if entry.student == "verdict"]
    assert marks == ["0", "0.8", "0"]


def test_other_tests_or_another_grader_are_new(log: Path) -> None:
    record(log, BEFORE, replace(ORIGIN, spec="b" * 64), RUN)
    record(log, BEFORE, Provenance("b" * 64, "0.2.0"), RUN)
    assert len(read_entries(log)) == 3 * ROWS


def test_a_mark_that_leaves_the_house_is_said_once_for_each_place(log: Path) -> None:
    for _ in range(2):
        for to in ("moodle", "canvas"):
            record(log, replace(BEFORE, rows=BEFORE.rows[1:3]), ORIGIN, replace(RUN, to=to))
    left = [(entry.to, entry.student) for entry in read_entries(log)[ROWS:]]
    assert left == [(to, row.student) for to in ("moodle", "canvas") for row in BEFORE.rows[1:3]]


@pytest.mark.parametrize("left", [1, 20, -1])
def test_half_a_line_of_a_killed_writer_breaks_nothing(log: Path, left: int) -> None:
    whole = log.read_bytes()
    last = whole.splitlines()[-1]
    torn = whole[: len(whole) - len(last) - 1] + last[:left]
    log.write_bytes(torn)
    assert len(read_entries(log)) == ROWS - 1
    record(log, BEFORE, ORIGIN, replace(RUN, run="run 2"))
    assert log.read_bytes().startswith(torn)
    entries = read_entries(log)
    assert [entry.student for entry in entries] == [row.student for row in BEFORE.rows]
    assert entries[-1].run == "run 2"


def test_a_last_line_without_its_line_end_counts(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-1])
    record(log, CLASS, ORIGIN, RUN)
    assert len(read_entries(log)) == ROWS + 5


def test_lines_of_others_are_passed_over(log: Path) -> None:
    with log.open("a") as file:
        file.write('[]\n"text"\n{"format": []}\n{"format": "others/3", "student": "x"}\n\n\xe9\n')
    assert len(read_entries(log)) == ROWS


WRITER = """
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from grader.reports.audit_log import REPORTS, LoggedRun, record
from grader.store.origin import Provenance
from tests.reports.decided_example import BEFORE

for number in range(20):
    record(Path(sys.argv[1]), BEFORE, Provenance(f"{number}", "same"), LoggedRun("now", sys.argv[2], REPORTS))
"""


@pytest.mark.parametrize("name", ["audit", "decision", "forgotten"])
def test_lines_of_a_newer_grader_are_refused(name: str, log: Path) -> None:
    before = log.read_bytes()
    log.write_bytes(before + f'{{"format": "grader-{name}/2"}}\n'.encode())
    said = f"The audit log has lines of the format grader-{name}/2, which is newer than this grader; upgrade it"
    after = log.read_bytes()
    for act in (read_entries, read_audit_log, lambda file: record(file, CLASS, ORIGIN, RUN)):
        with pytest.raises(ReportError, match=f"^{re.escape(said)}$"):
            act(log)
    assert log.read_bytes() == after


@pytest.mark.slow
def test_several_graders_at_once_lose_and_tear_nothing(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    root = ROOT
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(file), str(number)], cwd=root) for number in range(3)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    entries = read_entries(file)
    assert len(entries) == len(file.read_bytes().splitlines())
    own = [entry for entry in entries if entry.student == "gone"]
    # No writer repeats what the last entry says, even of another writer.
    assert all(one.spec != other.spec for one, other in pairwise(own))
    assert {entry.spec for entry in own} == {str(number) for number in range(20)}


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "audit.jsonl").mkdir()
    with pytest.raises(ReportError, match="cannot be written: Is a directory"):
        record(tmp_path / "audit.jsonl", BEFORE, ORIGIN, RUN)
    assert read_entries(tmp_path / "none.jsonl") == []
