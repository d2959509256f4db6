"""A log is replaced while other programs add to it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.plugins.forgetting.rewritten_log import rewrite_lines
from grader.reports.audit_log import REPORTS, LoggedRun, record
from grader.store.origin import Provenance
from tests import ROOT
from tests.reports.decided_example import BEFORE


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with one run in it."""
    file = tmp_path / "audit.jsonl"
    record(file, BEFORE, Provenance("a" * 64, "0.1.0+abc"), LoggedRun("2026-03-20T16:00:00+00:00", "run 1", REPORTS))
    return file


def test_who_waited_while_the_log_was_replaced_adds_to_the_new_one(log: Path) -> None:
    def change(line: bytes) -> bytes | None:
        if not waiting:
            waiting.append(subprocess.Popen([sys.executable, "-c", WAITS, str(log)], cwd=ROOT))
            until_it_waits(waiting[0])
        return None if b"run 1" in line else line

    waiting: list[subprocess.Popen[bytes]] = []
    rewrite_lines(log, change)
    assert waiting[0].wait() == 0
    assert log.read_bytes() == b'{"added": "later"}\n'
    assert log.stat().st_mode & 0o777 == 0o600
    assert list(log.parent.iterdir()) == [log]


def until_it_waits(process: subprocess.Popen[bytes]) -> None:
    """Return when the kernel says that the process waits for the lock."""
    while not re.search(rf"-> FLOCK .* {process.pid} ", Path("/proc/locks").read_text()):
        assert process.poll() is None


WAITS = """
import sys
from pathlib import Path
from grader.reports.audit_log import append_lines

append_lines(Path(sys.argv[1]), lambda _: [{"added": "later"}])
"""
