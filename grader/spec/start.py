"""The start of programs in YAML files: limits, environment variables, and files of the course.

Course files are in the folder files/ of the assignment. A program sees copies of the files that its test names.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from grader.config.scalars import Line, PathTemplate, VariableName
from grader.config.validation import SpecModel
from grader.errors import nearest, quoted
from grader.files.digest import file_digest
from grader.model.program import CourseFile, Limits

MOST_BYTES = 1 << 50
_PATHS = {"type": "array", "items": {"type": "string"}}
_UPWARDS = re.compile(r"(^|/)\.\.?(/|$)")


class BuildLimitsEntry(SpecModel):
    """What a build may use; a key left out keeps its default."""

    wall_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None
    output_bytes: Annotated[int, Field(ge=1000, le=MOST_BYTES)] | None = None
    memory_bytes: Annotated[int, Field(ge=50_000_000, le=MOST_BYTES)] | None = None
    stack_bytes: Annotated[int, Field(ge=1_000_000, le=MOST_BYTES)] | None = None
    file_bytes: Annotated[int, Field(ge=0, le=MOST_BYTES)] | None = None
    cpu_seconds: Annotated[int, Field(ge=1, le=3600)] | None = None
    open_files: Annotated[int, Field(ge=16, le=4096)] | None = None
    processes: Annotated[int, Field(ge=2, le=4096)] | None = None

    def over(self, limits: Limits) -> Limits:
        """Return the limits with what is said here."""
        return replace(limits, **self.model_dump(exclude_none=True))


class LimitsEntry(BuildLimitsEntry):
    """What one test may use; a key left out keeps its default. Builds have the same disk."""

    disk_bytes: Annotated[int, Field(ge=1_000_000, le=MOST_BYTES)] | None = None


def _as_mapping(value: object) -> object:
    """A list of names stands for files that keep their names."""
    return {name: name for name in value} if isinstance(value, list) else value


Files = Annotated[
    dict[PathTemplate, PathTemplate],
    BeforeValidator(_as_mapping),
    WithJsonSchema({"anyOf": [_PATHS, {"type": "object", "additionalProperties": {"type": "string"}}]}),
]
"""Files in files/ by the names that programs see; a folder stands for all files in it."""


Variables = dict[VariableName, Line]
"""Environment variables by name."""


class NotBesideError(Exception):
    """A file that a test names is missing; the message says which."""


def read_beside(tests_file: Path, folder_name: str, name: str, kind: str) -> bytes:
    """Return the content of the file `name`, in a folder of the assignment of `tests_file`. Raises NotBesideError."""
    folder = tests_file.parent.parent / folder_name
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        hint = nearest(name, (file.name for file in folder.glob("*")))
        raise NotBesideError(f"the {kind} {folder / name} cannot be read ({error.strerror}){hint}") from None


def course_files(folder: Path, named: Mapping[str, str]) -> Iterator[CourseFile]:
    """The files of `folder` that are `named`: each source by the name that programs see. Raises NotBesideError."""
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
