"""What to start, where, and with which environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Launch:
    """A command: `argv` is run in the folder `workdir` with exactly the variables of `environment`.

    `argv[0]` is the absolute path of the executable. Nothing is inherited from the grader's own environment.
    `report`, if given, is a descriptor of ours that the program gets as number 3.
    """

    argv: tuple[str, ...]
    workdir: Path
    environment: Mapping[str, str]
    report: int | None = None
