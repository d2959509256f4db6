"""An assignment whose tests state all their expected results, so that no correct program is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePosixPath

from grader.config.yaml_writer import Writable
from grader.plugins.importing.course_draft import (
    PART,
    AssignmentDraft,
    CourseDraft,
    ImportedAssignment,
    ImportingError,
)

ANYTHING: Mapping[str, Writable] = {"expect": [{"matches": ""}]}
"""The keys of a test that only checks how the program ends."""

_JAVA: Mapping[str, Writable] = {"memory_bytes": 2 << 30, "processes": 256}
"""The limits that a Java virtual machine needs."""


class InexpressibleError(Exception):
    """Something cannot be expressed here; the message says why."""


@dataclass(frozen=True, kw_only=True)
class StatedAssignment:
    """An assignment of several programs, by the file that is handed in; each test names its `program`.

    `solution` is a file or folder with correct programs, which becomes the reference for trying the tests.
    """

    draft: CourseDraft
    title: str
    due: date
    programs: Mapping[str, Mapping[str, Writable]]
    tests: Sequence[Mapping[str, Writable]]
    groups: Sequence[Mapping[str, Writable]] = ()
    further_files: tuple[str, ...] = ()
    solution: Path | None = None
    more: Mapping[str, Writable] = field(default_factory=dict)
    defaults: Mapping[str, Writable] = field(default_factory=dict)

    def write(self, course: Path) -> ImportedAssignment:
        """Write the course. Raises ImportingError if there is no test, or a file already exists."""
        if not self.tests:
            raise ImportingError("\n".join([f"{self.draft.source}: nothing can be said here.", *self.draft.notes]))
        marks = sum(
            (Decimal(str(item["points"])) for item in (*self.tests, *self.groups) if "points" in item), Decimal(0)
        )
        needed = dict.fromkeys(str(test["program"]) for test in self.tests)
        first, *others = (self._with_reference(name, self.programs[name]) for name in needed)
        assignment = AssignmentDraft(
            draft=self.draft,
            title=self.title,
            program=first,
            others=others,
            further_files=self.further_files,
            marks=marks,
            due=self.due,
            limits=_JAVA if any(name.endswith(".java") for name in needed) else {},
            more=self.more,
        )
        assignment.add(self.tests, [{**group, "part": PART} for group in self.groups], self.defaults)
        self._add_solution(list(needed))
        self.draft.note_points(marks)
        return self.draft.write(course, len(self.tests))

    def _with_reference(self, name: str, keys: Mapping[str, Writable]) -> dict[str, Writable]:
        """Return the entry of a program, whose reference gets a name that no other assignment uses."""
        entry: dict[str, Writable] = {"file": name, **keys}
        if self._solution_of(name) is not None and not name.endswith(".java"):
            entry["reference"] = f"{self.draft.id}-{PurePosixPath(name).name}"
        return entry

    def _solution_of(self, name: str) -> Path | None:
        """Return the correct program for `name`, if there is one."""
        if self.solution is None:
            return None
        if self.solution.is_file():
            return self.solution if self.solution.suffix == PurePosixPath(name).suffix else None
        return next((file for file in sorted(self.solution.rglob(PurePosixPath(name).name)) if file.is_file()), None)

    def _add_solution(self, names: Sequence[str]) -> None:
        """Add the correct programs as references, and as a submission that must pass."""
        solutions = {name: file for name in names if (file := self._solution_of(name)) is not None}
        for name, file in solutions.items():
            plain = PurePosixPath(name).name
            self.draft.add(f"reference/{plain if name.endswith('.java') else f'{self.draft.id}-{plain}'}", file)
        if solutions:
            self.draft.add_labelled("accepted", "solution", solutions)
        missing = [name for name in names if name not in solutions]
        if missing:
            self.draft.note(
                f"No correct program was given for {', '.join(missing)} (--solution): its tests were not tried."
            )
