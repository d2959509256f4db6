"""Turns attempts into submissions: determines the submission times, and which of several attempts counts."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.config.scalars import LocalTime
from grader.config.validation import SpecModel, validate
from grader.config.yaml_reader import read_document
from grader.errors import Problem, SourceLocation, SpecError
from grader.files.archive_reader import UnsafeInputError
from grader.intake.attempt import Attempt, Contents, ReceivedClass, SubmissionTime, Unpacked, UnpackSettings
from grader.intake.further_files import unused_words
from grader.intake.inner_archives import files_in_archives, notes_on_closed_archives
from grader.intake.match_files import SubmissionRequirements, match_files
from grader.intake.plausible_times import with_plausible_time, without_times_of_copying
from grader.model.assignment import AttemptPolicy
from grader.model.submission import Submission, SubmittedFile, TimeSource

FILE_NAME = "submission.yaml"
_MAX_BYTES = 10_000


class SubmissionFile(SpecModel):
    """The time of a submission, stored in the student's folder (but not in downloads from platforms).

    The file has at most 10 kB. Without it, the newest file time is used, in whole seconds. If most other students
    of the class have no submission.yaml, the file is still used, and a note asks whether the student wrote it.
    """

    submitted: LocalTime
    """The submission time, in the time zone of the assignment."""


def submission_time(folder: Path | None, files: tuple[SubmittedFile, ...], zone: ZoneInfo) -> SubmissionTime:
    """Return the time of the submission in `folder`, which is None for loose files.

    File times are rounded down to seconds, so that a file submitted within the exact second of the due date is on time.
    Raises OSError if the folder or a file cannot be examined.
    """
    if folder is not None and (stated := _stated_time(folder / FILE_NAME, zone)):
        return stated
    if not files:
        return SubmissionTime()
    newest = max(os.lstat(file.path).st_mtime_ns for file in files) // 1_000_000_000
    try:
        return SubmissionTime(datetime.fromtimestamp(newest, UTC).astimezone(zone), TimeSource.FILE_TIME)
    except (ValueError, OverflowError):
        return SubmissionTime(notes=(f"the file time is no date ({newest} seconds since 1970)",))


def _stated_time(file: Path, zone: ZoneInfo) -> SubmissionTime | None:
    """Read the time from submission.yaml; return None if the file does not exist."""
    try:
        _check_kind(file)
        content = validate(read_document(file), SubmissionFile).content
    except FileNotFoundError:
        return None
    except SpecError as error:
        # The folder may be the grader's own, whose name differs in every run.
        return SubmissionTime(notes=tuple(str(problem).removeprefix(f"{file.parent}/") for problem in error.problems))
    return SubmissionTime(content.submitted.replace(tzinfo=zone), TimeSource.SUBMISSION_FILE)


def _check_kind(file: Path) -> None:
    """Reject traps that a student may have set: a link elsewhere, a pipe that never ends, or a huge file.

    Raises SpecError for traps, and OSError if the file cannot be examined.
    """
    status = os.lstat(file)
    if not stat.S_ISREG(status.st_mode):
        raise SpecError([Problem(SourceLocation(file, 1, 1), "this is not a regular file")])
    if status.st_size > _MAX_BYTES:
        raise SpecError(
            [Problem(SourceLocation(file, 1, 1), f"found {status.st_size} bytes; expected at most {_MAX_BYTES}")]
        )


DueDateOf = Callable[[str], datetime]
"""A function that returns a student's due date."""


@dataclass(frozen=True)
class ClassSubmissions:
    """The submissions to grade, by student, and notes on ignored files.

    If the best attempt counts, every attempt of a student is a submission.
    """

    submissions: tuple[Submission, ...]
    notes: tuple[str, ...]


def choose_attempts(
    arrived: ReceivedClass, requirements: SubmissionRequirements, space: UnpackSettings, due: DueDateOf
) -> ClassSubmissions:
    """Return the submissions that count, or all attempts if the best one counts."""
    policy = requirements.policy.attempts or AttemptPolicy.LAST
    submissions: list[Submission] = []
    for student, arrivals in arrived.by_student():
        moments = (_at_the_moment(arrival, requirements, due(student)) for arrival in arrivals)
        attempts = [submission_of(arrival, requirements, space, due(student)) for arrival in moments]
        if requirements.late_matters:
            attempts = [with_plausible_time(attempt, due(student)) for attempt in attempts]
        until = due(student).astimezone(UTC) + requirements.grace
        submissions += attempts if policy is AttemptPolicy.BEST else [_counting(attempts, policy, until)]
    # A platform's times are trusted if it reports which submissions are late.
    if requirements.late_matters and all(arrival.late is None for arrival in arrived.arrivals):
        submissions = without_times_of_copying(submissions, requirements.grace, due)
    return ClassSubmissions(tuple(_with_doubtful_times(submissions)), arrived.notes)


def _with_doubtful_times(submissions: Sequence[Submission]) -> Iterator[Submission]:
    """Yield the submissions, with a note that questions a submission.yaml if most students do not have one."""
    # Counts students rather than attempts, because one student may submit many times.
    students = {submission.student for submission in submissions}
    stating = {item.student for item in submissions if item.time_source == TimeSource.SUBMISSION_FILE}
    note = f"the time is that of {FILE_NAME}, which most others do not have: it may be the student's own"
    for submission in submissions:
        is_doubtful = submission.time_source == TimeSource.SUBMISSION_FILE and 2 * len(stating) < len(students)
        yield replace(submission, notes=(*submission.notes, note)) if is_doubtful else submission


def _at_the_moment(arrival: Attempt, requirements: SubmissionRequirements, due: datetime) -> Attempt:
    """Return the attempt at the commit that counts, because there are too many commits to grade them all."""
    if not arrival.history:
        return arrival
    until = due.astimezone(UTC) + requirements.grace
    in_time = (moment for moment in arrival.history if moment.time.astimezone(UTC) <= until)
    newest = arrival.history[0]
    if requirements.policy.attempts is AttemptPolicy.LAST:
        return arrival.at(newest)
    return arrival.at(next(in_time, newest))


def _counting(attempts: Sequence[Submission], policy: AttemptPolicy, until: datetime) -> Submission:
    has_times = all(attempt.submitted for attempt in attempts)
    ordered = sorted(attempts, key=_age if has_times else lambda attempt: attempt.attempt)
    in_time = [
        attempt for attempt in ordered if attempt.submitted is not None and attempt.submitted.astimezone(UTC) <= until
    ]
    chosen = in_time[-1] if in_time and policy is AttemptPolicy.LAST_ON_TIME else ordered[-1]
    if len(attempts) == 1:
        return chosen
    name = chosen.source or f"attempt {chosen.attempt}"
    return replace(chosen, notes=(f"of {len(attempts)} attempts, {name} counts", *chosen.notes))


def _age(attempt: Submission) -> tuple[float, int]:
    """Return a key that sorts attempts by time. Local times would be ambiguous when the clocks change."""
    return attempt.submitted.timestamp() if attempt.submitted else 0.0, attempt.attempt


def submission_of(
    arrival: Attempt, requirements: SubmissionRequirements, space: UnpackSettings, due: datetime | None = None
) -> Submission:
    """Convert an attempt to a submission; unreadable or rejected content becomes a note."""
    try:
        contents, opened = space.once(arrival.contents, lambda contents: _unpacked(contents, requirements, space))
        matched = match_files((*contents, *opened), requirements)
        time = _time(arrival, submission_time(arrival.contents.said_in(), matched.files, requirements.zone), due)
    except Exception as error:
        # Even if a bug in the grader makes one submission unreadable, the others must be read.
        return _unreadable(arrival, error)
    file_names = {file.name for file in matched.files}
    is_complete = all(file_names.intersection(names) for names in requirements.programs.values())
    closed = {} if is_complete else dict(notes_on_closed_archives(contents, opened))
    unused = tuple(name for name in matched.unused if name not in closed)
    unused_notes = (unused_words(unused),) if unused else ()
    return replace(
        _unread(arrival, *matched.notes, *closed.values(), *unused_notes, *time.notes),
        files=matched.files,
        submitted=time.submitted,
        time_source=time.source,
        unused=unused,
        refused=matched.refused,
        readable=not closed or bool(matched.files),
    )


def _unpacked(contents: Contents, requirements: SubmissionRequirements, space: UnpackSettings) -> Unpacked:
    files = contents.files(space)
    return files, tuple(files_in_archives(files, requirements, space))


def _time(arrival: Attempt, stated: SubmissionTime, due: datetime | None) -> SubmissionTime:
    """Return the time that counts: the instructor's, or the platform's, or the files' if the platform agrees."""
    if arrival.stated or stated.source == TimeSource.SUBMISSION_FILE:
        return arrival.stated or stated
    if arrival.submitted is not None:
        return SubmissionTime(arrival.submitted, arrival.time_source)
    if arrival.late is None or due is None or stated.submitted is None:
        return stated
    is_after = stated.submitted.astimezone(UTC) > due.astimezone(UTC)
    if arrival.late:
        if is_after:
            note = "says LATE and not how much: the file time counts, which may be that of the download"
        else:
            note = "says LATE, but the file time is before the due date"
        return replace(stated, notes=(f"{arrival.time_source} {note}",))
    return SubmissionTime(due, arrival.time_source) if is_after else stated


def _unreadable(arrival: Attempt, error: Exception) -> Submission:
    what = "folder" if arrival.contents.said_in() else "files"
    match error:
        case UnsafeInputError():
            note = str(error)
        case OSError():
            note = f"the {what} cannot be read: {error.strerror}"
        case _:
            note = f"the {what} cannot be read, by a fault in grader: {type(error).__name__}: {error}"
    return _unread(arrival, note)


def _unread(arrival: Attempt, *notes: str) -> Submission:
    """Return a submission without readable content, with additional notes."""
    return Submission(
        student=arrival.student,
        files=(),
        submitted=None,
        time_source=TimeSource.NONE,
        notes=(*arrival.notes, *notes),
        readable=False,
        identity=arrival.identity,
        roster=arrival.roster,
        source=arrival.source,
        attempt=arrival.attempt,
        shape=arrival.shape,
    )
