"""What grading needs of the machine: the backend that runs tests, and the outcomes of earlier runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.api.request import GradeOptions, Progress, no_progress
from grader.errors import GraderError
from grader.extensions import CLUSTERS, LANGUAGES, extension, load_group
from grader.grading.backend import Backend, ClusterKind, LocalBackend
from grader.grading.result_cache import OutcomeSource, ResultCache
from grader.model.assignment import Assignment
from grader.model.program import PythonInUse, PythonRequest, SandboxKind
from grader.run.environment import RunEnvironment
from grader.run.error_finder import missing_finder
from grader.run.language import Language
from grader.run.packages import installed_packages
from grader.run.run_slots import TESTS_PER_CORE, cores
from grader.run.sandbox.protection import ProtectionCheck, protections
from grader.run.student_python import asked_python, student_python
from grader.run.toolchain import find_tool
from grader.spec.course import Course, CourseError, find_course_folder
from grader.store.database import ResultStore
from grader.store.provenance import harness_identity, run_identity


@contextmanager
def open_backend(options: GradeOptions, hidden: tuple[Path, ...]) -> Iterator[Backend]:
    """Open what runs the programs of a class, which must not see the folders `hidden`. Raises GraderError."""
    if options.cluster is None:
        yield local_backend(options.sandbox, hidden, options.jobs)
        return
    if options.jobs is not None:
        raise GraderError("--jobs is for this machine; with --cluster the threads of the workers say how many sessions")
    scheme = options.cluster.partition(":")[0]
    kind = extension(CLUSTERS, scheme, f"--cluster {options.cluster!r}").load(ClusterKind)
    with kind.open(options.cluster, options.sandbox, hidden) as backend:
        yield backend


def local_backend(sandbox: SandboxKind, hidden: tuple[Path, ...], jobs: int | None = None) -> LocalBackend:
    """Return this machine as the backend; programs must not see the folders `hidden`."""
    return LocalBackend(sandbox, jobs or TESTS_PER_CORE * cores(), hidden)


@contextmanager
def open_outcomes(
    assignment: Assignment, backend: LocalBackend, store: ResultStore, progress: Progress
) -> Iterator[tuple[RunEnvironment, OutcomeSource]]:
    """Open where programs of the assignment run, and the outcomes, which are in the store or kept there."""
    python = student_python(assignment.python, lambda task: progress(task, 0))
    harness = run_identity(harness_identity(backend.sandbox), python.identity())
    with backend.open_environment(python) as environment:
        yield environment, OutcomeSource(environment, ResultCache(store, harness))


@dataclass(frozen=True)
class UsualTools:
    """The tools of other languages than Python that are installed here, and those that are not."""

    found: tuple[str, ...]
    missing: tuple[str, ...]


def usual_tools() -> UsualTools:
    """Return the tools of all languages, and those that look for errors."""
    languages = load_group(LANGUAGES, type).objects.values()
    named = (tool for language in languages if issubclass(language, Language) for tool in language.tools)
    tools = dict.fromkeys((*named, "valgrind"))
    installed = tuple(name for name in tools if find_tool(name) is not None)
    return UsualTools(installed, tuple(name for name in tools if name not in installed))


def refuse_missing_finders(assignment: Assignment) -> None:
    """Raise GraderError if a program of the assignment is to run under what is not installed here."""
    own_recipes = (test.recipe for test in assignment.tests)
    others = (alternative.recipe for program in assignment.programs for alternative in program.alternatives)
    for recipe in (*own_recipes, *others):
        fault = missing_finder(recipe)
        if fault is not None:
            raise GraderError(f"{assignment.id} cannot be graded here: {fault}")


def machine_protections() -> tuple[ProtectionCheck, ...]:
    """Return the protections against harmful submissions on this machine, and why there are no more."""
    return protections()


@dataclass(frozen=True)
class PythonCheck:
    """Whether the Python that an assignment asks for is here, and in words what was found."""

    assignment: str
    available: bool
    found: str


def install_packages(progress: Progress = no_progress) -> None:
    """Install the packages of the assignments around the working folder. Raises PythonMissingError, SpecError."""
    course = Course(find_course_folder(Path.cwd()))
    for name in course.assignment_ids():
        student_python(course.assignment(name).python, lambda task: progress(task, 0))


def python_checks() -> Iterator[PythonCheck]:
    """Yield the Pythons that the assignments around the working folder ask for; none where there is no course."""
    try:
        course = Course(find_course_folder(Path.cwd()))
    except CourseError:
        return
    for name in course.assignment_ids():
        try:
            request = course.assignment(name).python
            if request.asks:
                yield PythonCheck(name, available=True, found=_python_words(request))
        except GraderError as error:
            yield PythonCheck(name, available=False, found=str(error))


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
