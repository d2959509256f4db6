"""What the shell offers when a user presses the tab key."""

from pathlib import Path


def assignment_ids(incomplete: str) -> list[str]:
    """The assignments of the course around the working folder."""
    from grader.spec.course_folder import CourseError, find_course_folder

    try:
        specs = find_course_folder(Path.cwd()) / "test_specs"
    except (CourseError, OSError):
        return []
    ids = sorted(file.parent.name for file in specs.glob("*/assignment.yaml"))
    return [name for name in ids if name.startswith(incomplete)]


def program_names(incomplete: str) -> list[str]:
    """The references of the course around the working folder; where there is none, the shell offers files."""
    from grader.spec.course_folder import CourseError, find_course_folder

    try:
        references = find_course_folder(Path.cwd()) / "reference"
    except (CourseError, OSError):
        return []
    return sorted(file.name for file in references.glob("*.py") if file.name.startswith(incomplete))


def files(incomplete: str) -> list[str]:  # noqa: ARG001
    """Nothing of ours: all shells then offer files, and know best how to quote their names."""
    return []
