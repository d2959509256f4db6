"""A course: the assignments in its folder, loaded by name."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import GraderError, nearest

if TYPE_CHECKING:
    from grader.model.assignment import Assignment


class CourseError(GraderError):
    """The course folder, or an assignment in it, cannot be found."""


def load_now(folder: Path, references: Path) -> "Assignment":
    """Load the assignment in `folder`. Raises SpecError."""
    # Importing the modules for reading takes half the time of a short check, which may have a cached assignment.
    from grader.spec.load import load_assignment

    return load_assignment(folder, references)


@dataclass(frozen=True)
class Course:
    """A folder with `test_specs/` and `reference/`; `load` reads an assignment from its folder and the references."""

    folder: Path
    load: "Callable[[Path, Path], Assignment]" = load_now

    @property
    def specs(self) -> Path:
        """The folder that contains a folder per assignment."""
        return self.folder / "test_specs"

    def assignment_ids(self) -> tuple[str, ...]:
        """Return the names of the assignment folders, sorted."""
        return tuple(sorted(file.parent.name for file in self.specs.glob("*/assignment.yaml")))

    def assignment(self, assignment_id: str) -> "Assignment":
        """Load an assignment. Raises CourseError if it does not exist, and SpecError if it is faulty."""
        if assignment_id not in self.assignment_ids():
            hint = nearest(assignment_id, self.assignment_ids())
            raise CourseError(f"There is no assignment `{assignment_id}` in {self.specs}{hint}")
        return self.load(self.specs / assignment_id, self.folder / "reference")

    def assignments_that_mention(self, names: Collection[str]) -> "tuple[Assignment, ...]":
        """Load the assignments whose `assignment.yaml` contains any of `names`. Raises SpecError."""
        return tuple(
            self.assignment(assignment_id)
            for assignment_id in self.assignment_ids()
            if _mentions(self.specs / assignment_id / "assignment.yaml", names)
        )

    def assignments(self) -> "tuple[Assignment, ...]":
        """Load all assignments. Raises CourseError if the course is empty, and SpecError if one is faulty."""
        ids = self.assignment_ids()
        if not ids:
            raise CourseError(f"There is no assignment in {self.specs} (looked for */assignment.yaml)")
        return tuple(self.assignment(assignment_id) for assignment_id in ids)


def _mentions(file: Path, names: Collection[str]) -> bool:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        # Loading the file reports why it cannot be read.
        return True
    return any(name in text for name in names)


def find_course_folder(start: Path) -> Path:
    """Return the nearest folder at or above `start` that contains `test_specs/`.

    Raises CourseError if no such folder exists.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / "test_specs").is_dir():
            return folder
    raise CourseError(
        f"No course folder at or above {start}: expected a folder with `test_specs/` in it. "
        "Go to the course folder, or name it with --course."
    )


def course_folder_for(named: Path | None, path: Path) -> Path:
    """Return the course specified by the user, or the one around the working directory, or the one around `path`.

    Raises CourseError if none of them exists.
    """
    if named is not None:
        return find_course_folder(named)
    try:
        return find_course_folder(Path.cwd())
    except CourseError:
        return find_course_folder(path)
