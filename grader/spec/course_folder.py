"""Finds the course folder, without the imports that reading a course takes."""

from pathlib import Path

from grader.errors import GraderError


class CourseError(GraderError):
    """The course folder, or an assignment in it, cannot be found."""


def find_course_folder(start: Path) -> Path:
    """The nearest folder at or above `start` that has `test_specs/`. Raises CourseError when there is none."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / "test_specs").is_dir():
            return folder
    raise CourseError(
        f"No course folder at or above {start}: expected a folder with `test_specs/` in it. "
        "Go to the course folder, or name it with --course."
    )


def course_folder_for(named: Path | None, path: Path) -> Path:
    """The course the user named, or the one around the working folder, or the one around `path`.

    Raises CourseError when there is none.
    """
    if named is not None:
        return find_course_folder(named)
    try:
        return find_course_folder(Path.cwd())
    except CourseError:
        return find_course_folder(path)
