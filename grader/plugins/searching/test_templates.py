"""Tests as templates of further tests, and digests that show whether two tests do the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.config.validation import validate
from grader.config.yaml_reader import YamlData, read_document
from grader.files.digest import digest
from grader.model.assignment import Assignment
from grader.model.test import Test
from grader.spec.loops import TestDefaults, tests_of
from grader.spec.tests_file import TestsFile

_COPIED = (
    "compare",
    "checker",
    "checker_options",
    "echo",
    "exit_status",
    "may_leave_input",
    "args",
    "environment",
    "files",
    "limits",
    "edition",
)


@dataclass(frozen=True)
class TestTemplate:
    """A test, with the keys of its entry that a similar test must also have."""

    test: Test
    keys: dict[str, YamlData]


def templates(assignment: Assignment, copied_too: Sequence[str] = ()) -> dict[str, TestTemplate]:
    """Map each id of an assignment's tests to its template; `copied_too` are further keys to copy.

    Raises SpecError.
    """
    tests = {test.id: test for test in assignment.tests}
    by_id = {}
    for file in sorted((assignment.folder / "tests").glob("[!.]*.yaml")):
        validated = validate(read_document(file), TestsFile)
        for test, (_, index) in tests_of(validated.content, validated.document, TestDefaults()):
            # A validated file is a mapping with a list of mappings.
            content: Any = validated.document.data
            values = {**content, **content["tests"][index]}
            by_id[test.id] = TestTemplate(
                tests[test.id], {key: values[key] for key in (*_COPIED, *copied_too) if key in values}
            )
    return by_id


def action_digest(test: Test) -> str:
    """Return the digest of what a test does, regardless of its name and points."""
    parts = (test.interaction, test.ending, test.start, test.comparison, test.provision, test.checker)
    return digest([test.program, type(test.interaction).__name__, *parts])
