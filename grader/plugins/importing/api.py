"""Makes course folders from the data of other systems."""

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

from grader.api.course import load
from grader.api.request import FilePath
from grader.plugins.importing.check50.convert import import_check50 as make_of_check50
from grader.plugins.importing.classroom.convert import import_classroom as make_of_classroom
from grader.plugins.importing.course_draft import ImportedAssignment as ImportedAssignment
from grader.plugins.importing.course_draft import ImportingError, safe_name
from grader.plugins.importing.gradescope.convert import import_gradescope as make_of_gradescope
from grader.plugins.importing.kattis.convert import import_kattis as make_of_kattis
from grader.plugins.importing.sessions import import_session as make_of_session
from grader.plugins.importing.tested.convert import SuiteChoice
from grader.plugins.importing.tested.convert import import_tested as make_of_tested
from grader.plugins.importing.transcripts import import_transcripts as make_of_transcripts

_TIME_TO_HAND_IN = timedelta(days=14)


def import_check50(
    problem: FilePath, *, solution: FilePath | None = None, into: FilePath | None = None, name: str | None = None
) -> ImportedAssignment:
    """Make an assignment from a problem of check50, in the course folder `into`, by default `ID-course` here.

    `solution` is a file or folder with correct programs. Raises ImportingError if no check can be expressed here.
    """
    source, assignment_id = _source(problem, name)
    correct = _existing(solution)
    course = _course(into, assignment_id)
    return _loaded(make_of_check50(source, course, name=assignment_id, due=_due(), solution=correct))


def import_classroom(
    repository: FilePath,
    *,
    solution: FilePath | None = None,
    program: str | None = None,
    into: FilePath | None = None,
    name: str | None = None,
) -> ImportedAssignment:
    """Make an assignment from a repository of GitHub Classroom, in the course `into`, by default `ID-course` here.

    `solution` is a file or folder with correct programs, `program` the file that students hand in, by default the files
    that commands start. Raises ImportingError if no test can be expressed here, or SpecError if a file is not YAML.
    """
    source, assignment_id = _source(repository, name)
    correct = _existing(solution)
    course = _course(into, assignment_id)
    return _loaded(make_of_classroom(source, course, name=assignment_id, due=_due(), solution=correct, program=program))


def import_gradescope(
    autograder: FilePath,
    *,
    solution: FilePath | None = None,
    program: str | None = None,
    into: FilePath | None = None,
    name: str | None = None,
) -> ImportedAssignment:
    """Make an assignment from an autograder of Gradescope, in the course folder `into`, by default `ID-course` here.

    `solution` is a file or folder with correct programs, `program` the file that students hand in, by default the one
    that tests import. Raises ImportingError if no test can be expressed here.
    """
    source, assignment_id = _source(autograder, name)
    correct = _existing(solution)
    course = _course(into, assignment_id)
    return _loaded(
        make_of_gradescope(source, course, name=assignment_id, due=_due(), solution=correct, program=program)
    )


def import_kattis(package: FilePath, *, into: FilePath | None = None, name: str | None = None) -> ImportedAssignment:
    """Make an assignment from a Kattis problem package, in the course folder `into`, by default `ID-course` here.

    Raises ImportingError if it cannot be expressed here, or SpecError if one of its files is not YAML.
    """
    source, assignment_id = _source(package, name)
    return _loaded(make_of_kattis(source, _course(into, assignment_id), name=assignment_id, due=_due()))


def import_session(
    file: FilePath,
    *,
    solution: FilePath,
    lines: Sequence[str] = (),
    into: FilePath | None = None,
    name: str | None = None,
) -> ImportedAssignment:
    """Make an assignment from printed sample sessions, in the course folder `into`, by default `ID-course` here.

    `lines` are ranges such as `40-95`, by default all blocks of a page, or the whole file. The solution is run to find
    out which text was typed. Raises ImportingError.
    """
    sample, correct = _existing(file), _existing(solution)
    if sample is None or correct is None or not (sample.is_file() and correct.is_file()):
        raise ImportingError(f"{file} and {solution} must be files.")
    assignment_id = name or safe_name(sample.stem)
    course = _course(into, assignment_id)
    return _loaded(make_of_session(sample, course, name=assignment_id, due=_due(), solution=correct, lines=lines))


def import_tested(
    exercise: FilePath,
    *,
    suite: str | None = None,
    solution: str | None = None,
    language: str | None = None,
    into: FilePath | None = None,
    name: str | None = None,
) -> ImportedAssignment:
    """Make an assignment from an exercise of TESTed; `suite` is a file in its folder evaluation/.

    `solution` is the program in its folder solution/ that becomes the reference, by default chosen by name. Functions
    are called in `language`: `python`, `c`, `cpp` or `java`, by default the language stated in config.json, or Python.
    Raises the same errors as `import_kattis`.
    """
    source, assignment_id = _source(exercise, name)
    choice = SuiteChoice(suite, solution, language)
    return _loaded(make_of_tested(source, _course(into, assignment_id), name=assignment_id, due=_due(), choice=choice))


def import_transcripts(
    folder: FilePath,
    *,
    solution: FilePath | None = None,
    patterns: tuple[str, str] | None = None,
    into: FilePath | None = None,
    name: str | None = None,
) -> ImportedAssignment:
    """Make an assignment from recorded runs, with or without a correct program. Raises the errors of `import_kattis`.

    `patterns` are the names of inputs and outputs, such as `("*/input", "*/output")`, by default the usual suffixes.
    """
    source, assignment_id = _source(folder, name)
    program, course = Path(solution) if solution is not None else None, _course(into, assignment_id)
    return _loaded(
        make_of_transcripts(source, course, name=assignment_id, due=_due(), solution=program, patterns=patterns)
    )


def _source(path: FilePath, name: str | None) -> tuple[Path, str]:
    """Return the folder and the name of the assignment."""
    source = Path(path).resolve()
    if not source.is_dir():
        raise ImportingError(f"{path} is no folder.")
    return source, name or safe_name(source.name)


def _existing(path: FilePath | None) -> Path | None:
    """Return the path. Raises ImportingError if it does not exist."""
    if path is not None and not Path(path).exists():
        raise ImportingError(f"{path} is not there.")
    return None if path is None else Path(path).resolve()


def _course(into: FilePath | None, name: str) -> Path:
    return Path(f"{name}-course" if into is None else into)


def _due() -> date:
    return date.today() + _TIME_TO_HAND_IN


def _loaded(imported: ImportedAssignment) -> ImportedAssignment:
    """Load the assignment like any other, to prove that it can be read. Raises SpecError."""
    load(imported.id, imported.course)
    return imported
