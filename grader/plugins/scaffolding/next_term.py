"""Copies a course for the next term: the instructor's files with new dates, without anything about students."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from grader.class_files import extensions, manual_marks, overrides, requests, roster
from grader.class_files.comments import COMMENTS_FILE
from grader.config.yaml_reader import read_text
from grader.errors import reported_as
from grader.plugins.scaffolding.moved_dates import FileDate, dates_in, doubt_about
from grader.plugins.scaffolding.old_term import known_seeds, old_names
from grader.plugins.scaffolding.scaffold import ScaffoldError, make_course
from grader.plugins.scaffolding.yaml_edits import Edit, edited, places
from grader.text.words import some_of

_FOLDERS = ("test_specs", "reference", "checkers", "interactors")
_FILES = ("term.yaml", ".gitignore")
_ABOUT_STUDENTS = (
    *(*extensions.FILE_NAMES, *manual_marks.FILE_NAMES, *overrides.FILE_NAMES, *roster.FILE_NAMES),
    *(COMMENTS_FILE, requests.FILE_NAME, "submissions", "reports", "exports"),
)
_MADE_AGAIN = ("__pycache__", "*.pyc", "*.pyz", ".git", ".grader")
_STAYS = frozenset(("submissions", "reports", "exports"))
_MAX_NAMED = 12
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class NewTerm:
    """A copied course: the dates with their new local times, and notes for a person."""

    folder: Path
    dates: Sequence[tuple[FileDate, datetime]]
    to_look_at: Sequence[str]


def weeks_until(starts: date, dates: Sequence[FileDate]) -> int:
    """Return by how many weeks to move dates, so that the first due date is on `starts` or less than a week later."""
    first = min((each.local.date() for each in dates if each.key == "due"), default=starts)
    return -((first - starts) // _WEEK)


def copy_course(course: Path, folder: Path, dates: Sequence[FileDate], by: timedelta) -> NewTerm:
    """Copy a course to `folder`, which is new or empty, and move its dates. Raises ScaffoldError, SpecError."""
    _refuse(course, folder)
    moved = [(each, each.moved(by)) for each in dates]
    texts = dict(_edited_texts(course, dates, by))
    with reported_as(ScaffoldError, f"The course cannot be copied to {folder}"):
        for name in _FOLDERS:
            if (course / name).is_dir():
                shutil.copytree(
                    course / name,
                    folder / name,
                    ignore=shutil.ignore_patterns(*_ABOUT_STUDENTS, *_MADE_AGAIN),
                    copy_function=lambda source, copy: _copy(Path(source), Path(copy), texts),
                )
        for name in _FILES:
            if (course / name).is_file():
                _copy(course / name, folder / name, texts)
        list(make_course(folder))
        return NewTerm(folder, moved, tuple(_to_look_at(course, folder, moved, texts)))


def dates_of(course: Path) -> list[FileDate]:
    """Return the dates of all assignments. Raises SpecError."""
    return [each for file in sorted((course / "test_specs").glob("*/assignment.yaml")) for each in dates_in(file)]


def _refuse(course: Path, folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ScaffoldError(f"{folder} is there already; nothing was changed. Name a new folder.")
    for name in _FOLDERS:
        if folder.resolve().is_relative_to((course / name).resolve()):
            raise ScaffoldError(f"{folder} lies in {course / name}, which is copied. Name a folder elsewhere.")


def _edited_texts(course: Path, dates: Sequence[FileDate], by: timedelta) -> Iterator[tuple[Path, str]]:
    """Yield the changed files with their new texts."""
    for file in dict.fromkeys(each.file for each in dates):
        yield file, edited(read_text(file), (each.edit(by) for each in dates if each.file == file))
    term = course / "term.yaml"
    if term.is_file():
        text = read_text(term)
        extra = [place for place in places(term, text) if place.steps == ("late_days", "extra")]
        if extra:
            yield term, edited(text, (Edit(place.start, place.end, "[]") for place in extra))


def _copy(source: Path, copy: Path, texts: Mapping[Path, str]) -> None:
    if source in texts:
        copy.write_bytes(texts[source].encode())
    else:
        shutil.copy2(source, copy)


def _to_look_at(
    course: Path, folder: Path, moved: Sequence[tuple[FileDate, datetime]], texts: Mapping[Path, str]
) -> Iterator[str]:
    now = datetime.now()
    for each, local in moved:
        doubt = doubt_about(local, each.zone, now)
        if doubt:
            yield f"{each.file.relative_to(course)}:{each.line}: {local:%A %Y-%m-%d %H:%M} {doubt}"
    years = {each.local.year for each, _ in moved} - {local.year for _, local in moved}
    yield from old_names(folder, years)
    yield from known_seeds(folder / "test_specs")
    if course / "term.yaml" in texts:
        yield "term.yaml: the late days of single students were left out"
    taken = {*_FOLDERS, *_FILES, *_STAYS}
    others = sorted(path.name for path in course.iterdir() if path.name not in taken and path.name[0] != ".")
    if others:
        yield f"not copied, as the grader does not read it: {some_of(others, _MAX_NAMED)}"
    yield "bundles that were handed out know the old tests and dates: make them anew with `grader bundle`"
