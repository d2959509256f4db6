"""The command that makes a sandbox: bubblewrap's options, and what is seen inside.

Inside there are the system's programs and libraries, the students' interpreter and the submission, all read-only, and
three writable folders of limited size that live in memory. There is no network, no other process, no home folder, and
nothing of the course.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.run.transcript import PYTHON_FOLDER

WORK = PurePosixPath("/work")
SUBMISSION = PurePosixPath("/submission")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The folders of the system that are shown."""


_SETTINGS = (
    *("ld.so.cache", "localtime", "alternatives"),
    *("java-17-openjdk", "java-21-openjdk", "java-11-openjdk"),
    *("fonts", "mime.types", "protocols", "services"),
)
"""What programs and libraries of the system read in /etc, and what says nothing of this machine's users."""


_SEPARATED = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
_NO_ROOM = 4096


@dataclass(frozen=True, kw_only=True)
class SandboxView:
    """The folders that are shown inside.

    `python` is the environment of the interpreter, `installation` the installation behind it, `submission` the copy of
    the submission, or a folder with all copies if one of them is chosen inside, and `etc` a folder with the files
    `passwd` and `group`. `tools` are files and folders of compilers that lie outside the system. `hidden` are folders
    that must not be seen even if they lie below one that is shown. Each of `packages` is a folder and where it is seen
    in the environment.
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

    The sandbox ends with the thread that starts it.
    """
    return [bubblewrap, *_SEPARATED, "--as-pid-1", "--die-with-parent", *_show_all(view, disk_bytes), *inner]


def template_command(bubblewrap: str, view: SandboxView, inner: Sequence[str]) -> list[str]:
    """Return the command that runs `inner` where it can make sandboxes of itself, see `server/template.py`.

    It keeps the right to mount, so no program of a submission may ever run in it.
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
    # Else it is the terminal of the first process, where one test could leave words or settings for the next.
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
    """Make the folders above one that is shown; made in passing they would be closed to everyone but root."""
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
