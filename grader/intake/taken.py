"""Makes submissions of what arrived, and says which of several attempts counts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from grader.intake.archive import archive_stem, is_other_archive
from grader.intake.arrival import Arrival, Arrived, Space
from grader.intake.contents import ArchiveContents
from grader.intake.found_file import FoundFile
from grader.intake.matching import match
from grader.intake.refused import RefusedError
from grader.intake.submission import Submission, TimeSource
from grader.intake.submission_time import SubmissionTime, submission_time
from grader.intake.wanted import Wanted
from grader.spec.intake_policy import Attempts

_MOST_ARCHIVES = 5

Due = Callable[[str], datetime]
"""The due date of a student."""


@dataclass(frozen=True)
class Intake:
    """The submissions that are graded, by student, and notes on what was passed over.

    Where the best attempt counts, a student has as many submissions as attempts.
    """

    submissions: tuple[Submission, ...]
    notes: tuple[str, ...]


def taken_in(arrived: Arrived, wanted: Wanted, space: Space, due: Due) -> Intake:
    """The submissions that count, or, where the best one does, all attempts."""
    policy = wanted.policy.attempts or Attempts.LAST
    submissions: list[Submission] = []
    for student, arrivals in arrived.by_student():
        moments = (_at_the_moment(arrival, wanted, due(student)) for arrival in arrivals)
        attempts = [submission_of(arrival, wanted, space, due(student)) for arrival in moments]
        submissions += attempts if policy is Attempts.BEST else [_counting(attempts, policy, due(student))]
    return Intake(tuple(submissions), arrived.notes)


def _at_the_moment(arrival: Arrival, wanted: Wanted, due: datetime) -> Arrival:
    """The commit that counts; there are too many to grade them all."""
    if not arrival.history:
        return arrival
    in_time = (moment for moment in arrival.history if moment.time <= due)
    newest = arrival.history[0]
    if wanted.policy.attempts is Attempts.LAST:
        return arrival.at(newest)
    return arrival.at(next(in_time, newest))


def _counting(attempts: Sequence[Submission], policy: Attempts, due: datetime) -> Submission:
    ordered = sorted(attempts, key=lambda one: (one.submitted is not None, one.submitted or due, one.attempt))
    in_time = [one for one in ordered if one.submitted is not None and one.submitted <= due]
    chosen = in_time[-1] if in_time and policy is Attempts.LAST_IN_TIME else ordered[-1]
    if len(attempts) == 1:
        return chosen
    return replace(chosen, notes=(f"of {len(attempts)} attempts, {chosen.source} counts", *chosen.notes))


def submission_of(arrival: Arrival, wanted: Wanted, space: Space, due: datetime | None = None) -> Submission:
    """The submission that arrived; what cannot be read or is refused becomes a note."""
    try:
        found = arrival.contents.files(space)
        opened = tuple(_in_archives(found, wanted, space))
        matched = match((*found, *opened), wanted.sought)
        time = _time(arrival, submission_time(arrival.contents.said_in(), matched.files, wanted.zone), due)
    except (OSError, RefusedError) as error:
        return _unreadable(arrival, error)
    others = tuple(
        f"{file.name} cannot be opened: expected a zip or tar archive"
        for file in found
        if not matched.files and file.regular and is_other_archive(file.name)
    )
    return Submission(
        arrival.student,
        matched.files,
        time.submitted,
        time.source,
        (*arrival.notes, *matched.notes, *others, *time.notes),
        identity=arrival.identity,
        source=arrival.source,
        attempt=arrival.attempt,
        shape=arrival.shape,
    )


def _in_archives(found: Sequence[FoundFile], wanted: Wanted, space: Space) -> Iterator[FoundFile]:
    """What is in the archives of a submission that lacks a program; archives in archives stay closed."""
    names = {file.base for file in found if file.regular}
    if all(names.intersection(called) for called in wanted.programs.values()):
        return
    archives = [file for file in found if file.regular and archive_stem(file.base)]
    for archive in archives[:_MOST_ARCHIVES]:
        for file in ArchiveContents(archive.path).files(space):
            yield replace(file, name=f"{archive.name}/{file.name}")


def _time(arrival: Arrival, told: SubmissionTime, due: datetime | None) -> SubmissionTime:
    """The time that counts: of submission.yaml, of the platform, or of the files, as far as the platform agrees."""
    if told.source is TimeSource.SUBMISSION_FILE:
        return told
    if arrival.submitted is not None:
        return SubmissionTime(arrival.submitted, arrival.time_source)
    if arrival.late is None or due is None or told.submitted is None:
        return told
    if arrival.late:
        if told.submitted > due:
            note = "says LATE and not how much: the file time counts, which may be that of the download"
        else:
            note = "says LATE, but the file time is before the due date"
        return replace(told, notes=(f"{arrival.time_source} {note}",))
    return SubmissionTime(due, arrival.time_source) if told.submitted > due else told


def _unreadable(arrival: Arrival, error: OSError | RefusedError) -> Submission:
    if isinstance(error, RefusedError):
        note = str(error)
    else:
        what = "folder" if arrival.contents.said_in() else "files"
        note = f"the {what} cannot be read: {error.strerror}"
    return Submission(
        arrival.student,
        (),
        None,
        TimeSource.NONE,
        (*arrival.notes, note),
        readable=False,
        identity=arrival.identity,
        source=arrival.source,
        attempt=arrival.attempt,
        shape=arrival.shape,
    )
