"""The submissions of a student in a class folder."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.api.class_reading import handed_in
from grader.api.course import ClassPlace, classes_in
from grader.errors import GraderError
from grader.files.scratch import scratch_folder
from grader.intake.attempt import ArchiveContents, Attempt, Contents, FileContents, FolderContents
from grader.intake.class_folder import is_archive
from grader.intake.plain_folder import INSTRUCTORS
from grader.plugins.forgetting.class_files import CLASS_FILES
from grader.plugins.forgetting.person import Person, Trace
from grader.plugins.forgetting.removal import Found, Remainder, Removal, removed_path
from grader.plugins.forgetting.team_work import TeamWork, team_work
from grader.spec.course import Course


@dataclass(frozen=True)
class ReadClass:
    """A class in a folder: the folder with the files about it, the submitted attempts, and the teams."""

    place: ClassPlace
    beside: Path
    attempts: Sequence[Attempt]
    teams: Sequence[Sequence[str]]

    def work(self, person: Person) -> TeamWork:
        """Return the part that the student's team keeps."""
        return team_work(self.place.folder, self.attempts, self.teams, person)


def read_submissions(
    course: Course, folder: Path, assignment: str | None, student: str
) -> Iterator[ReadClass | Remainder]:
    """Read each class in a folder; an unreadable class is left for a person to check."""
    try:
        places = list(classes_in(course, assignment, folder))
    except GraderError as error:
        yield Remainder(f"no submission is deleted: {error}")
        return
    for place in places:
        if is_archive(place.folder):
            yield Remainder(f"{place.folder} is one archive: take what {student} handed in out of it by hand")
            continue
        try:
            yield _read_attempts(place)
        except GraderError as error:
            yield Remainder(f"no submission in {place.folder} is deleted: {error}")


def traces_in_submissions(classes: Iterable[ReadClass | Remainder]) -> Iterator[Trace]:
    """Yield the students who submitted something."""
    for item in classes:
        if isinstance(item, ReadClass):
            yield from (Trace(attempt.student, item.place.assignment.id) for attempt in item.attempts)


def in_submissions(classes: Iterable[ReadClass | Remainder], person: Person) -> Iterator[Found]:
    """Yield the student's submissions; files that others also submitted, such as a team's files, stay.

    A download also contains files that are not submissions, such as text typed on the platform. If such a file names
    the student, it is left for a person to check.
    """
    for item in classes:
        if isinstance(item, Remainder):
            yield item
            continue
        work = item.work(person)
        removals = list(_removals_in_class(item, person.student, work))
        yield from removals
        gone = [Path(removal.place) for removal in removals if isinstance(removal, Removal)]
        yield from _still_named(item.place.folder, gone, person, work)


def _read_attempts(place: ClassPlace) -> ReadClass:
    """Read the submissions of each student. Raises GraderError."""
    with scratch_folder("grader-intake-") as unpacked:
        read = handed_in(place.assignment, place.folder, Path(unpacked))
    return ReadClass(place, read.beside, read.received.arrivals, read.received.teams)


def _removals_in_class(read: ReadClass, student: str, work: TeamWork) -> Iterator[Found]:
    place, arrivals = read.place, read.attempts
    handed_in = {path for arrival in arrivals if arrival.student == student for path in _paths_of(arrival.contents)}
    others = {path for arrival in arrivals if arrival.student != student for path in _paths_of(arrival.contents)}
    for arrival in arrivals:
        if arrival.student == student and arrival.source and not _paths_of(arrival.contents):
            yield Remainder(f"{place.folder / arrival.source}: delete it by hand")
    for path in dict.fromkeys(_largest_own_folder(path, place.folder, others) for path in sorted(handed_in)):
        if path in others and path.relative_to(place.folder).parts[0] in work.renamed:
            continue
        if path in others:
            yield Remainder(f"{path} stays, because others handed it in too")
        else:
            yield removed_path(path, "what was handed in")


def _still_named(folder: Path, gone: list[Path], person: Person, work: TeamWork) -> Iterator[Remainder]:
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in CLASS_FILES):
        if any(file.is_relative_to(path) for path in gone):
            continue
        first, *rest = file.relative_to(folder).parts
        name = Path(work.renamed.get(first, first), *rest)
        if person.is_named_in(f"{name}\n{file.read_bytes().decode(errors='replace')}"):
            yield Remainder(f"{folder / name} names {person.student}; look at it, and delete it by hand")


def _paths_of(contents: Contents) -> list[Path]:
    match contents:
        case FolderContents(folder=folder):
            return [folder]
        case FileContents(found=files, folders=folders):
            return [*(file.path for file in files), *folders]
        case ArchiveContents(archive=archive):
            return [archive]
        case _:
            return []


def _largest_own_folder(path: Path, folder: Path, others: set[Path]) -> Path:
    """Return the highest folder of the class around `path` that has nothing by other students, or `path` itself."""
    for outer in reversed([parent for parent in path.parents if folder in parent.parents]):
        if not any(
            neighbour.is_relative_to(outer)
            for neighbour in others | {outer / name for name in INSTRUCTORS if (outer / name).exists()}
        ):
            return outer
    return path
