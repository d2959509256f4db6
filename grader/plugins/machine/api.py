"""Checks this machine: its protections, the tools of languages, and the Pythons of assignments."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.api.request import Progress, no_progress
from grader.errors import GraderError
from grader.extensions import LANGUAGES, load_group
from grader.model.python_request import PythonInUse, PythonRequest
from grader.run.language import Language
from grader.run.packages import installed_packages
from grader.run.student_python import asked_python, student_python
from grader.run.toolchain import find_tool
from grader.spec.course import Course, CourseError, find_course_folder


@dataclass(frozen=True)
class UsualTools:
    """The installed and the missing tools of languages other than Python."""

    installed: tuple[str, ...]
    missing: tuple[str, ...]


def usual_tools() -> UsualTools:
    """Look for the tools of all languages, and for Valgrind."""
    languages = load_group(LANGUAGES, type).objects.values()
    named = (tool for language in languages if issubclass(language, Language) for tool in language.tools)
    tools = dict.fromkeys((*named, "valgrind"))
    installed = tuple(name for name in tools if find_tool(name) is not None)
    return UsualTools(installed, tuple(name for name in tools if name not in installed))


@dataclass(frozen=True)
class PythonCheck:
    """The Python of an assignment: whether it is available, and a description of that Python or of the fault."""

    assignment: str
    available: bool
    description: str


def install_packages(progress: Progress = no_progress) -> None:
    """Install the packages of the assignments around the working folder. Raises PythonMissingError, SpecError."""
    course = Course(find_course_folder(Path.cwd()))
    for name in course.assignment_ids():
        student_python(course.assignment(name).python, lambda task: progress(task, 0))


def python_checks() -> Iterator[PythonCheck]:
    """Yield the Pythons that the assignments around the working folder require, or none outside a course."""
    try:
        course = Course(find_course_folder(Path.cwd()))
    except CourseError:
        return
    for name in course.assignment_ids():
        try:
            request = course.assignment(name).python
            if request.asks:
                yield PythonCheck(name, available=True, description=_python_words(request))
        except GraderError as error:
            yield PythonCheck(name, available=False, description=str(error))


def _python_words(request: PythonRequest) -> str:
    """Describe the Python and packages that match a request. Raises PythonMissingError."""
    python = asked_python(request)
    words = f"Python {python.version} ({python.executable})"
    if not request.packages:
        return words
    packages = installed_packages(python, request.packages)
    if packages is None:
        return f"{words}; {', '.join(request.packages)}: not installed yet, the first run does that"
    return f"Python {PythonInUse(python.version, packages.versions)} ({packages.folder})"
