"""Treats implausible submission times as unknown, and notes them for the instructor."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from grader.model.submission import Submission, TimeSource

# Archives without dates use 1970 or 1980.
_FIRST = datetime(2000, 1, 1, tzinfo=UTC)
_LONGEST_AFTER = timedelta(days=5 * 365)
_WHOLE_CLASS = 3


def with_plausible_time(submission: Submission, due: datetime) -> Submission:
    """Return the submission without its time if that is before 2000 or years after the due date."""
    time = submission.submitted
    if time is None or _FIRST <= time <= due + _LONGEST_AFTER:
        return submission
    return _without_time(submission, f"the {submission.time_source} says {time:%Y-%m-%d}, which can hardly be true")


def without_times_of_copying(
    submissions: Sequence[Submission], grace: timedelta, due: Callable[[str], datetime]
) -> list[Submission]:
    """Return the submissions without file times if most of the times are in the same second."""
    from_files = [submission for submission in submissions if submission.time_source == TimeSource.FILE_TIME]
    students = {(submission.student, submission.submitted) for submission in from_files}
    shared = Counter(time for _, time in students).most_common(1)
    if not shared or shared[0][1] < max(_WHOLE_CLASS, len(students) // 2 + 1):
        return list(submissions)
    time, count = shared[0]
    note = f"{count} students have files of the same second, as if they were copied then"
    return [
        _without_time(submission, note)
        if submission in from_files
        and submission.submitted == time
        and _is_late(submission, due(submission.student), grace)
        else submission
        for submission in submissions
    ]


def _is_late(submission: Submission, due: datetime, grace: timedelta) -> bool:
    return submission.submitted is not None and submission.submitted.astimezone(UTC) > due.astimezone(UTC) + grace


def _without_time(submission: Submission, reason: str) -> Submission:
    note = f"{reason}: the time of handing in is unknown"
    return replace(submission, submitted=None, time_source=TimeSource.NONE, notes=(*submission.notes, note))
