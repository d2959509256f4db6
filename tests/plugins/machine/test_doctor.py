"""Without a sandbox, nothing is graded by accident."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from grader.plugins.machine.advice import next_steps
from grader.run.protection import ProtectionCheck
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
    assert [re.sub("^(yes|no ) ", "", line).strip() for line in lines[len(needed) :][: len(further)]] == further
    assert run.stdout.splitlines()[-1].startswith("This machine is ready. `grader demo` grades a sample class")
    assert "Errno" not in run.stdout


def test_what_is_missing_is_named(prepared: PreparedGrader, tmp_path: Path) -> None:
    run = prepared.run("doctor", folder=tmp_path, environment={**os.environ, "PATH": str(tmp_path)})
    assert run.returncode == 1
    assert f"no   sandbox: {NOT_INSTALLED}" in run.stdout
    named = re.findall(r"^     (?:other languages|not installed): (.*)$", run.stdout, re.M)
    assert sorted(", ".join(named).split(", ")) == ["g++", "gcc", "javac", "node", "rustc", "valgrind"]
    *_, missing, debian, fedora, arch, trusted = run.stdout.splitlines()
    assert missing == "The sandbox needs bubblewrap. Install it, then run `grader doctor` again:"
    assert [line.split(":")[0].strip() for line in (debian, fedora, arch)] == ["Debian, Ubuntu", "Fedora", "Arch"]
    assert "--sandbox none" in trusted


def refusing_bubblewrap(folder: Path) -> Path:
    """Return a folder with a `bwrap` that fails as the real one does where the system refuses namespaces."""
    program = folder / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    program.chmod(0o755)
    return folder


def test_a_system_that_lets_nobody_make_a_sandbox_is_told_from_one_without_bubblewrap(
    prepared: PreparedGrader, tmp_path: Path
) -> None:
    path = f"{refusing_bubblewrap(tmp_path)}:{os.environ['PATH']}"
    run = prepared.run("doctor", folder=tmp_path, environment={**os.environ, "PATH": path})
    assert run.returncode == 1
    assert "no   sandbox: " in run.stdout
    assert "bubblewrap is installed, but this system does not let it make a sandbox." in run.stdout
    assert "apt-get" not in run.stdout


def test_other_systems_are_sent_to_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    sandbox = ProtectionCheck("sandbox", available=False, found="sandboxes are made by the Linux kernel")
    first, *_ = next_steps([sandbox])
    assert first.startswith("Grading a class needs Linux")


@pytest.mark.slow
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
