"""The names that a user may choose from, each taken from where it is registered and looked up only when it is shown."""

from pathlib import Path

from grader.spec.course_folder import CourseError, find_course_folder


def assignment_names() -> list[str]:
    """The assignments of the course around the working folder; none where there is no course."""
    return sorted(file.parent.name for file in _files_of_course("test_specs/*/assignment.yaml"))


def program_names() -> list[str]:
    """The references of the course around the working folder; none where there is no course."""
    return sorted(file.name for file in _files_of_course("reference/*.py"))


def _files_of_course(pattern: str) -> list[Path]:
    try:
        return list(find_course_folder(Path.cwd()).glob(pattern))
    except (CourseError, OSError):
        return []


def download_names() -> list[str]:
    """The formats in which submissions arrive."""
    from grader.platforms import DOWNLOADS

    return list(DOWNLOADS)


def export_names() -> list[str]:
    """What an export can write."""
    from grader.platforms import EXPORTS

    return list(EXPORTS)


def autograder_names() -> list[str]:
    """The platforms that run an autograder."""
    from grader.platforms import STUDENT_EXPORTS

    return list(STUDENT_EXPORTS)


def output_names() -> list[str]:
    """The formats in which results are printed."""
    from grader.reports.output_formats import OUTPUT_FORMATS

    return list(OUTPUT_FORMATS)


def comparison_names() -> list[str]:
    """The formats of a comparison of two runs."""
    from grader.reports.comparison import COMPARISON_FORMATS

    return list(COMPARISON_FORMATS)
