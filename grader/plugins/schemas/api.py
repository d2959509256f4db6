"""JSON Schemas of the YAML files that people write, for editors."""

from pathlib import Path

from grader.api.request import FilePath
from grader.class_files.comments import CommentsFile
from grader.class_files.extensions import ExtensionsFile
from grader.class_files.manual_marks import MarksFile
from grader.class_files.overrides import OverridesFile
from grader.class_files.requests import RequestsFile
from grader.class_files.roster import RosterFile
from grader.config.validation import SpecModel
from grader.errors import GraderError, reported_as
from grader.extensions import SCHEMAS, extensions
from grader.intake.choose_attempt import SubmissionFile
from grader.plugins.schemas.json_schema import json_schema
from grader.spec.assignment_file import AssignmentFile
from grader.spec.tests_file import TestsFile

SCHEMA_MODELS: dict[str, type[SpecModel]] = {
    "assignment": AssignmentFile,
    "tests": TestsFile,
    "extensions": ExtensionsFile,
    "marks": MarksFile,
    "overrides": OverridesFile,
    "comments": CommentsFile,
    "requests": RequestsFile,
    "roster": RosterFile,
    "submission": SubmissionFile,
}
"""The kinds of YAML files of the core that people write, by the name of the schema."""


class SchemaError(GraderError):
    """The schemas cannot be written, or the requested schema does not exist."""


def schema(kind: str) -> str:
    """Return the JSON Schema of a kind of YAML file. Raises SchemaError for an unknown kind."""
    if kind in SCHEMA_MODELS:
        return json_schema(SCHEMA_MODELS[kind])
    if kind in (others := extensions(SCHEMAS)):
        return json_schema(others[kind].load(type))
    raise SchemaError(f"There is no schema {kind!r}; expected one of: {', '.join(_schema_kinds())}.")


def _schema_kinds() -> dict[str, None]:
    """Return the kinds of the core, then the kinds of plugins."""
    return dict.fromkeys((*SCHEMA_MODELS, *extensions(SCHEMAS)))


def schema_file(kind: str) -> str:
    """Return the name of the file for a schema."""
    return f"{kind}.schema.json"


def write_schemas(folder: FilePath) -> tuple[Path, ...]:
    """Write all schemas into a folder and return the files. Raises SchemaError if they cannot be written."""
    with reported_as(SchemaError, f"The schemas cannot be written to {folder}"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        written = []
        for kind in _schema_kinds():
            file = Path(folder) / schema_file(kind)
            file.write_text(schema(kind), encoding="utf-8")
            written.append(file)
    return tuple(written)
