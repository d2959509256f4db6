"""Sets the times of attempts as stated in the times file. The time of any other attempt is unknown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.class_files.roster import compared_id
from grader.errors import Problem, SpecError, nearest, quoted
from grader.intake.attempt import Attempt, ReceivedClass, SubmissionTime
from grader.intake.class_file import AboutClass
from grader.plugins.hand_in_times.matched_rows import MatchedRow, folder_of, matched_rows
from grader.plugins.hand_in_times.time_file import read_times
from grader.text.words import some_of

_MAX_NAMED = 8


def with_times(arrived: ReceivedClass, about: AboutClass) -> ReceivedClass:
    """Return the attempts with the times of the file. Raises SpecError if it is faulty."""
    if about.file is None:
        return arrived
    name = about.file.name
    times: dict[int, SubmissionTime] = {}
    doubts: dict[int, SubmissionTime] = {}
    notes: list[str] = []
    for row in matched_rows(tuple(read_times(about.file, about.requirements.zone)), arrived):
        entry = row.entry
        if row.doubt:
            notes.append(f"{entry.place}: {row.doubt}")
            doubts |= dict.fromkeys(row.named, SubmissionTime(notes=(f"{name}: {row.doubt}",)))
            continue
        chosen, note = _attempts_of(row, arrived.arrivals)
        notes += note
        for index in _shared_attempts(chosen, arrived.arrivals):
            if times.setdefault(index, SubmissionTime(entry.time, name)).submitted != entry.time:
                message = f"{quoted(entry.student)} has another time than an earlier row gives for the same submission"
                raise SpecError([Problem(entry.place, message)])
    unknown = SubmissionTime(notes=(f"{name} has no row for this: the time of handing in is unknown",))
    attempts = list(arrived.arrivals)
    for index, arrival in enumerate(arrived.arrivals):
        if index in times:
            attempts[index] = replace(arrival, stated=times[index])
        # If lateness costs nothing, the files' own times are good enough.
        elif arrival.source and not arrival.history and about.requirements.late_matters:
            attempts[index] = replace(arrival, stated=doubts.get(index, unknown))
    with_history = dict.fromkeys(arrival.student for arrival in arrived.arrivals if arrival.history)
    if with_history:
        names = some_of(list(with_history), _MAX_NAMED)
        notes.append(f"{name} is not used for repositories, whose commits have times: {names}")
    return replace(arrived, arrivals=tuple(attempts), notes=(*arrived.notes, *notes))


def _shared_attempts(chosen: Iterable[int], arrivals: Sequence[Attempt]) -> Iterator[int]:
    """Yield the indexes of these attempts, and of the same attempts by other members of a team."""
    contents = [(arrivals[index].source, arrivals[index].contents) for index in chosen]
    for index, arrival in enumerate(arrivals):
        if (arrival.source, arrival.contents) in contents:
            yield index


def _attempts_of(row: MatchedRow, arrivals: Sequence[Attempt]) -> tuple[list[int], list[str]]:
    """Return the indexes of the attempts that a row is about, and notes on it."""
    entry, key = row.entry, compared_id(row.entry.student)
    if not row.named:
        students = {arrival.student for arrival in arrivals}
        return [], [f"{entry.place}: no submission of `{entry.student}`{nearest(entry.student, students)}"]
    present = {index: arrival for index, arrival in row.named.items() if arrival.source}
    if not present:
        return [], [f"{entry.place}: `{entry.student}` has a time, but nothing was handed in"]
    # If a team submitted under several names, a row is about the attempts under its own name.
    exact = {index: arrival for index, arrival in present.items() if key == folder_of(arrival)} or present
    dated = {index: arrival for index, arrival in exact.items() if not arrival.history}
    if entry.attempt is not None:
        is_part = len(exact) < len(present)
        numbers = _attempt_numbers(dated) if is_part else {index: arrival.attempt for index, arrival in dated.items()}
        chosen = [index for index, number in numbers.items() if number == entry.attempt]
        is_missing = dated and not chosen
        return chosen, [f"{entry.place}: no attempt {entry.attempt} of `{entry.student}`"] if is_missing else []
    last = {arrival.student: index for index, arrival in sorted(dated.items(), key=lambda item: item[1].attempt)}
    is_vague = len(last) < len(dated)
    words = f"{entry.place}: `{entry.student}` has several attempts; this is taken for the time of the last one"
    return list(last.values()), [f"{words} (write `attempt`)"] if is_vague else []


def _attempt_numbers(attempts: Mapping[int, Attempt]) -> dict[int, int]:
    """Number the attempts of each student separately, as in the folder of a team's member."""
    counts: Counter[str] = Counter()
    numbers = {}
    for index, attempt in sorted(attempts.items(), key=lambda item: item[1].attempt):
        counts[attempt.student] += 1
        numbers[index] = counts[attempt.student]
    return numbers
