"""Reads the commits and files of untrusted Git repositories.

Only the objects of a repository are used: Git runs in an empty repository that borrows them. The settings, hooks and
filters of the student and the instructor therefore have no effect.
"""

import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from typing import IO, cast
from zoneinfo import ZoneInfo

from grader.errors import quoted
from grader.files.archive_reader import ArchiveLimits, UnsafeInputError, bytes_words, is_junk
from grader.files.digest import READ
from grader.intake.attempt import UnpackSettings
from grader.intake.match_files import FoundFile
from grader.text.words import some_of

_OBJECT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MAX_BYTES = 10_000_000
_MAX_COMMITS = 10_000
_MAX_WORDS = 5_000
_SECONDS = 60
_MAX_BRANCHES = 4
_DEEPEST_NAME = 50
_CONFIGS = {
    40: "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
    64: "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n",
}
"""The settings of a repository by the number of digits in the names of its objects: SHA-1 or SHA-256."""


@dataclass(frozen=True)
class GitCommit:
    """A state of the checked-out branch, and its time by the committer's clock."""

    id: str
    time: datetime


@dataclass(frozen=True)
class GitRepository:
    """The repository in the folder `git`: `.git` in a working folder, or a bare repository.

    `ours` holds the empty repositories that no student can write to.
    """

    git: Path
    ours: Path

    def commits(self, zone: ZoneInfo) -> tuple[GitCommit, ...]:
        """Return the states of the checked-out branch, the newest first. Raises UnsafeInputError."""
        head = _head(self.git)
        if head is None:
            if branches := sorted(self.branches()):
                raise UnsafeInputError(f"no commit is checked out; commits are in {some_of(branches, _MAX_BRANCHES)}")
            return ()
        options = ("--first-parent", "--timestamp", f"--max-count={_MAX_COMMITS}")
        listed = self._run(head, "rev-list", *options, head, most_bytes=_MAX_BYTES)
        commits = []
        for line in listed.decode("ascii", "replace").splitlines():
            seconds, _, name = line.partition(" ")
            commits.append(GitCommit(name, _time_of_commit(int(seconds), zone)))
        return tuple(commits)

    def branches(self) -> Mapping[str, str]:
        """Map all branches and tags to their commits. Raises UnsafeInputError, or OSError if they cannot be read."""
        loose = {
            str(path.relative_to(self.git)): _small_text(path).strip()
            for path in _below(self.git / "refs")
            if stat.S_ISREG(os.lstat(path).st_mode)
        }
        commits = {**_packed_branches(self.git), **loose}
        return {name: commit for name, commit in commits.items() if _OBJECT.fullmatch(commit)}

    def file_names(self, commit: str, seconds: float) -> frozenset[str]:
        """Return the names of the files of a commit, without their folders.

        Raises UnsafeInputError, including when the listing takes longer than `seconds`.
        """
        command = ("ls-tree", "-r", "-z", "--name-only", commit)
        listed = self._run(commit, *command, most_bytes=_MAX_BYTES, seconds=seconds)
        return frozenset(os.fsdecode(name).rpartition("/")[2] for name in listed.split(b"\0"))

    def files(self, commit: str, folder: Path, limits: ArchiveLimits) -> tuple[FoundFile, ...]:
        """Write the regular files of a commit to the new `folder`, and return them; list links and submodules.

        Raises UnsafeInputError, or OSError if they cannot be written.
        """
        listed = self._run(commit, "ls-tree", "-r", "-z", "-l", commit, most_bytes=limits.files * _MAX_WORDS)
        listing = [_tree_entry(line) for line in listed.split(b"\0") if line]
        entries = [entry for entry in listing if not is_junk(entry.name.split("/"))]
        regular = [entry for entry in entries if entry.regular]
        if len(entries) > limits.files:
            raise UnsafeInputError(f"it has more than {limits.files} files")
        if sum(entry.size for entry in regular) > limits.total_bytes:
            raise UnsafeInputError(f"it has more than {bytes_words(limits.total_bytes)}")
        request = b"".join(entry.object + b"\n" for entry in regular)
        most_bytes = limits.total_bytes + limits.files * _MAX_WORDS
        printed = self._run(commit, "cat-file", "--batch", given=request, most_bytes=most_bytes)
        contents = _blob_contents(printed, [entry.name for entry in regular])
        for entry, content in zip(regular, contents, strict=True):
            target = folder / entry.name
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                file.write(content)
        return tuple(FoundFile(entry.name, folder / entry.name, entry.regular) for entry in entries)

    def _run(self, commit: str, *command: str, most_bytes: int, given: bytes = b"", seconds: float = _SECONDS) -> bytes:
        """Run Git in the empty repository on the names of objects, such as the `commit`, and return its output."""
        objects = self.git / "objects"
        if not stat.S_ISDIR(os.lstat(objects).st_mode):
            raise UnsafeInputError("its objects are elsewhere")
        if os.path.lexists(objects / "info" / "alternates") or _holds_link(objects):
            raise UnsafeInputError("some of its objects are elsewhere")
        if not all(stat.S_IFMT(os.lstat(path).st_mode) in (stat.S_IFDIR, stat.S_IFREG) for path in _below(objects)):
            raise UnsafeInputError("one of its objects is no regular file")
        arguments = [
            "git",
            f"--git-dir={_empty_repository(self.ours, len(commit))}",
            *_shallow_setting(self.git),
            *command,
        ]
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C",
            "GIT_OBJECT_DIRECTORY": str(objects.absolute()),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_CONFIG_COUNT": "3",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            # The student could have forged the times and objects in these files.
            "GIT_CONFIG_KEY_1": "core.commitGraph",
            "GIT_CONFIG_VALUE_1": "false",
            "GIT_CONFIG_KEY_2": "core.multiPackIndex",
            "GIT_CONFIG_VALUE_2": "false",
        }
        return _command_output(arguments, environment, given, most_bytes, seconds)


def _time_of_commit(seconds: int, zone: ZoneInfo) -> datetime:
    """Return the time `seconds` after the start of 1970, or the start of 1970 for an invalid time."""
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _holds_link(folder: Path) -> bool:
    return any(path.is_symlink() for path in _below(folder))


def _below(folder: Path) -> Iterator[Path]:
    """Return the entries of a folder and of its subfolders. Raises UnsafeInputError."""
    try:
        yield from folder.rglob("*")
    except RecursionError:
        raise UnsafeInputError(f"the folders in its {folder.name} are nested too deeply") from None


def _command_output(
    arguments: Sequence[str], environment: Mapping[str, str], given: bytes, most_bytes: int, seconds: float
) -> bytes:
    """Return the output of a command, limited to `seconds` and `most_bytes`."""
    with tempfile.TemporaryFile() as questions, tempfile.TemporaryFile() as complaints:
        questions.write(given)
        questions.seek(0)
        process = subprocess.Popen(
            arguments, stdin=questions, stdout=subprocess.PIPE, stderr=complaints, env=environment
        )
        watch = Timer(seconds, process.kill)
        watch.start()
        with process:
            printed = cast("IO[bytes]", process.stdout).read(most_bytes + 1)
            watch.cancel()
            if len(printed) > most_bytes:
                process.kill()
                raise UnsafeInputError(f"Git finds more than {bytes_words(most_bytes)} in it")
        if process.returncode == -signal.SIGKILL:
            raise UnsafeInputError(f"Git does not come to an end in {max(seconds, 0):.0f} seconds")
        if process.returncode:
            complaints.seek(0)
            lines = complaints.read(_MAX_WORDS).decode("utf-8", "replace").strip().splitlines()
            raise UnsafeInputError(f"Git cannot read it ({lines[-1] if lines else 'without a word'})")
        return printed


def empty_repositories(folder: Path) -> Path:
    """Make empty repositories in the new folder `folder`. Raises UnsafeInputError if Git is not installed."""
    if shutil.which("git") is None:
        raise UnsafeInputError("there is no command `git` on this computer")
    for digits, config in _CONFIGS.items():
        repository = _empty_repository(folder, digits)
        for name in ("objects", "refs"):
            (repository / name).mkdir(parents=True)
        (repository / "HEAD").write_text("ref: refs/heads/none\n")
        (repository / "config").write_text(config)
    return folder


def _empty_repository(ours: Path, digits: int) -> Path:
    return ours / f"names-of-{digits}-digits"


def git_folder(folder: Path) -> Path | None:
    """Find the folder in which Git keeps the repository in `folder`, working or bare, if there is one.

    A `.git` that is a file or a link is ignored, because it leads elsewhere.
    """
    for git in (folder / ".git", folder):
        try:
            if all(stat.S_ISDIR(os.lstat(git / name).st_mode) for name in ("", "objects", "refs")):
                return git
        except OSError:
            continue
    return None


@dataclass(frozen=True)
class CommitContents:
    """The files of a commit."""

    repository: GitRepository
    commit: str

    def files(self, space: UnpackSettings) -> tuple[FoundFile, ...]:
        """Write the files and return them."""
        return self.repository.files(self.commit, space.new(), space.limits)

    def said_in(self) -> Path | None:
        """Return None: nothing in a repository comes from the instructor."""
        return None


@dataclass(frozen=True)
class _Entry:
    regular: bool
    object: bytes
    size: int
    name: str


def _tree_entry(line: bytes) -> _Entry:
    """Read a line of ls-tree: mode, type, object and size, a tab, and the name."""
    about, _, raw = line.partition(b"\t")
    mode, _, name, size = about.split()
    path = os.fsdecode(raw)
    # Git itself never creates such names, but a student's repository may contain them.
    if any(part in ("", ".", "..") for part in path.split("/")) or path.count("/") > _DEEPEST_NAME:
        raise UnsafeInputError(f"a file in it has an impossible name ({path!r})")
    regular = mode in (b"100644", b"100755", b"100664")
    return _Entry(regular, name, int(size) if size.isdigit() else 0, path)


def _blob_contents(output: bytes, names: Sequence[str]) -> Iterator[bytes]:
    """Split the output of `cat-file --batch`: a line `OBJECT blob SIZE` before each content, a newline after it."""
    start = 0
    for name in names:
        end = output.index(b"\n", start)
        _, kind, *size = output[start:end].split()
        if kind == b"missing":
            raise UnsafeInputError(
                f"the contents of {quoted(name)} are missing in the Git repository: clone it as a whole"
            )
        if kind != b"blob":
            raise UnsafeInputError("one of its files is no file")
        after = end + 1 + int(size[0])
        yield output[end + 1 : after]
        start = after + 1


def _head(git: Path) -> str | None:
    """Return the checked-out commit, or None before the first commit."""
    head = _small_text(git / "HEAD").strip()
    if _OBJECT.fullmatch(head):
        return head
    name = head.removeprefix("ref: ").strip()
    if not name.startswith("refs/") or ".." in name.split("/"):
        raise UnsafeInputError("its HEAD names no branch")
    if (git / "reftable").exists():
        raise UnsafeInputError("its branches are kept in a form that is not known here (reftable)")
    packed = _packed_branches(git)
    try:
        commit = _small_text(git / name).strip()
    except FileNotFoundError:
        if name not in packed:
            return None
        commit = packed[name]
    if not _OBJECT.fullmatch(commit):
        raise UnsafeInputError(f"its branch {name} names no commit")
    return commit


def _packed_branches(git: Path) -> Mapping[str, str]:
    """Map branches that are stored in one file to their commits."""
    try:
        text = _small_text(git / "packed-refs")
    except FileNotFoundError:
        return {}
    pairs = (line.split(" ") for line in text.splitlines() if line[:1] not in ("#", "^"))
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def _shallow_setting(git: Path) -> Sequence[str]:
    """Tell Git where the history of a shallow clone ends."""
    try:
        _small_text(git / "shallow")
    except FileNotFoundError:
        return ()
    return ("--shallow-file", str((git / "shallow").absolute()))


def _small_text(file: Path) -> str:
    descriptor = os.open(file, READ)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsafeInputError(f"{file.name} in it is no regular file")
        return stream.read(_MAX_BYTES).decode("utf-8", "replace")
