"""Without a sandbox, nothing is graded by accident."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import SmallCourse
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

RIGHT = 'print("Double:", 2 * int(input("Number: ")))\n'
NOT_INSTALLED = "bubblewrap is not installed (on Debian: apt-get install bubblewrap)"


@needs_sandbox
def test_every_protection_holds_here(prepared: PreparedGrader, tmp_path: Path) -> None:
    run = prepared.run("doctor", folder=tmp_path)
    assert run.returncode == 0, run.stdout
    lines = [line.split(":")[0] for line in run.stdout.splitlines()[1:] if not line.startswith("     ")]
    needed = ["sandbox", "no network", "no view of the course", "no writing outside", "limit on processes"]
    further = ["all memory counted", "limit on the number of files", "sees programs wait"]
    assert lines[: len(needed)] == [f"yes  {name}" for name in needed]
    assert [re.sub("^(yes|no ) ", "", line).strip() for line in lines[len(needed) :]] == further


def test_what_is_missing_is_named(prepared: PreparedGrader, tmp_path: Path) -> None:
    run = prepared.run("doctor", folder=tmp_path, environment={**os.environ, "PATH": str(tmp_path)})
    assert run.returncode == 1
    assert f"no   sandbox: {NOT_INSTALLED}" in run.stdout
    named = re.findall(r"^     (?:other languages|not installed): (.*)$", run.stdout, re.M)
    assert sorted(", ".join(named).split(", ")) == ["g++", "gcc", "javac", "node", "rustc", "valgrind"]
    assert "--sandbox none" in run.stdout


def test_without_a_sandbox_a_class_is_graded_only_on_request(
    prepared: PreparedGrader, small_course: SmallCourse, tmp_path: Path
) -> None:
    small_course.hand_in("right", RIGHT)
    grader = partial(prepared.run, folder=small_course.folder, environment={**os.environ, "PATH": str(tmp_path)})
    refused = grader("grade", "submissions")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert NOT_INSTALLED in refused.stderr
    assert "--sandbox none" in refused.stderr
    assert not (small_course.reports / "results.csv").exists()
    asked = grader("grade", "submissions", "--sandbox", "none")
    assert asked.returncode == 0, asked.stderr
    assert (small_course.reports / "results.csv").exists()


@needs_sandbox
@pytest.mark.parametrize("mask", [0o027, 0o077])
@pytest.mark.slow
def test_a_umask_that_hides_files_from_others_hides_nothing_in_the_sandbox(
    mask: int, small_course: SmallCourse
) -> None:
    small_course.hand_in("right", RIGHT)
    for command, said in ((["doctor"], "yes  sandbox"), (["grade", "submissions", "--format", "json"], '"passed"')):
        run = subprocess.run(
            [sys.executable, "-m", "grader", *command],
            cwd=small_course.folder,
            umask=mask,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, said in run.stdout) == (0, True), run.stdout + run.stderr
