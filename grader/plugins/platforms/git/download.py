"""Git repositories, one per student, as GitHub Classroom clones them.

A clone is called ASSIGNMENT-LOGIN and is in a folder ASSIGNMENT-submissions.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from grader.files.archive_reader import UnsafeInputError
from grader.intake import plain_folder
from grader.intake.attempt import (
    Attempt,
    FileContents,
    FolderContents,
    ReceivedClass,
    RefusedContents,
    Revision,
    UnpackSettings,
)
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements
from grader.model.submission import StudentIdentity, TimeSource
from grader.plugins.platforms.git.repository import CommitContents, GitRepository, empty_repositories, git_folder
from grader.text.names import student_key

_CLONES = "-submissions"
_MAX_BRANCHES = 20
_SECONDS_FOR_BRANCHES = 10


def fits(entry: os.DirEntry[str], _: SubmissionRequirements) -> bool:
    """Return whether the entry is a repository."""
    return entry.is_dir(follow_symlinks=False) and git_folder(Path(entry.path)) is not None


def read(where: ClassFolder, requirements: SubmissionRequirements, space: UnpackSettings) -> ReceivedClass:
    """Read the repositories in a folder; a folder that is not a repository is read unchanged."""
    ours = empty_repositories(space.new())
    arrived = plain_folder.read(where, requirements, space)
    arrivals = tuple(_of_repository(attempt, ours, where, requirements) for attempt in arrived.arrivals)
    return replace(arrived, arrivals=arrivals)


def _of_repository(arrival: Attempt, ours: Path, where: ClassFolder, requirements: SubmissionRequirements) -> Attempt:
    contents = arrival.contents
    if not isinstance(contents, FolderContents):
        return arrival
    login = _login(where.folder.resolve().name, arrival.source)
    identity = StudentIdentity(login=login)
    arrival = replace(arrival, student=student_key(login), identity=identity, has_chosen_login=True)
    git = git_folder(contents.folder)
    if git is None:
        return replace(arrival, notes=("there is no Git repository: the folder is read as it is",))
    repository = GitRepository(git, ours)
    try:
        commits = repository.commits(requirements.zone)
    except (UnsafeInputError, OSError) as error:
        return _refused(arrival, error)
    except Exception as error:
        # If a fault in the grader prevents reading one repository, the others must still be read.
        return _refused(arrival, f"{type(error).__name__}: {error}")
    if not commits:
        return replace(arrival, contents=FileContents(), notes=("there is no commit",))
    history = tuple(Revision(commit.time, CommitContents(repository, commit.id), commit.id[:10]) for commit in commits)
    notes = tuple(_notes_on_branches(repository, commits[0].id, requirements))
    return replace(arrival, contents=history[0].contents, history=history, time_source=TimeSource.COMMIT, notes=notes)


def _notes_on_branches(repository: GitRepository, head: str, requirements: SubmissionRequirements) -> Iterator[str]:
    """Yield a note on each program that is missing from the checked-out branch but present in another branch."""
    with suppress(UnsafeInputError, OSError):
        until = time.monotonic() + _SECONDS_FOR_BRANCHES
        present = repository.file_names(head, _SECONDS_FOR_BRANCHES)
        missing = {program: names for program, names in requirements.programs.items() if present.isdisjoint(names)}
        branches = list(repository.branches().items())[:_MAX_BRANCHES] if missing else []
        names_by_branch = {
            branch: repository.file_names(commit, until - time.monotonic())
            for branch, commit in branches
            if commit != head
        }
        for program, names in missing.items():
            holders = [branch for branch, present in names_by_branch.items() if not present.isdisjoint(names)]
            if holders:
                yield f"{program} is not in the branch that is checked out, but in {', '.join(holders)}"


def _refused(arrival: Attempt, reason: object) -> Attempt:
    return replace(arrival, contents=RefusedContents(f"the Git repository is not read: {reason}"))


def _login(parent: str, name: str) -> str:
    prefix = f"{parent.removesuffix(_CLONES)}-" if parent.endswith(_CLONES) else ""
    return name.removeprefix(prefix).removesuffix(".git") or name
