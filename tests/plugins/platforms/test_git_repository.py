"""Repositories of strangers are read, and nothing that they say is done."""

import hashlib
import os
import shutil
import subprocess
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.intake.match_files import SubmissionRequirements
from grader.model.assignment import SubmissionPolicy
from grader.model.submission import Submission, TimeSource
from tests.intake.taking import DUE, take_in

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")

WANTED = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=ZoneInfo("Australia/Sydney"))


def git(folder: Path, *command: str, time: datetime = DUE) -> str:
    stamp = f"{int(time.timestamp())} +0000"
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp, "GIT_CONFIG_GLOBAL": os.devnull}
    run = subprocess.run(
        ["git", *command], cwd=folder, env={**os.environ, **names, **dates}, check=True, capture_output=True, text=True
    )
    return run.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "hw-submissions" / "hw-ada"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(clone: Path, text: str, hours: int) -> str:
    (clone / "game.py").write_text(text)
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "work", time=DUE + timedelta(hours=hours))
    return git(clone, "rev-parse", "HEAD").strip()


def taken(clone: Path, wanted: SubmissionRequirements = WANTED) -> Submission:
    unpacked = clone.parents[1] / "unpacked"
    unpacked.mkdir(exist_ok=True)
    (submission,) = take_in(clone.parent, wanted, unpacked).submissions
    return submission


def text(submission: Submission) -> str:
    return submission.files[0].path.read_text()


def test_the_last_commit_before_the_due_date_counts_with_its_time(clone: Path) -> None:
    commit(clone, "early", -5)
    name = commit(clone, "in time", -1)
    commit(clone, "late", 2)
    (clone / "game.py").write_text("never committed")
    submission = taken(clone)
    assert (submission.student, submission.identity.login, text(submission)) == ("ada", "ada", "in time")
    assert (submission.submitted, submission.time_source) == (DUE - timedelta(hours=1), TimeSource.COMMIT)
    assert submission.source == f"hw-ada@{name[:10]}"


def test_when_all_are_late_the_last_one_counts(clone: Path) -> None:
    commit(clone, "late", 2)
    commit(clone, "later", 3)
    assert (text(taken(clone)), taken(clone).submitted) == ("later", DUE + timedelta(hours=3))


def test_a_repository_without_commits_is_a_row(clone: Path) -> None:
    submission = taken(clone)
    assert (submission.files, submission.readable) == ((), True)
    assert submission.notes == ("there is no commit", "game.py is missing")


def test_packed_shallow_and_bare_repositories(clone: Path) -> None:
    commit(clone, "one", -3)
    commit(clone, "two", -2)
    git(clone, "pack-refs", "--all")
    git(clone, "gc", "-q")
    assert text(taken(clone)) == "two"
    for name, options in (("hw-shallow", ["--depth=1"]), ("hw-bare.git", ["--bare"])):
        git(clone.parent, "clone", "-q", *options, f"file://{clone}", name)
    unpacked = clone.parents[1] / "unpacked"
    submissions = take_in(clone.parent, WANTED, unpacked).submissions
    assert {one.student: text(one) for one in submissions} == {"ada": "two", "shallow": "two", "bare": "two"}


def test_hooks_filters_and_settings_of_the_repository_have_no_effect(clone: Path, tmp_path: Path) -> None:
    commit(clone, "print('it')\n", -1)
    trap = tmp_path / "sprung"
    script = tmp_path / "trap"
    script.write_text(f"#!/bin/sh\ntouch '{trap}'\ncat\n")
    script.chmod(0o755)
    (clone / ".gitattributes").write_text("* filter=evil diff=evil\n")
    for key in (
        "filter.evil.smudge",
        "core.fsmonitor",
        "diff.external",
        "gpg.program",
        "core.pager",
        "core.sshCommand",
    ):
        git(clone, "config", key, str(script))
    git(clone, "config", "log.showSignature", "true")
    git(clone, "config", "core.hooksPath", str(tmp_path))
    (clone / ".git" / "hooks" / "post-checkout").write_text(script.read_text())
    trap.unlink(missing_ok=True)
    assert text(taken(clone)) == "print('it')\n"
    assert not trap.exists()


def test_links_and_submodules_are_not_followed(clone: Path) -> None:
    (clone / "game.py").symlink_to("/etc/passwd")
    git(clone, "add", "-A")
    git(clone, "update-index", "--add", "--cacheinfo", "160000", "0" * 39 + "1", "module")
    git(clone, "commit", "-q", "-m", "work", time=DUE)
    submission = taken(clone)
    assert submission.files == ()
    assert submission.notes == (
        "game.py is a folder, a link or something else that is not a regular file",
        "module is not used: it is not one of the files to hand in",
    )


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("alternates", "some of its objects are elsewhere"),
        ("linked pack", "some of its objects are elsewhere"),
        ("linked HEAD", "Too many levels of symbolic links"),
        ("odd HEAD", "its HEAD names no branch"),
        ("no objects", "Git cannot read it"),
    ],
)
def test_what_leads_elsewhere_or_is_damaged_is_refused(fault: str, reason: str, clone: Path) -> None:
    commit(clone, "x", -1)
    git_folder = clone / ".git"
    if fault == "alternates":
        (git_folder / "objects" / "info").mkdir(exist_ok=True)
        (git_folder / "objects" / "info" / "alternates").write_text("/somewhere\n")
    elif fault == "linked pack":
        shutil.rmtree(git_folder / "objects" / "pack")
        (git_folder / "objects" / "pack").symlink_to("/somewhere")
    elif fault == "linked HEAD":
        (git_folder / "HEAD").unlink()
        (git_folder / "HEAD").symlink_to("refs/heads/main")
    elif fault == "odd HEAD":
        (git_folder / "HEAD").write_text("ref: refs/../../../etc/passwd\n")
    else:
        for path in [path for path in (git_folder / "objects").rglob("*") if path.is_file()]:
            path.unlink()
    submission = taken(clone)
    assert (submission.readable, submission.files) == (False, ())
    assert submission.notes[0].startswith("the Git repository is not read: ")
    assert reason in submission.notes[0]


def test_a_repository_without_the_contents_of_a_file_is_refused(clone: Path) -> None:
    """As a clone made with `--filter=blob:none` is."""
    commit(clone, "x", -1)
    blob = git(clone, "rev-parse", "HEAD:game.py").strip()
    (clone / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    other = clone.parent / "hw-bob"
    shutil.copytree(clone, other)
    (other / "game.py").write_text("whole")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "work", time=DUE)
    ada, bob = take_in(clone.parent, WANTED, clone.parents[1]).submissions
    assert (ada.readable, ada.notes) == (
        False,
        ("the contents of `game.py` are missing in the Git repository: clone it as a whole",),
    )
    assert (bob.readable, text(bob)) == (True, "whole")


def test_names_of_64_digits(tmp_path: Path) -> None:
    folder = tmp_path / "hw-submissions" / "hw-ada"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", "--object-format=sha256")
    name = commit(folder, "long", -1)
    git(folder, "pack-refs", "--all")
    submission = taken(folder)
    assert (len(name), text(submission), submission.source) == (64, "long", f"hw-ada@{name[:10]}")


@pytest.mark.parametrize("content", ["", "abc\n", "ref: refs/heads/other\n"])
def test_a_branch_that_cannot_be_resolved_is_not_one_without_commits(content: str, clone: Path) -> None:
    commit(clone, "x", -1)
    (clone / ".git" / "refs" / "heads" / "main").write_text(content)
    submission = taken(clone)
    assert (submission.readable, submission.notes) == (
        False,
        ("the Git repository is not read: its branch refs/heads/main names no commit",),
    )


@pytest.mark.parametrize("packed", [False, True])
def test_commits_on_other_branches_alone_are_told(clone: Path, packed: bool) -> None:
    commit(clone, "x", -1)
    git(clone, "branch", "-q", "-m", "main", "work")
    if packed:
        git(clone, "pack-refs", "--all")
    (clone / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    submission = taken(clone)
    assert (submission.readable, submission.notes) == (
        False,
        ("the Git repository is not read: no commit is checked out; commits are in refs/heads/work",),
    )


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("kept_as", ["refs/heads/work", "refs/remotes/origin/work", "refs/tags/work"])
@pytest.mark.parametrize("file", ["game.py", "src/game.py"])
def test_a_program_on_another_branch_is_told(clone: Path, file: str, kept_as: str, *, is_packed: bool) -> None:
    (clone / "README.md").write_text("My game.")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "first", time=DUE)
    git(clone, "checkout", "-q", "-b", "new")
    (clone / file).parent.mkdir(exist_ok=True)
    (clone / file).write_text("x")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "work", time=DUE)
    git(clone, "update-ref", kept_as, "new")
    git(clone, "checkout", "-q", "main")
    git(clone, "branch", "-q", "-D", "new")
    if is_packed:
        git(clone, "pack-refs", "--all")
    note = f"game.py is not in the branch that is checked out, but in {kept_as}"
    assert taken(clone).notes[:1] == (note,)


def test_branches_are_not_told_of_where_the_program_is_there(clone: Path) -> None:
    commit(clone, "x", -1)
    git(clone, "branch", "work")
    assert taken(clone).notes == ()


def test_an_unexpected_fault_refuses_one_repository(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(clone, "x", -1)

    def fault(*_: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr("grader.plugins.platforms.git.repository.GitRepository.commits", fault)
    submission = taken(clone)
    assert (submission.readable, submission.notes) == (
        False,
        ("the Git repository is not read: LookupError: a bug",),
    )


@pytest.mark.slow
def test_a_tree_that_stands_for_very_many_files_is_refused(clone: Path) -> None:
    blob = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], cwd=clone, input=b"x", capture_output=True, check=True
    ).stdout.decode()
    kind, name = "100644 blob", blob.strip()
    for _ in range(7):
        lines = "".join(f"{kind} {name}\tf{number}\n" for number in range(10))
        made = subprocess.run(
            ["git", "mktree"], cwd=clone, input=lines.encode(), capture_output=True, check=True
        ).stdout.decode()
        kind, name = "040000 tree", made.strip()
    top = git(clone, "commit-tree", name, "-m", "bomb", time=DUE).strip()
    git(clone, "update-ref", "refs/heads/main", top)
    submission = taken(clone)
    assert not submission.readable
    assert submission.notes[0].startswith("Git finds more than ")


def test_branches_without_end_are_not_waited_for(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.plugins.platforms.git.download._SECONDS_FOR_BRANCHES", 0.5)
    (clone / "readme.txt").write_text("no program")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "work", time=DUE - timedelta(hours=1))
    tree = ""
    for _ in range(12):
        lines = "".join(f"040000 tree {tree}\tf{number}\n" for number in range(10)) if tree else ""
        made = subprocess.run(["git", "mktree"], cwd=clone, input=lines.encode(), capture_output=True, check=True)
        tree = made.stdout.decode().strip()
    commits = {git(clone, "commit-tree", tree, "-m", f"{number}").strip() for number in range(20)}
    for number, name in enumerate(commits):
        git(clone, "update-ref", f"refs/heads/b{number}", name)
    start = time.monotonic()
    assert [file.name for file in taken(clone).files] == []
    # One of these listings alone would take hours.
    assert time.monotonic() - start < 30


def test_limits_on_files_and_bytes(clone: Path) -> None:
    (clone / "data.txt").write_text("x" * 5000)
    commit(clone, "x", -1)
    for policy, reason in (
        (SubmissionPolicy(files=1), "it has more than 1 files"),
        (SubmissionPolicy(total_bytes=4000), "it has more than 4 kB"),
    ):
        assert taken(clone, replace(WANTED, policy=policy)).notes == (reason,)


def test_a_folder_that_is_no_repository_is_read_as_it_is(clone: Path) -> None:
    commit(clone, "x", -1)
    other = clone.parent / "hw-bob"
    other.mkdir()
    (other / "game.py").write_text("y")
    os.utime(other / "game.py", (0, int(DUE.timestamp())))
    submissions = take_in(clone.parent, WANTED, clone.parents[1]).submissions
    assert {one.student: text(one) for one in submissions} == {"ada": "x", "bob": "y"}
    assert submissions[1].notes == ("there is no Git repository: the folder is read as it is",)
    assert submissions[1].submitted == DUE.astimezone(UTC)


def test_a_login_that_looks_like_another_student_replaces_nobody(clone: Path, tmp_path: Path) -> None:
    commit(clone, "ada's", -5)
    for name in ("z5000001", "ada.lee", "ada lee"):
        other = clone.with_name(f"hw-{name}")
        other.mkdir()
        git(other, "init", "-q", "-b", "main")
        commit(other, "another's", -1)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,email,login\nz5000001,Ada Lee,ada.lee@school.example,ada\n")
    (tmp_path / "unpacked").mkdir()
    intake = take_in(clone.parent, WANTED, tmp_path / "unpacked", roster=roster)
    ada, *others = sorted(intake.submissions, key=lambda submission: submission.identity.login != "ada")
    assert (text(ada), ada.notes, ada.identity.id) == ("ada's", (), "z5000001")
    names = ("z5000001 (login)", "ada.lee (login)", "ada lee (login)")
    assert {submission.student for submission in others} == {*names}
    said = f"is not taken for {ada.student}, whose account is in roster.csv"
    assert {f"{name} {said}" for name in names} <= {*intake.notes}
    # Without a submission of that login, one of the others may well be the student's.
    clone.rename(tmp_path / "elsewhere")
    several = take_in(clone.parent, WANTED, tmp_path / "unpacked", roster=roster).submissions
    assert [submission.readable for submission in several if submission.identity.id] == [False]
    for name in ("ada.lee", "ada lee"):
        clone.with_name(f"hw-{name}").rename(tmp_path / name)
    (alone,) = take_in(clone.parent, WANTED, tmp_path / "unpacked", roster=roster).submissions
    assert (text(alone), alone.identity.id) == ("another's", "z5000001")


def test_a_repository_of_a_team_is_each_members_and_keeps_the_time_of_its_commit(clone: Path) -> None:
    commit(clone, "print(1)", -1)
    (clone.parent / "teams.csv").write_text(f"team,student\n{clone.name},ada\n{clone.name},bob\n")
    (clone.parent / "times.csv").write_text(f"student,time\n{clone.name},2025-10-30 11:00\n")
    found = take_in(clone.parent, WANTED, clone.parent.parent)
    first, second = found.submissions
    assert (first.student, second.student) == ("ada", "bob")
    assert first.files == second.files
    assert {first.time_source, second.time_source} == {TimeSource.COMMIT}
    assert "times.csv is not used for repositories, whose commits have times: ada, bob" in found.notes


def test_a_pipe_among_the_objects_is_refused_at_once(clone: Path) -> None:
    commit(clone, "x", -1)
    os.mkfifo(clone / ".git" / "objects" / "info" / "commit-graph")
    assert taken(clone).notes[0].endswith("one of its objects is no regular file")


def test_the_time_of_a_commit_is_its_own_whatever_a_cache_of_git_says(clone: Path) -> None:
    commit(clone, "x", -1)
    before = taken(clone).submitted
    assert before is not None
    git(clone, "commit-graph", "write", "--reachable")
    cache = clone / ".git" / "objects" / "info" / "commit-graph"
    content = bytearray(cache.read_bytes())
    time = int(before.timestamp()).to_bytes(4, "big")
    place = bytes(content).index(time)
    content[place : place + 4] = (int(before.timestamp()) - 86_400).to_bytes(4, "big")
    content[-20:] = hashlib.sha1(bytes(content[:-20]), usedforsecurity=False).digest()
    cache.chmod(0o644)
    cache.write_bytes(content)
    assert taken(clone).submitted == before
