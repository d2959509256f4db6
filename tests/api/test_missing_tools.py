"""A class whose programs are to run under what is not installed is refused before the first test."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.api.environment import refuse_missing_finders
from grader.errors import GraderError
from grader.run import toolchain
from grader.spec.course import Course
from tests import ROOT

QUEUE = Course(ROOT / "docs" / "examples" / "c-labs").assignment("queue")


def test_valgrind_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "SYSTEM_PATH", str(tmp_path))
    with pytest.raises(GraderError) as caught:
        refuse_missing_finders(QUEUE)
    assert str(caught.value) == (
        "queue cannot be graded here: valgrind is not installed (on Debian: apt-get install valgrind)"
    )


def test_only_what_the_programs_run_under_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "SYSTEM_PATH", str(tmp_path))
    refuse_missing_finders(replace(QUEUE, tests=()))
