"""What a student handed in, where a class lies in a folder."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from grader.api.course import ClassPlace, classes_in
from grader.api.request import GradeOptions
from grader.class_files.all_files import read_class_roster
from grader.errors import GraderError
from grader.files.scratch import scratch_folder
from grader.intake.attempt import ArchiveContents, Attempt, Contents, FileContents, FolderContents, UnpackSettings
from grader.intake.class_folder import is_archive, open_class
from grader.intake.download_format import read_class
from grader.intake.match_files import submission_requirements
from grader.intake.plain_folder import INSTRUCTORS
from grader.platforms import recognised_formats
from grader.plugins.forgetting.class_files import CLASS_FILES
from grader.plugins.forgetting.person import Person, Trace
from grader.plugins.forgetting.removal import Found, Remainder, Removal, removed_path
from grader.spec.course import Course


def traces_in_submissions(course: Course, folder: Path, assignment: str | None) -> Iterator[Trace]:
    """Yield the students who handed in, as far as it can be read."""
    with suppress(GraderError):
        for place in classes_in(course, assignment, folder):
            if not is_archive(place.folder):
                yield from (Trace(arrival.student, place.assignment.id) for arrival in _arrivals(place))


def in_submissions(course: Course, folder: Path, assignment: str | None, person: Person) -> Iterator[Found]:
    """Yield what the student handed in; what others handed in as well stays, such as that of a team.

    A download has other files too, such as texts typed on the platform: those that name the student are for a person.
    """
    student = person.student
    try:
        places = list(classes_in(course, assignment, folder))
    except GraderError as error:
        yield Remainder(f"no submission is deleted: {error}")
        return
    for place in places:
        if is_archive(place.folder):
            yield Remainder(f"{place.folder} is one archive: take what {student} handed in out of it by hand")
        else:
            removals = list(_in_class(place, student))
            yield from removals
            gone = [Path(removal.place) for removal in removals if isinstance(removal, Removal)]
            yield from _still_named(place.folder, gone, person)


def _arrivals(place: ClassPlace) -> Sequence[Attempt]:
    """Read what each student handed in. Raises GraderError."""
    requirements = submission_requirements(place.assignment)
    with scratch_folder("grader-intake-") as unpacked:
        space = UnpackSettings(Path(unpacked), requirements.limits, requirements.zone)
        where = open_class(place.folder, space, requirements.names)
        roster = read_class_roster(GradeOptions(), where.beside)
        return read_class(where, requirements, space, recognised_formats(), roster=roster).arrivals


def _in_class(place: ClassPlace, student: str) -> Iterator[Found]:
    try:
        arrivals = _arrivals(place)
    except GraderError as error:
        yield Remainder(f"no submission in {place.folder} is deleted: {error}")
        return
    handed_in = {path for arrival in arrivals if arrival.student == student for path in _paths(arrival.contents)}
    others = {path for arrival in arrivals if arrival.student != student for path in _paths(arrival.contents)}
    for arrival in arrivals:
        if arrival.student == student and arrival.source and not _paths(arrival.contents):
            yield Remainder(f"{place.folder / arrival.source}: delete it by hand")
    for path in dict.fromkeys(_whole(path, place.folder, others) for path in sorted(handed_in)):
        if path in others:
            yield Remainder(f"{path} stays, because others handed it in too")
        else:
            yield removed_path(path, "what was handed in")


def _still_named(folder: Path, gone: list[Path], person: Person) -> Iterator[Remainder]:
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in CLASS_FILES):
        if any(file.is_relative_to(path) for path in gone):
            continue
        if person.is_named_in(f"{file.relative_to(folder)}\n{file.read_bytes().decode(errors='replace')}"):
            yield Remainder(f"{file} names {person.student}; look at it, and delete it by hand")


def _paths(contents: Contents) -> list[Path]:
    match contents:
        case FolderContents(folder=folder):
            return [folder]
        case FileContents(found=files, folders=folders):
            return [*(file.path for file in files), *folders]
        case ArchiveContents(archive=archive):
            return [archive]
        case _:
            return []


def _whole(path: Path, folder: Path, others: set[Path]) -> Path:
    """Return the highest folder around `path` in the class that holds nothing of others, or `path` itself."""
    for outer in reversed([parent for parent in path.parents if folder in parent.parents]):
        if not any(
            other.is_relative_to(outer)
            for other in others | {outer / name for name in INSTRUCTORS if (outer / name).exists()}
        ):
            return outer
    return path
