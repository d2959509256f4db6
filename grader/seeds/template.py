"""Tests as patterns for others: what a test says in its file, beside what it means."""

from dataclasses import dataclass

from grader.spec.assignment import Assignment, Test
from grader.spec.comparison import EXACT
from grader.spec.document import Data, read_document
from grader.spec.files import TestsFile
from grader.spec.loops import tests_of
from grader.spec.validate import validate

_COPIED = ("compare", "checker", "checker_options", "echo", "exit_status", "edition")


@dataclass(frozen=True)
class Template:
    """A test, and the keys as they are written in its file that a test like it must have too."""

    test: Test
    keys: dict[str, Data]


def templates(assignment: Assignment) -> dict[str, Template]:
    """The tests of an assignment by their ids. Raises SpecError."""
    tests = {test.id: test for test in assignment.tests}
    found = {}
    for file in sorted((assignment.folder / "tests").glob("[!.]*.yaml")):
        document = read_document(file)
        for test, (_, index) in tests_of(validate(document, TestsFile), document, EXACT):
            assert isinstance(document.data, dict)
            entries = document.data["tests"]
            assert isinstance(entries, list)
            assert isinstance(index, int)
            entry = entries[index]
            assert isinstance(entry, dict)
            said = {**document.data, **entry}
            found[test.id] = Template(tests[test.id], {key: said[key] for key in _COPIED if key in said})
    return found
