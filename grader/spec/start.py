"""How programs start, as written in YAML files: limits, environment variables, and the files that programs see."""

from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from grader.config.scalars import Line, PathTemplate, VariableName
from grader.config.validation import SpecModel
from grader.model.program import Limits

MAX_BYTES = 1 << 50
_PATHS = {"type": "array", "items": {"type": "string"}}


class BuildLimitsEntry(SpecModel):
    """The limits of a build. Omitted keys keep their defaults."""

    wall_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = None
    """Seconds from start to end. Time during which other programs keep the program from a processor is not
    counted, up to twice the limit. Default: 30.
    """
    output_bytes: Annotated[int, Field(ge=1000, le=MAX_BYTES)] | None = None
    """Bytes of output. Default: 10,000,000."""
    memory_bytes: Annotated[int, Field(ge=50_000_000, le=MAX_BYTES)] | None = None
    """Bytes of memory. Default: 1,073,741,824."""
    stack_bytes: Annotated[int, Field(ge=1_000_000, le=MAX_BYTES)] | None = None
    """Bytes of stack for each process, for large local arrays and deep recursion in C. A program can raise this limit
    itself. Default: 8,388,608, as on most machines.
    """
    file_bytes: Annotated[int, Field(ge=0, le=MAX_BYTES)] | None = None
    """Bytes in each file that the program writes. Default: 67,108,864."""
    cpu_seconds: Annotated[int, Field(ge=1, le=3600)] | None = None
    """Seconds of processor time for each process. Default: twice `wall_seconds` plus ten seconds."""
    open_files: Annotated[int, Field(ge=16, le=4096)] | None = None
    """Open files for each process. Default: 256."""
    processes: Annotated[int, Field(ge=2, le=4096)] | None = None
    """Processes and threads at the same time. Only enforced in a sandbox. Default: 64."""

    def over(self, limits: Limits) -> Limits:
        """Return `limits` with the entry's limits applied."""
        return replace(limits, **self.model_dump(exclude_none=True))


class LimitsEntry(BuildLimitsEntry):
    """The limits of a test. Omitted keys keep their defaults. Builds share the disk limit."""

    disk_bytes: Annotated[int, Field(ge=1_000_000, le=MAX_BYTES)] | None = None
    """Bytes of all files in each folder that the program can write to. Only enforced in a sandbox, except for the
    files that a build leaves. Default: 134,217,728.
    """


def _as_mapping(value: object) -> object:
    """Convert a list of names to a mapping in which files keep their names."""
    return {name: name for name in value} if isinstance(value, list) else value


Files = Annotated[
    dict[PathTemplate, PathTemplate],
    BeforeValidator(_as_mapping),
    WithJsonSchema({"anyOf": [_PATHS, {"type": "object", "additionalProperties": {"type": "string"}}]}),
]
"""Files in files/ by the names that programs see; a folder stands for all its files."""


Variables = dict[VariableName, Line]
"""Environment variables by name."""
