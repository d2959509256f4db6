"""A course: the assignments in its folder, loaded by name."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grader.errors import nearest
from grader.model.assignment import Assignment
from grader.spec.course_folder import CourseError, find_course_folder
from grader.spec.load import load_assignment


@dataclass(frozen=True)
class Course:
    """A folder with `test_specs/` and `reference/`."""

    folder: Path

    @property
    def specs(self) -> Path:
        """The folder that holds one folder per assignment."""
        return self.folder / "test_specs"

    def assignment_ids(self) -> tuple[str, ...]:
        """The names of the assignment folders, sorted."""
        return tuple(sorted(file.parent.name for file in self.specs.glob("*/assignment.yaml")))

    def assignment(self, assignment_id: str) -> Assignment:
        """Load one assignment. Raises CourseError when there is none of that name, SpecError when it is faulty."""
        if assignment_id not in self.assignment_ids():
            hint = nearest(assignment_id, self.assignment_ids())
            raise CourseError(f"There is no assignment `{assignment_id}` in {self.specs}{hint}")
        return load_assignment(self.specs / assignment_id, self.folder / "reference")

    def assignments_that_mention(self, names: Collection[str]) -> tuple[Assignment, ...]:
        """Load the assignments whose `assignment.yaml` holds one of `names` as a text. Raises SpecError."""
        return tuple(
            self.assignment(assignment_id)
            for assignment_id in self.assignment_ids()
            if _mentions(self.specs / assignment_id / "assignment.yaml", names)
        )

    def assignments(self) -> tuple[Assignment, ...]:
        """Load all assignments. Raises CourseError when there is none, SpecError when one is faulty."""
        ids = self.assignment_ids()
        if not ids:
            raise CourseError(f"There is no assignment in {self.specs} (looked for */assignment.yaml)")
        return tuple(self.assignment(assignment_id) for assignment_id in ids)


def _mentions(file: Path, names: Collection[str]) -> bool:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        # Loading it says why it cannot be read.
        return True
    return any(name in text for name in names)


def find_course(start: Path) -> Course:
    """The course in the nearest folder at or above `start`. Raises CourseError when there is none."""
    return Course(find_course_folder(start))
