"""Deletes the data that the grader keeps about one student."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from grader.api.course import course_for
from grader.api.request import FilePath
from grader.errors import known_name, reported_as
from grader.files.folder_lock import folder_lock
from grader.files.replace_file import clear_leftovers
from grader.files.scratch import clear_abandoned
from grader.plugins.forgetting.class_files import in_class_folder, traces_in_class_files
from grader.plugins.forgetting.named_in import in_audit_log, in_other_files
from grader.plugins.forgetting.person import Person, person_in, traces_in_reports
from grader.plugins.forgetting.removal import ForgetError, Found, Remainder, Removal
from grader.plugins.forgetting.reports import in_class_reports
from grader.plugins.forgetting.submissions import (
    ReadClass,
    in_submissions,
    read_submissions,
    traces_in_submissions,
)
from grader.plugins.forgetting.team_work import TeamWork, renamed_work
from grader.spec.course import Course
from grader.store.database import default_store, open_rows
from grader.store.stored_rows import Table
from grader.text.names import composed

_OPEN = "`grader serve` has {folder} open, and would go on showing the student: end it first. Nothing is deleted."


@dataclass(frozen=True, kw_only=True)
class ForgetRequest:
    """A student to forget, in one `assignment` or in all.

    `folders` hold submissions and the files about the class, by default submissions/ of the course; the submissions are
    only deleted if `submissions` is set. `further` holds other folders that the grader wrote to.
    """

    student: str
    assignment: str | None = None
    course: Path | None = None
    folders: Sequence[Path] = ()
    reports: Path | None = None
    store: FilePath | None = None
    further: Sequence[Path] = ()
    submissions: bool = False


@dataclass(frozen=True)
class StudentData:
    """Data about a student, in the order of deletion, the data that stays, and the folders that it is in."""

    removals: tuple[Removal, ...]
    remainders: tuple[Remainder, ...]
    folders: tuple[Path, ...]

    def delete(self) -> None:
        """Delete the data, and files that killed runs left in the folder for temporary files.

        Raises FolderTakenError, before anything is deleted, while a server has a class open, and GraderError.
        """
        with ExitStack() as held:
            for folder in self.folders:
                held.enter_context(folder_lock(folder, _OPEN.format(folder=folder)))
            clear_abandoned("grader-")
            for removal in self.removals:
                removal.act()


def student_data(request: ForgetRequest) -> StudentData:
    """Find the data about a student. Raises ForgetError if there is none, GraderError for a faulty file."""
    course = course_for(request.course, Path.cwd())
    folders = request.folders or [folder for folder in [course.folder / "submissions"] if folder.is_dir()]
    for folder in folders:
        if not folder.exists():
            raise ForgetError(f"There is no file or folder {folder}.")
    with reported_as(ForgetError, "Not everything can be read"):
        places = (place for folder in folders for place in _class_folders(course, folder, request.assignment))
        classes = list({place.resolve(): place for place in places}.values())
        everything = list(_everything(request, course, folders, classes))
    return StudentData(
        tuple(item for item in everything if isinstance(item, Removal)),
        tuple(item for item in everything if isinstance(item, Remainder)),
        tuple({place.resolve(): place for place in (course.folder, *classes)}.values()),
    )


def _everything(
    request: ForgetRequest, course: Course, folders: Sequence[Path], classes: Sequence[Path]
) -> Iterator[Found]:
    reports = request.reports or course.folder / "reports"
    traces = [*traces_in_reports(reports), *chain.from_iterable(map(traces_in_class_files, classes))]
    student = composed(request.student)
    read = [item for folder in folders for item in read_submissions(course, folder, request.assignment, student)]
    submissions = read if request.submissions else []
    traces += traces_in_submissions(submissions)
    if request.assignment is not None:
        ids = {*course.assignment_ids(), *(trace.assignment for trace in traces if trace.assignment)}
        known_name(request.assignment, dict.fromkeys(ids), "assignment")
    person = person_in(traces, request.student, request.assignment)
    yield from _in_store(request.store, course, person)
    yield from in_other_files([reports, course.folder / "exports", *request.further], reports, person)
    works = [(item, item.work(person)) for item in read if isinstance(item, ReadClass)]
    yield from _in_classes(classes, person, {item.beside.resolve(): work for item, work in works if work.members})
    yield from in_submissions(submissions, person)
    for item, work in works:
        yield from renamed_work(item.place.folder, work)
    yield from in_class_reports(reports, person)
    yield from in_audit_log(reports, person)


def _class_folders(course: Course, folder: Path, assignment: str | None) -> Iterator[Path]:
    """Yield the folders that may hold files about classes; for an archive, the folder that contains it."""
    outer = folder if folder.is_dir() else folder.parent
    if assignment is None or outer.resolve().name not in {*course.assignment_ids()} - {assignment}:
        yield outer
    for name in course.assignment_ids():
        if assignment in (None, name) and (outer / name).is_dir():
            yield outer / name


def _in_classes(classes: Sequence[Path], person: Person, works: Mapping[Path, TeamWork]) -> Iterator[Found]:
    for folder in classes:
        if any(folder.glob(".grader-*")):
            yield Removal(str(folder), "what killed programs left of earlier contents", partial(_clear, folder))
        yield from in_class_folder(folder, person, works.get(folder.resolve(), TeamWork(())))


def _clear(folder: Path) -> None:
    for file in clear_leftovers(folder):
        raise ForgetError(f"{file} may hold what is nowhere else. Look at it, remove it, and try again.")


def _in_store(named: FilePath | None, course: Course, person: Person) -> Iterator[Found]:
    """Yield rows of the store, including all answers of checkers and past runs, because these do not name students."""
    place = named or default_store(course.folder)
    on_server = "://" in str(place)
    if not on_server and not Path(place).is_file():
        if named is not None:
            raise ForgetError(f"There is no store {place}.")
        return
    with open_rows(place) as rows:
        outcomes = rows.keys(Table.OUTCOMES)
        keys = {
            Table.OUTCOMES: [key for key in outcomes if person.loses(key, alone=named is None)],
            Table.ANSWERS: rows.keys(Table.ANSWERS),
            Table.RUNS: rows.keys(Table.RUNS),
        }

    def act() -> None:
        with open_rows(place) as rows:
            rows.remove(keys)

    what = f"{len(keys[Table.OUTCOMES])} of {len(outcomes)} outcomes, all checkers' answers, the record of runs"
    yield Removal("the store on the server" if on_server else str(place), what, act)
