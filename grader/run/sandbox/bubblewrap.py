"""Builds the command that creates a sandbox: the options for bubblewrap, and the files visible inside.

The sandbox contains the system's programs and libraries, the students' interpreter and the submission, all read-only,
and three writable folders of limited size in memory. It does not contain a network, other processes, a home folder or
anything from the course.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.run.transcript import PYTHON_FOLDER

WORK = PurePosixPath("/work")
SUBMISSION = PurePosixPath("/submission")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The system folders that are visible."""


_SETTINGS = (
    *("ld.so.cache", "localtime", "alternatives"),
    *("java-17-openjdk", "java-21-openjdk", "java-11-openjdk"),
    *("fonts", "mime.types", "protocols", "services"),
)
"""The files in /etc that programs and libraries read and that do not reveal anything about this machine's users."""


_SEPARATED = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
_NO_ROOM = 4096


@dataclass(frozen=True, kw_only=True)
class SandboxView:
    """The folders shown inside a sandbox.

    `python` is the interpreter's environment, `installation` is the installation behind it, `submission` is the copy of
    the submission, or a folder with all copies if one of them is chosen inside, and `etc` is a folder with the files
    `passwd` and `group`. `tools` lists files and folders of compilers outside the system folders. `hidden` lists
    folders that must not be visible even if they are below a folder that is shown. `packages` lists folders with their
    paths inside the environment.
    """

    python: Path
    installation: Path
    submission: Path
    etc: Path
    tools: tuple[Path, ...]
    hidden: tuple[Path, ...]
    packages: tuple[tuple[Path, Path], ...] = ()


def bubblewrap_command(bubblewrap: str, view: SandboxView, disk_bytes: int, inner: Sequence[str]) -> list[str]:
    """Return the command that runs `inner` as the first process of a sandbox.

    The sandbox ends with the thread that started it.
    """
    return [bubblewrap, *_SEPARATED, "--as-pid-1", "--die-with-parent", *_show_all(view, disk_bytes), *inner]


def template_command(bubblewrap: str, view: SandboxView, inner: Sequence[str]) -> list[str]:
    """Return the command that runs `inner` in a place where it can create sandboxes; see `server/template.py`.

    That process keeps the right to mount file systems, so it must never run a submitted program.
    """
    root = () if os.geteuid() == 0 else ("--unshare-user", "--uid", "0", "--gid", "0")
    rights = (*root, "--cap-add", "ALL")
    return [bubblewrap, *_SEPARATED, "--as-pid-1", *rights, *_show_all(view, _NO_ROOM), *inner]


def _show_all(view: SandboxView, disk_bytes: int) -> Iterator[str]:
    yield from _show_system()
    yield from _show(view.installation)
    for tool in view.tools:
        yield from _show(tool)
    yield from _hide_folders(view)
    yield from ("--dir", str(PYTHON_FOLDER.parent))
    yield from ("--ro-bind", str(view.python), str(PYTHON_FOLDER))
    for packages, place in view.packages:
        yield from ("--ro-bind", str(packages), str(PYTHON_FOLDER / place))
    yield from ("--ro-bind", str(view.submission), str(SUBMISSION))
    yield from ("--proc", "/proc", "--dev", "/dev")
    # Otherwise it would be the first process's terminal, where one test could leave text or settings for the next.
    yield from ("--dev-bind", "/dev/null", "/dev/console")
    for folder in ("/tmp", "/dev/shm", str(WORK)):
        yield from ("--perms", "0777", "--size", str(disk_bytes), "--tmpfs", folder)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")
    yield from ("--chdir", "/", "--")


def _show_system() -> Iterator[str]:
    for name in SYSTEM:
        if os.path.islink(name):
            yield from ("--symlink", os.readlink(name), name)
        elif os.path.isdir(name):
            yield from ("--ro-bind", name, name)
    yield from ("--dir", "/etc")
    for name in _SETTINGS:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def _show(path: Path) -> Iterator[str]:
    yield from _make_parents(path)
    yield from ("--ro-bind", str(path), str(path))


def _make_parents(folder: Path) -> Iterator[str]:
    """Create the folders above a folder that is shown.

    If bubblewrap created them implicitly, only root could enter them.
    """
    for parent in reversed(folder.parents):
        if not _is_below(parent, (Path("/usr"),)) and parent != Path("/"):
            yield from ("--dir", str(parent))


def _hide_folders(view: SandboxView) -> Iterator[str]:
    shown = (*(Path(name) for name in SYSTEM), view.installation, *view.tools)
    for folder in view.hidden:
        if _is_below(folder.resolve(), shown):
            yield from ("--tmpfs", str(folder.resolve()))
    for name in ("passwd", "group"):
        yield from ("--ro-bind", str(view.etc / name), f"/etc/{name}")


def _is_below(folder: Path, tops: Sequence[Path]) -> bool:
    return any(folder == top or top in folder.parents for top in tops)
