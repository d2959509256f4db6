"""Sample submissions in C++ get the verdicts that are written beside them."""

import shutil
import subprocess
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml

from grader.judge.checked import judge_by_checker
from grader.judge.verdict import Verdict
from grader.run.launch import Launch
from grader.run.stdin_session import feed
from grader.spec.course import Course

ROOT = Path(__file__).parents[3]
SAMPLES = sorted(file.parent for file in (ROOT / "submissions-cpp" / "cs509-2003-pa3").glob("*/verdicts.yaml"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_verdicts_are_as_stated(folder: Path, tmp_path: Path) -> None:
    subprocess.run(["g++", "-O2", "-o", tmp_path / "accordion", folder / "accordion.cpp"], check=True)
    found: dict[str, set[Verdict]] = {}
    for test in Course(ROOT).assignment("cs509-2003-pa3").tests:
        assert test.stdin is not None
        assert test.checker is not None
        outcome = feed(Launch((str(tmp_path / "accordion"),), tmp_path, {}), test.stdin.text).outcome()
        judgement = judge_by_checker(test, test.checker, "", outcome, Event())
        if judgement.verdict is not Verdict.PASSED:
            found.setdefault(test.part, set()).add(judgement.verdict)
    stated: dict[str, Any] = yaml.safe_load((folder / "verdicts.yaml").read_text())["fails"]
    assert found == {part: {Verdict(word)} for part, word in stated.items()}
