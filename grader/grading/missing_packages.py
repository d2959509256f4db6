"""Tells the instructor which packages a class's programs import although they are not installed."""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from grader.judge.stack_trace import telling_traceback
from grader.model.assignment import Assignment
from grader.model.interaction import PluginInteraction
from grader.model.judgement import Verdict
from grader.model.python_request import PythonRequest
from grader.model.results import GradedSubmission, TestResult
from grader.model.submission import Submission
from grader.text.words import pluralize

_SLIP = 0.8
"""The minimum similarity for a name to be a likely misspelling of another. Their lengths must be similar too, unlike
those of `game` and `pygame`.
"""


_IMPORT = re.compile(r"(?:import|from)\s+(\w+)")
_FILE_OR_FOLDER = re.compile(r"\b(\w+)(?=[/.]\w)")
_NAMES_FOR_PIP = {
    "Crypto": "pycryptodome",
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "PyYAML",
}


def missing_modules(graded: GradedSubmission) -> frozenset[str]:
    """Return the names of missing modules that made tests fail."""
    return frozenset(name for result in graded.results if (name := _missing_module(result)))


def _missing_module(result: TestResult) -> str | None:
    test, outcome = result.test, result.outcome
    if result.verdict is Verdict.PASSED or outcome is None or test.recipe is not None:
        return None
    code = test.interaction.failed_import(outcome) if isinstance(test.interaction, PluginInteraction) else ""
    if match := _IMPORT.match(code):
        return match[1]
    traceback = telling_traceback(test, outcome.errors or outcome.transcript)
    return None if traceback is None else traceback.missing_module


def package_notes(assignment: Assignment, missing: Iterable[tuple[Submission, frozenset[str]]]) -> tuple[str, ...]:
    """Return a note for each missing package that submissions import, most imported first.

    Modules that belong to Python, the course or the student are not packages, and neither are misspelt names of the
    latter two.
    """
    course = frozenset(_modules_of_course(assignment))
    declared = {canonicalize_name(Requirement(package).name) for package in assignment.python.packages}
    imports: set[tuple[str, str]] = set()
    for submission, modules in missing:
        # Notes mention files that were submitted but not used.
        names = "\n".join((*(file.name for file in submission.files), *submission.unused, *submission.notes))
        known_names = course.union(_FILE_OR_FOLDER.findall(names))
        imports.update((module, submission.student) for module in modules if _is_package(module, known_names))
    students = Counter(module for module, _ in imports)
    modules_by_demand = sorted(students, key=lambda module: (-students[module], module))
    return tuple(
        _note(assignment.python, module, students[module])
        for module in modules_by_demand
        if canonicalize_name(_NAMES_FOR_PIP.get(module, module)) not in declared
    )


def _modules_of_course(assignment: Assignment) -> Iterator[str]:
    yield from (module.source.stem for module in assignment.provided)
    yield from (Path(module.file).stem for module in assignment.provided)
    for program in assignment.programs:
        yield from (Path(name).stem for name in program.names)
        yield from (file.stem for file in program.reference.parent.glob("*.py"))
    for test in assignment.tests:
        yield from (Path(file.name).parts[0].removesuffix(".py") for file in test.start.files)
        if isinstance(test.interaction, PluginInteraction):
            yield from (Path(module).stem for module in test.interaction.modules)


def _is_package(module: str, known_names: frozenset[str]) -> bool:
    """Return whether a missing module is neither a misspelt name nor a standard module of Python 3 or 2."""
    if module.casefold() in sys.stdlib_module_names or module in sys.stdlib_module_names:
        return False
    alike = [name for name in known_names if abs(len(name) - len(module)) <= 1]
    return not get_close_matches(module, alike, n=1, cutoff=_SLIP)


def _note(python: PythonRequest, module: str, count: int) -> str:
    package = _NAMES_FOR_PIP.get(module, module)
    remedy = f"add `{package}` to `packages`" if python.packages else f"write `packages: [{package}]`"
    verb = "imports" if count == 1 else "import"
    return (
        f"{pluralize(count, 'student')} {verb} {module}, which is not there; "
        f"if programs may use it, {remedy} in assignment.yaml"
    )
