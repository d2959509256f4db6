"""Manages a sandbox's folders: the submission is read once, laid out for each test, and removed afterwards."""

from __future__ import annotations

import marshal
import os
import stat

from confinement import LIBC, MS_NODEV, MS_NOSUID, mount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Set

SUBMISSION = "/submission"
WORK = "/work"
WRITABLE = (WORK, "/tmp", "/dev/shm")
PAGE = 4096
MNT_DETACH = 2
# Each file takes up kernel memory beyond the size of the folder, as do extended attributes.
MAX_FILES = 20_000


class FolderContent:
    """A folder's content: the names of its subfolders, and its files by name with bytes and mode."""

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.files: dict[str, tuple[bytes, int]] = {}


class KeptFolders:
    """The contents of folders in an unnamed file, outside the memory of processes, which tests may be able to read.

    `places` maps names to the offset and size of each content in the file.
    """

    def __init__(self) -> None:
        self._file = os.memfd_create("kept")
        self.places: dict[str, tuple[int, int]] = {}

    @property
    def size(self) -> int:
        """The size of the file."""
        return os.fstat(self._file).st_size

    def write(self, content: FolderContent) -> None:
        """Append a folder's content to the file. Raises OSError."""
        data = memoryview(marshal.dumps((content.folders, content.files)))
        while data:
            data = data[os.pwrite(self._file, data, self.size) :]

    def content(self, name: str) -> FolderContent:
        """Return the content stored under this name."""
        start, size = self.places[name]
        content = FolderContent()
        # Only `write` creates this content.
        content.folders, content.files = marshal.loads(os.pread(self._file, size, start))  # noqa: S302
        return content


def read_folder(top: str, most_bytes: int) -> FolderContent:
    """Return the folders and regular files below `top`. Raises OSError if they exceed `most_bytes`."""
    content = FolderContent()
    pages = most_bytes // PAGE
    for entries in walk(top, raise_error):
        pages -= sum(entry.is_dir() for entry in entries)
        for entry in entries:
            name = os.path.relpath(entry.path, top)
            if entry.is_dir(follow_symlinks=False):
                content.folders.append(name)
            if not entry.is_file(follow_symlinks=False):
                continue
            status = entry.stat(follow_symlinks=False)
            pages -= status.st_size // PAGE + 1
            if pages < 0:
                raise OSError(f"they need more than {most_bytes} bytes")
            with open(entry.path, "rb") as file:
                mode = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
                content.files[name] = (file.read(), mode)
    return content


def walk(top: str, failed: Callable[[OSError], object]) -> Iterator[list[os.DirEntry[str]]]:
    """Yield the entries of a folder and of all folders below it; call `failed` for unreadable folders.

    Unlike `os.walk` in older versions of Python, the depth is unlimited.
    """
    waiting = [top]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                listed = list(entries)
        except OSError as error:
            failed(error)
            continue
        waiting += [entry.path for entry in listed if entry.is_dir(follow_symlinks=False)]
        yield listed


def raise_error(error: OSError) -> None:
    """Raise `error`."""
    raise error


def lay_out(folder: FolderContent, replaced: Set[str]) -> None:
    """Copy folders and files into the working folder, except those in the way of the files in `replaced`."""
    above = {parent for name in replaced for parent in _parents(name)}
    for name in folder.folders:
        if replaced.isdisjoint((name, *_parents(name))):
            os.mkdir(f"{WORK}/{name}")
    for name, (content, mode) in folder.files.items():
        if name in above or not replaced.isdisjoint((name, *_parents(name))):
            continue
        # Content that does not fit raises an error, but only after as much as possible has been written.
        with open(new_file(name, mode), "wb") as file:
            file.write(content)


def _parents(name: str) -> Iterator[str]:
    """Yield the folders that hold a file or folder, innermost first."""
    while name := os.path.dirname(name):
        yield name


def new_file(name: str, mode: int) -> int:
    """Create a file and its parent folders in the working folder; return its descriptor."""
    os.makedirs(os.path.dirname(f"{WORK}/{name}"), exist_ok=True)
    return os.open(f"{WORK}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)


def lay_out_from(source: int, sizes: dict[str, int]) -> None:
    """Copy files that are concatenated in `source` to the working folder.

    Their content never enters this process's memory, which later tests inherit.
    """
    os.lseek(source, 0, os.SEEK_SET)
    for name, size in sizes.items():
        target = new_file(name, 0o644)
        try:
            while size > 0:
                size -= os.sendfile(target, source, None, size)
        finally:
            os.close(target)


def copy_files(names: list[str], target: int) -> None:
    """Copy files in the working folder to `target`, each as a line with its size followed by its content."""
    for name in names:
        path = f"{WORK}/{name}"
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            os.write(target, b"-1\n")
            continue
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode) and os.path.realpath(path) == path:
            os.write(target, b"%d\n" % status.st_size)
            remaining = status.st_size
            while remaining:
                remaining -= os.sendfile(target, descriptor, None, remaining)
        else:
            os.write(target, b"-1\n")
        os.close(descriptor)


def is_cut(file_bytes: int) -> bool:
    """Return whether a writable folder is full, or contains a file of exactly the maximum size.

    A larger file must have been submitted, because programs cannot write it.
    """
    return any(is_full(top) or holds_file_of_size(top, file_bytes) for top in WRITABLE)


def is_full(top: str) -> bool:
    """Return whether a folder has no room for another byte or another file."""
    room = os.statvfs(top)
    return room.f_bavail == 0 or room.f_ffree == 0


def holds_file_of_size(top: str, file_bytes: int) -> bool:
    """Return whether a folder contains a regular file of this size at any depth."""
    for entries in walk(top, lambda _: None):
        for entry in entries:
            try:
                if entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_size == file_bytes:
                    return True
            except OSError:
                continue
    return False


def new_folders(disk_bytes: int) -> None:
    """Replace each writable folder with an empty one that does not reveal its previous content.

    If the system does not allow mounting, the folders are emptied, and only inode numbers show that they were used.
    """
    for top in WRITABLE:
        try:
            LIBC.umount2(top.encode(), MNT_DETACH)
            mount("tmpfs", top, MS_NOSUID | MS_NODEV, f"size={disk_bytes},nr_inodes={MAX_FILES},mode=0777")
        except PermissionError:
            empty_folder(top)


def empty_folder(top: str) -> None:
    """Empty a folder. Inner folders are moved up before they are emptied, so that paths never get too long."""
    number = 0
    if os.stat(top).st_uid == os.getuid():
        os.chmod(top, 0o700)
    for name in os.listxattr(top):
        os.removexattr(top, name)
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder) as entries:
            listed = list(entries)
        for entry in listed:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
            elif not remove_empty(entry.path):
                number += 1
                moved = f"{top}/.{number}.{os.urandom(8).hex()}"
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, moved)
                waiting.append(moved)
        if folder != top:
            os.rmdir(folder)


def remove_empty(folder: str) -> bool:
    """Remove a folder if it is empty, as most are when a program creates many; return whether that succeeded."""
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True
