"""The files about a class that people write: extensions, marks by hand, overrides, comments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.class_files import comments, extensions, manual_marks, overrides, roster
from grader.class_files.comments import read_comments
from grader.class_files.extensions import read_extensions
from grader.class_files.manual_marks import read_manual_marks
from grader.class_files.overrides import NO_OVERRIDES, Overrides, read_overrides
from grader.class_files.roster import Roster, read_roster
from grader.cli.request import GradeRequest
from grader.errors import Problem, SourceLocation, SpecError
from grader.grading.student_result import student_result
from grader.model.assignment import Assignment
from grader.model.mark import NO_EXTENSION, NO_EXTENSIONS, NOBODY_MARKED, NOT_MARKED, ClassExtensions, MarkedByHand
from grader.model.results import GradedSubmission
from grader.model.student_result import GroupComment, StudentResult


@dataclass(frozen=True)
class ClassFiles:
    """What the files say; what is not there says nothing."""

    extensions: ClassExtensions
    by_hand: MarkedByHand
    overrides: Overrides
    comments: tuple[GroupComment, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """For the instructor."""
        return (*self.extensions.notes, *self.by_hand.notes, *self.overrides.notes)

    def due(self, assignment: Assignment, student: str) -> datetime:
        """The due date of a student."""
        return self.extensions.of.get(student, NO_EXTENSION).due or assignment.due

    def row(self, assignment: Assignment, graded: GradedSubmission) -> StudentResult:
        """The row of a student."""
        student = graded.submission.student
        by_hand = self.by_hand.marks.get(student, NOT_MARKED)
        return student_result(assignment, graded, self.extensions.of, by_hand, self.overrides.of.get(student, ()))


def read_class_files(
    request: GradeRequest, folder: Path, assignment: Assignment, students: Sequence[str]
) -> ClassFiles:
    """Read the files that the request names, or else those beside the submissions in `folder`.

    Raises SpecError when one is faulty, or when one is there as YAML and as CSV.
    """
    granted = _file(request.extensions, folder, extensions.FILE_NAMES)
    marked = _file(request.marks, folder, manual_marks.FILE_NAMES)
    decided = _file(request.overrides, folder, overrides.FILE_NAMES)
    return ClassFiles(
        read_extensions(granted, assignment.zone, students) if granted else NO_EXTENSIONS,
        read_manual_marks(marked, assignment, students) if marked else NOBODY_MARKED,
        read_overrides(decided, assignment, students) if decided else NO_OVERRIDES,
        read_comments(said) if (said := folder / comments.FILE_NAME).exists() else (),
    )


def read_class_roster(request: GradeRequest, folder: Path) -> Roster | None:
    """The roster that the request names, or else the one beside the submissions in `folder`. Raises SpecError."""
    file = _file(request.roster, folder, roster.FILE_NAMES)
    return read_roster(file) if file else None


def _file(named: Path | None, folder: Path, names: Sequence[str]) -> Path | None:
    if named is not None:
        return named
    files = [folder / name for name in names if (folder / name).exists()]
    if len(files) > 1:
        raise SpecError(
            [Problem(SourceLocation(files[1], 1, 1), f"there is {files[0].name} too; expected one of them")]
        )
    return files[0] if files else None
