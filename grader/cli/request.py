"""What the user asked of `grader grade`."""

from dataclasses import dataclass
from pathlib import Path

from grader.model.limits import SandboxKind


@dataclass(frozen=True, kw_only=True)
class GradeRequest:
    """The submissions to grade, and what decides how; None stands for the default. `output` names an output format."""

    folder: Path
    assignment: str | None
    course: Path | None
    extensions: Path | None
    marks: Path | None
    reports: Path | None
    sandbox: SandboxKind
    overrides: Path | None = None
    intake: str | None = None
    roster: Path | None = None
    output: str = "text"
