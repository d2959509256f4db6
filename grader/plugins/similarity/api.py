"""Finds programs of a class that have much in common."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.api.class_reading import handed_in
from grader.api.course import classes_in, course_for
from grader.api.request import FilePath, Progress, no_progress
from grader.files.scratch import scratch_folder
from grader.model.assignment import Assignment
from grader.model.results import ClassResult
from grader.model.submission import Submission, SubmittedFile
from grader.plugins.similarity.fingerprints import ProgramSource, SimilarPair, similar_pairs
from grader.plugins.similarity.pages import SimilaritySearch, write_similar
from grader.reports.write import sole_writer


@dataclass(frozen=True, kw_only=True)
class SimilarityOptions:
    """The criteria for similarity.

    `earlier` holds submissions of earlier classes, and `base` holds files that all students received. A pair counts if
    at least `min_percent` of one program occurs in the other; passages of more than `max_programs` students do not
    count.
    """

    earlier: Sequence[Path] = ()
    base: Sequence[Path] = ()
    min_percent: float = 60
    max_programs: int = 10


@dataclass(frozen=True)
class SimilarPrograms:
    """The pairs of similar programs of one class, the search for them, and notes on programs that were skipped."""

    assignment: Assignment
    pairs: tuple[SimilarPair, ...]
    search: SimilaritySearch
    notes: tuple[str, ...] = ()


def similar(
    folder: FilePath,
    *,
    course: FilePath | None = None,
    assignment: str | None = None,
    options: SimilarityOptions = SimilarityOptions(),
    progress: Progress = no_progress,
) -> Iterator[SimilarPrograms]:
    """Look for programs that have much in common in each class in `folder`. Raises GraderError."""
    course_of_class = course_for(Path(course) if course is not None else None, Path(folder))
    for place in classes_in(course_of_class, assignment, Path(folder), progress):
        assignment_of_class, class_folder = place.assignment, place.folder
        with progress(f"Reading the submissions of {assignment_of_class.id}", 0):
            sources = _sources(assignment_of_class, class_folder, earlier=False)
            for earlier in options.earlier:
                sources += _sources(assignment_of_class, earlier, earlier=True)
        with progress(f"Comparing the programs of {assignment_of_class.id}", 0):
            notes: list[str] = []
            pairs = _pairs(assignment_of_class, sources, options, notes.append)
        given = [file.name for file in _handed_out_files(assignment_of_class, options)]
        search = SimilaritySearch(options.min_percent, options.max_programs, given)
        yield SimilarPrograms(assignment_of_class, tuple(pairs), search, tuple(notes))


def similar_in_class(graded: ClassResult, progress: Progress = no_progress) -> list[SimilarPair]:
    """Return the pairs of programs of a graded class that have much in common. Raises SimilarError."""
    sources = _programs(graded.assignment, (row.graded.submission for row in graded.rows), earlier=False)
    with progress(f"Comparing the programs of {graded.assignment.id}", 0):
        return _pairs(graded.assignment, sources, SimilarityOptions())


def _sources(assignment: Assignment, path: Path, *, earlier: bool) -> list[ProgramSource]:
    """Return the programs of the class at `path`."""
    with scratch_folder("grader-intake-") as unpacked:
        submissions = handed_in(assignment, path, Path(unpacked)).submissions()
        return _programs(assignment, submissions.submissions, earlier=earlier)


def _programs(assignment: Assignment, submissions: Iterable[Submission], *, earlier: bool) -> list[ProgramSource]:
    """Return the programs in submissions, and further files in the language of one of them.

    A team's files are included once.
    """
    endings = {PurePosixPath(name).suffix for name in assignment.program_named}
    return [
        ProgramSource(name, file.name, _text(file.path), earlier)
        for name, of_owners in submissions_by_owners(submissions).items()
        for file in {file: None for submission in of_owners for file in submission.files}
        if PurePosixPath(file.name).suffix in endings
    ]


def submissions_by_owners(submissions: Iterable[Submission]) -> dict[str, list[Submission]]:
    """Group submissions by owner: the student or the team members who submitted the same files."""
    students: dict[tuple[SubmittedFile, ...], dict[str, None]] = defaultdict(dict)
    every = list(submissions)
    for submission in every:
        students[submission.files][submission.student] = None
    by_owners: dict[str, list[Submission]] = defaultdict(list)
    for submission in every:
        by_owners[", ".join(students[submission.files])].append(submission)
    return by_owners


def _handed_out_files(assignment: Assignment, options: SimilarityOptions) -> list[Path]:
    """Return the files that all students received."""
    return [*(module.source for module in assignment.provided), *options.base]


def _pairs(
    assignment: Assignment,
    sources: Sequence[ProgramSource],
    options: SimilarityOptions,
    note: Callable[[str], object] = lambda _: None,
) -> list[SimilarPair]:
    given = [(file.name, _text(file)) for file in _handed_out_files(assignment, options)]
    return similar_pairs(sources, given, least=options.min_percent / 100, common=options.max_programs, note=note)


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8-sig", "replace")


def write_similar_pages(result: SimilarPrograms, pages: FilePath) -> Path:
    """Write web pages that show the pairs side by side to a folder in `pages`, and return the first page.

    Raises ReportError if they cannot be written.
    """
    folder = Path(pages) / result.assignment.id
    with sole_writer(folder):
        return write_similar(result.assignment, result.pairs, result.search, folder)
