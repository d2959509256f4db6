"""Learns faulty programs from earlier classes, for later audits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.analysis.failure_groups import groups_of
from grader.api.course import course_for
from grader.api.environment import local_backend
from grader.api.grade import grade_classes
from grader.api.request import FilePath, GradeOptions, GradeRequest, Progress, no_progress
from grader.expected.transcripts import load_transcripts
from grader.intake.class_folder import beside
from grader.model.assignment import Assignment
from grader.plugins.auditing.base_run import TrialSetting
from grader.plugins.auditing.earlier_class import FaultyProgram, earlier_class
from grader.plugins.auditing.outcomes import open_outcomes
from grader.plugins.auditing.samples import VERDICTS
from grader.spec.course import Course
from grader.store.database import default_store, open_store

_DEFAULT_OPTIONS = GradeOptions()


@dataclass(frozen=True)
class LearnedPrograms:
    """The result of learning: the samples written, and the groups without a program that can be kept."""

    written: tuple[Path, ...]
    left_out: tuple[str, ...]


def learn(
    assignment_id: str,
    folders: Sequence[FilePath],
    *,
    course: FilePath | None = None,
    options: GradeOptions = _DEFAULT_OPTIONS,
    progress: Progress = no_progress,
) -> LearnedPrograms:
    """Grade earlier classes, and write one program per group with the same mistake to the course's submissions/ID.

    Groups that already have a sample are skipped. Raises GraderError if a class cannot be graded.
    """
    course_of_tests = course_for(Path(course) if course is not None else None, Path.cwd())
    assignment = course_of_tests.assignment(assignment_id)
    learned: list[Mapping[str, str]] = []
    written: list[Path] = []
    left_out: list[str] = []
    for group, program in _programs(course_of_tests, assignment, list(map(Path, folders)), options, progress):
        sample = course_of_tests.folder / "submissions" / assignment.id / f"learned-{group}"
        if program is None:
            left_out.append(group)
        elif program.texts not in learned and not (sample / VERDICTS).exists():
            program.write(sample)
            learned.append(program.texts)
            written.append(sample)
    return LearnedPrograms(tuple(written), tuple(left_out))


def _programs(
    course: Course, assignment: Assignment, folders: Sequence[Path], options: GradeOptions, progress: Progress
) -> Iterator[tuple[str, FaultyProgram | None]]:
    """Yield the names of the groups, each with a program that makes its mistake if one can be kept."""
    hidden = (course.folder.resolve(), *(beside(folder).resolve() for folder in folders))
    backend = local_backend(options.sandbox, hidden, options.jobs)
    transcripts = load_transcripts(assignment, assignment.tests)
    with (
        open_store(default_store(course.folder)) as store,
        open_outcomes(assignment, backend, store, progress) as (_, outcomes),
        TemporaryDirectory(prefix="grader-audit-") as name,
    ):
        setting = TrialSetting(assignment, transcripts, outcomes, backend.submissions_at_a_time)
        for number, folder in enumerate(folders):
            request = GradeRequest(folder=folder, assignment=assignment.id, course=course.folder, options=options)
            # The files of an archive are deleted when the next class is requested.
            classes = grade_classes(request, store=store, progress=progress)
            submissions = [row.graded for row in next(classes).rows]
            earlier, groups = earlier_class(setting, submissions), groups_of(submissions)
            with progress(f"Learning from {folder}", len(groups)) as tick:
                for group in groups:
                    yield group.id, earlier.faulty_program(group, Path(name) / str(number))
                    tick()
