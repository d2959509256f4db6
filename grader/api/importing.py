"""Makes course folders of what other systems have."""

from datetime import date, timedelta
from pathlib import Path

from grader.api.course import load
from grader.api.request import FilePath
from grader.importers.course_draft import ImportedAssignment, safe_name
from grader.importers.kattis.convert import import_kattis as make_of_kattis

_TIME_TO_HAND_IN = timedelta(days=14)


def import_kattis(package: FilePath, *, into: FilePath | None = None, id: str | None = None) -> ImportedAssignment:
    """Make an assignment of a problem package of Kattis, in the course folder `into`; default: `ID-course`, here.

    Raises ImportingError when it cannot be said here, SpecError when a file of it is no YAML.
    """
    source = Path(package).resolve()
    name = id or safe_name(source.name)
    return _loaded(make_of_kattis(source, _course(into, name), id=name, due=_due()))


def _course(into: FilePath | None, name: str) -> Path:
    return Path(f"{name}-course" if into is None else into)


def _due() -> date:
    return date.today() + _TIME_TO_HAND_IN


def _loaded(made: ImportedAssignment) -> ImportedAssignment:
    """The assignment, once it was read as any other is. Raises SpecError when it cannot be."""
    load(made.id, made.course)
    return made
