"""What the user asked of `grader grade`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from grader.model.limits import SandboxKind


class OutputFormat(StrEnum):
    """How results are printed.

    TEXT is for people. JSON: a line per class, as in results.json. GITHUB: workflow commands, and a job summary.
    """

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


@dataclass(frozen=True, kw_only=True)
class GradeRequest:
    """The submissions to grade, and what decides how; None stands for the default."""

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
    output: OutputFormat = OutputFormat.TEXT
