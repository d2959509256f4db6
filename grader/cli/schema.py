"""`grader schema`: JSON Schemas of the YAML files, for editors."""

import sys
from pathlib import Path

from grader.authoring.audit.audit_file import AuditFile
from grader.authoring.seeds.search_file import SeedsFile
from grader.class_files.comments import CommentsFile
from grader.class_files.extensions import ExtensionsFile
from grader.class_files.manual_marks import MarksFile
from grader.class_files.overrides import OverridesFile
from grader.class_files.roster import RosterFile
from grader.config.json_schema import json_schema
from grader.config.validation import SpecModel
from grader.errors import GraderError
from grader.intake.choose_attempt import SubmissionFile
from grader.spec.assignment_file import AssignmentFile
from grader.spec.tests_file import TestsFile

MODELS: dict[str, type[SpecModel]] = {
    "assignment": AssignmentFile,
    "tests": TestsFile,
    "audit": AuditFile,
    "seeds": SeedsFile,
    "extensions": ExtensionsFile,
    "marks": MarksFile,
    "overrides": OverridesFile,
    "comments": CommentsFile,
    "roster": RosterFile,
    "submission": SubmissionFile,
}
"""The kinds of files."""


class SchemaError(GraderError):
    """The schemas cannot be written, or there is none of that name."""


def file_name(kind: str) -> str:
    """The name of the file that a schema is written to."""
    return f"{kind}.schema.json"


def print_schema(kind: str) -> int:
    """Print one schema; returns the exit code."""
    if kind not in MODELS:
        raise SchemaError(f"There is no schema {kind!r}; expected one of: {', '.join(MODELS)}.")
    sys.stdout.write(json_schema(MODELS[kind]))
    return 0


def write_schemas(folder: Path) -> int:
    """Write all schemas into a folder and say where; returns the exit code."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind, model in MODELS.items():
            (folder / file_name(kind)).write_text(json_schema(model), encoding="utf-8")
    except OSError as error:
        raise SchemaError(f"The schemas cannot be written to {folder}: {error.strerror}") from None
    print(f"{len(MODELS)} schemas are in {folder}. The first line of a tests file, for editors:")
    print(f"# yaml-language-server: $schema=../../../{folder.name}/{file_name('tests')}")
    return 0
