"""Reads the course files that a test refers to, which are in folders of the assignment.

Programs see copies of the files in files/.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.errors import nearest, quoted
from grader.files.digest import file_digest
from grader.model.program import CourseFile

_UPWARDS = re.compile(r"(^|/)\.\.?(/|$)")


class NotBesideError(Exception):
    """A file that a test refers to is missing; the message says which one."""


def read_beside(tests_file: Path, folder_name: str, name: str, kind: str) -> bytes:
    """Return the content of the file `name` in the folder `folder_name` of the assignment of `tests_file`.

    Raises NotBesideError.
    """
    folder = tests_file.parent.parent / folder_name
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        hint = nearest(name, (file.name for file in folder.glob("*")))
        raise NotBesideError(f"the {kind} {folder / name} cannot be read ({error.strerror}){hint}") from None


def course_files(folder: Path, named: Mapping[str, str]) -> Iterator[CourseFile]:
    """Yield the `named` files in `folder`: each source by the name that programs see. Raises NotBesideError."""
    for name, source in named.items():
        path = folder / source
        if _UPWARDS.search(source) or _UPWARDS.search(name) or not path.exists():
            file_names = [str(file.relative_to(folder)) for file in sorted(folder.rglob("*"))]
            raise NotBesideError(f"there is no file {quoted(source)} in {folder}{nearest(source, file_names)}")
        if path.is_dir():
            inner = (file for file in sorted(path.rglob("*")) if file.is_file())
            yield from (_course_file(f"{name}/{file.relative_to(path).as_posix()}", file) for file in inner)
        else:
            yield _course_file(name, path)


def _course_file(name: str, file: Path) -> CourseFile:
    try:
        return CourseFile(name, file_digest(file), file)
    except OSError as error:
        raise NotBesideError(f"the file {file} cannot be read ({error.strerror or error})") from None
