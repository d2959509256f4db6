"""Folders as other systems have them, made for a test."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.api.grade import grade
from grader.config.yaml_reader import read_document
from grader.plugins.importing.course_draft import ImportedAssignment
from grader.plugins.scaffolding.author import generate

ADD = "import sys\n\nprint(sum(map(int, sys.stdin.read().split())))\n"
ADD_DIGITS = "print(sum(map(int, input().split())) % 10)\n"


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def verdicts(made: ImportedAssignment) -> dict[str, list[str]]:
    """The verdicts of every labelled program, after the references have answered."""
    list(generate([made.id], course=made.course))
    graded = grade(made.course / "submissions" / made.id, course=made.course, assignment=made.id)
    return {row.student: [str(result.verdict) for result in row.graded.results] for row in graded.rows}


def marks(made: ImportedAssignment) -> dict[str, str]:
    """The points of every labelled program."""
    graded = grade(made.course / "submissions" / made.id, course=made.course, assignment=made.id)
    return {row.student: f"{row.graded.raw:f}" for row in graded.rows}


def written(made: ImportedAssignment, name: str) -> dict[str, Any]:
    """What is in a YAML file of the assignment."""
    data: Any = read_document(made.course / "test_specs" / made.id / name).data
    return dict(data)
