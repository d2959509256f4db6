"""Determines which Python runs an assignment's programs, before the first test.

A missing Python is a problem with the course or the machine, never with a submission. The message contains the location
in assignment.yaml, the places searched, and the remedy.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from grader.errors import GraderError, Problem, SessionError, SourceLocation
from grader.model.python_request import PythonRequest
from grader.run.find_python import PythonSearch, StudentPython
from grader.run.packages import PackagesError, install_packages, installed_packages
from grader.run.system import SystemKind

Telling = Callable[[str], AbstractContextManager[object]]
"""A context that is open during a slow operation, given a description of the operation."""

_PACKAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class PythonMissingError(GraderError):
    """This machine lacks the Python or the packages that an assignment requests."""


def student_python(request: PythonRequest, tell: Telling = nullcontext) -> StudentPython:
    """Return the Python that an assignment requests, with its packages. Raises PythonMissingError."""
    return with_packages(asked_python(request), request, tell)


def asked_python(request: PythonRequest) -> StudentPython:
    """Return the Python that an assignment requests, without packages. Raises PythonMissingError."""
    if request.version is None:
        return StudentPython()
    search = PythonSearch(request.version)
    python = search.find()
    if python is None:
        raise PythonMissingError(_at(request.version_location, _not_found(request.version, search)))
    return python


def python_for_check(request: PythonRequest, system: SystemKind) -> StudentPython:
    """Return the Python for a self-check, which accepts a version other than the requested one.

    Without terminals, it is the Python that runs the grader, with its installed packages. Raises PythonMissingError if
    a package is missing.
    """
    if system is SystemKind.PIPES:
        _refuse_missing(request)
        return StudentPython()
    try:
        python = asked_python(request)
    except PythonMissingError:
        python = StudentPython()
    return with_packages(python, request)


def _refuse_missing(request: PythonRequest) -> None:
    from importlib.metadata import distributions

    for requirement in request.packages:
        name = _PACKAGE_NAME.match(requirement)
        if name is not None and not list(distributions(name=name[0])):
            fault = (
                f"{requirement} is not installed, so no test was run. To get it: python -m pip install {requirement!r}"
            )
            raise PythonMissingError(_at(request.packages_location, fault))


def _not_found(version: str, search: PythonSearch) -> str:
    return (
        f"Python {version} is not installed here, so no test was run. Looked at: {', '.join(search.looked_at)}. "
        f"To get it: {how_to_get(version)}"
    )


def how_to_get(version: str) -> str:
    """Return the command that installs a version of Python."""
    return f"uv python install {version} (uv comes with `pip install uv`)"


def with_packages(python: StudentPython, request: PythonRequest, tell: Telling = nullcontext) -> StudentPython:
    """Return this Python with the packages of an assignment, installing them if necessary.

    Raises PythonMissingError.
    """
    if not request.packages:
        return python
    try:
        installed = installed_packages(python, request.packages)
        if installed is None:
            with tell(f"Installing {', '.join(request.packages)} for Python {python.version}"):
                installed = install_packages(python, request.packages)
    except (PackagesError, SessionError) as error:
        names = ", ".join(request.packages)
        fault = (
            f"{names} cannot be installed for Python {python.version}, so no test was run: {error}. "
            "This is no fault of a submission. Without network, name a folder of wheels in PIP_FIND_LINKS"
        )
        raise PythonMissingError(_at(request.packages_location, fault)) from error
    return replace(python, packages=installed)


def _at(location: SourceLocation | None, message: str) -> str:
    return message if location is None else str(Problem(location, message))
