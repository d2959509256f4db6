"""assignment.yaml and the file with the tests of an imported assignment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

from grader.config.yaml_writer import Writable
from grader.importers.course_draft import CourseDraft
from grader.importers.programs import ProgramSet

PART = "program"
"""The one part of an imported assignment."""


@dataclass(frozen=True, kw_only=True)
class AssignmentDraft:
    """What assignment.yaml is to say; `more` are keys that few assignments have."""

    draft: CourseDraft
    title: str
    programs: ProgramSet
    marks: Decimal
    due: date
    limits: Mapping[str, Writable] = field(default_factory=dict)
    more: Mapping[str, Writable] = field(default_factory=dict)

    def add(
        self,
        tests: Sequence[Mapping[str, Writable]],
        groups: Sequence[Mapping[str, Writable]] = (),
        defaults: Mapping[str, Writable] | None = None,
    ) -> None:
        """Put both files into the draft; `defaults` hold for all tests."""
        entry: dict[str, Writable] = {
            "format": 1,
            "id": self.draft.id,
            "title": self.title,
            "programs": [self.programs.entry],
        }
        if self.programs.patterns:
            entry["further_files"] = list(self.programs.patterns)
        entry["parts"] = [{"id": PART, "title": self.title, "marks": f"{self.marks:f}"}]
        if groups:
            entry["groups"] = list(groups)
        entry |= {"due": f"{self.due.isoformat()} 23:59", "time_zone": "UTC"}
        if self.limits:
            entry["limits"] = self.limits
        self.draft.add_yaml("assignment.yaml", {**entry, **self.more})
        self.draft.note(f"The due date is {self.due.isoformat()} 23:59 UTC; change it in assignment.yaml.")
        file: dict[str, Writable] = {"format": 1, "program": str(self.programs.entry["file"]), "part": PART}
        self.draft.add_yaml("tests/tests.yaml", {**file, **(defaults or {}), "tests": list(tests)})


def test_files(draft: CourseDraft, test: str, files: Sequence[tuple[str, Path]]) -> dict[str, Writable]:
    """Files that a program finds beside it in one test, by the names that it sees."""
    named: dict[str, Writable] = {}
    for name, file in files:
        draft.add_own(f"files/{test}/{name}", file)
        named[name] = f"{test}/{name}"
    return named
