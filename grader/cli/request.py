"""What the user asked of `grader grade`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from grader.intake.kinds.kind import IntakeKind


class SandboxKind(StrEnum):
    """What programs are kept in."""

    BWRAP = "bwrap"
    NONE = "none"


@dataclass(frozen=True)
class Request:
    """The submissions to grade, and what decides how; None stands for the default."""

    folder: Path
    assignment: str | None
    course: Path | None
    extensions: Path | None
    marks: Path | None
    reports: Path | None
    sandbox: SandboxKind
    overrides: Path | None = None
    intake: IntakeKind | None = None
    roster: Path | None = None
