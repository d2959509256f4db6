"""When something was handed in."""

import os
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.intake.attempt import Attempt, FileContents, ReceivedClass, SubmissionTime, UnpackSettings
from grader.intake.choose_attempt import choose_attempts, submission_time
from grader.intake.match_files import FoundFile, SubmissionRequirements
from grader.model.assignment import AttemptPolicy, SubmissionPolicy
from grader.model.submission import Submission, SubmittedFile, TimeSource

SYDNEY = ZoneInfo("Australia/Sydney")
DUE = datetime(2025, 10, 27, 11, 59, tzinfo=SYDNEY)


def file_at(folder: Path, name: str, seconds: float) -> SubmittedFile:
    """A file that was last changed `seconds` after the epoch."""
    (folder / name).write_text("print()\n")
    os.utime(folder / name, ns=(0, round(seconds * 10**9)))
    return SubmittedFile(name, folder / name)


def said(folder: Path, content: str | bytes) -> SubmissionTime:
    (folder / "submission.yaml").write_bytes(content if isinstance(content, bytes) else content.encode())
    return submission_time(folder, (file_at(folder, "game.py", 0),), SYDNEY)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2025-10-27 11:59", "2025-10-27T00:59:00"),
        ("2025-10-27 11:59:01", "2025-10-27T00:59:01"),
        ("2025-07-01T00:00:00", "2025-06-30T14:00:00"),
        # These come twice or never, when clocks change: the earlier one, and the one an hour later.
        ("2026-04-05 02:30", "2026-04-04T15:30:00"),
        ("2025-10-05 02:30", "2025-10-04T16:30:00"),
    ],
)
def test_submission_yaml_is_local_time_of_the_assignment(written: str, moment: str, tmp_path: Path) -> None:
    time = said(tmp_path, f"submitted: {written}\n")
    assert time.submitted is not None
    assert time.submitted.tzinfo is SYDNEY
    assert time.submitted.astimezone(UTC) == datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert (time.source, time.notes) == (TimeSource.SUBMISSION_FILE, ())


NO_TIME = "expected a date and time such as 2025-10-27 11:59"
FAULTS = [
    ("submitted: yesterday\n", f"1:12: found `yesterday`; {NO_TIME}"),
    ("submitted: 0001-01-01 00:00\n", f"1:12: found `0001-01-01 00:00`; {NO_TIME}"),
    (
        "submited: 2025-10-27 11:59\n",
        "1:1: the key `submitted` is missing here\n1:1: unknown key `submited`; did you mean `submitted`?",
    ),
    ('submitted: "\\e[2J"\n', f"1:12: found `\\x1b[2J`; {NO_TIME}"),
    ("", "1:1: the file is empty; expected a mapping (key: value)"),
    (b"\xff\xfes\x00", "1:1: found the byte 0xFF; expected UTF-8 text (save the file as UTF-8)"),
    ("a" * 10_001, "1:1: found 10001 bytes; expected at most 10000"),
]


@pytest.mark.parametrize(("content", "notes"), FAULTS, ids=[repr(content)[:30] for content, _ in FAULTS])
def test_a_faulty_submission_yaml_becomes_notes_and_the_file_time_is_not_taken_instead(
    content: str | bytes, notes: str, tmp_path: Path
) -> None:
    time = said(tmp_path, content)
    expected = tuple(f"submission.yaml:{note}" for note in notes.splitlines())
    assert time == SubmissionTime(None, TimeSource.NONE, expected)


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "link to nowhere", "link to itself"])
def test_a_submission_yaml_that_is_no_regular_file_is_not_opened(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "submission.yaml"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        (tmp_path / "elsewhere.yaml").write_text("submitted: 2025-10-27 11:59\n")
        targets = {"link": "elsewhere.yaml", "link to nowhere": "none", "link to itself": "submission.yaml"}
        file.symlink_to(targets[kind])
    time = submission_time(tmp_path, (file_at(tmp_path, "game.py", 0),), SYDNEY)
    assert time == SubmissionTime(None, TimeSource.NONE, ("submission.yaml:1:1: this is not a regular file",))


def test_otherwise_the_newest_file_counts(tmp_path: Path) -> None:
    due = DUE.timestamp()
    files = (
        file_at(tmp_path, "a.py", due - 60),
        file_at(tmp_path, "b.py", due - 30),
        file_at(tmp_path, "c.py", due - 90),
    )
    time = submission_time(tmp_path, files, SYDNEY)
    assert time.submitted is not None
    assert time.submitted.isoformat() == "2025-10-27T11:58:30+11:00"
    assert (time.source, time.notes) == (TimeSource.FILE_TIME, ())
    assert submission_time(None, files, SYDNEY) == time


@pytest.mark.parametrize("fraction", [0, 0.25, 0.999])
def test_a_file_of_the_very_second_of_the_due_date_is_in_time(fraction: float, tmp_path: Path) -> None:
    time = submission_time(None, (file_at(tmp_path, "a.py", DUE.timestamp() + fraction),), SYDNEY)
    assert time.submitted == DUE


def test_nothing_handed_in_has_no_time(tmp_path: Path) -> None:
    assert submission_time(tmp_path, (), SYDNEY) == SubmissionTime(None, TimeSource.NONE)
    assert submission_time(None, (), SYDNEY) == SubmissionTime(None, TimeSource.NONE)


@pytest.mark.parametrize("seconds", [300_000_000_000, -90_000_000_000])
def test_a_file_time_that_is_no_date_becomes_a_note(seconds: int) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir():
        pytest.skip("no file system in memory, the kind that stores such a time")
    with tempfile.TemporaryDirectory(dir=memory) as name:
        file = file_at(Path(name), "game.py", seconds)
        time = submission_time(Path(name), (file,), SYDNEY)
    notes = (f"the file time is no date ({seconds} seconds since 1970)",)
    assert time == SubmissionTime(None, TimeSource.NONE, notes)


def test_a_folder_that_is_gone_is_an_error_when_files_were_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        submission_time(tmp_path, (SubmittedFile("game.py", tmp_path / "game.py"),), SYDNEY)


def attempt(student: str, *files: SubmittedFile, submitted: datetime | None = None, source: str = "none") -> Attempt:
    found = tuple(FoundFile(file.name, file.path) for file in files)
    return Attempt(
        student=student, contents=FileContents(found), source=student, submitted=submitted, time_source=source
    )


def taken(*attempts: Attempt, late_matters: bool = True) -> tuple[Submission, ...]:
    wanted = SubmissionRequirements(programs={"game.py": ("game.py",)}, zone=SYDNEY, late_matters=late_matters)
    space = UnpackSettings(Path("/nowhere"), wanted.limits, SYDNEY)
    return choose_attempts(ReceivedClass(attempts), wanted, space, lambda _: DUE).submissions


IMPLAUSIBLE = ["1970-01-01", "1980-01-01", "1999-12-30", "2036-01-01", "2107-12-31"]
AT_THE_ENDS = ["0001-01-01", "9999-12-31"]


@pytest.mark.parametrize("day", AT_THE_ENDS)
@pytest.mark.parametrize("zone", ["America/New_York", "Australia/Sydney"])
def test_a_time_that_no_other_zone_has_is_unknown(zone: str, day: str, tmp_path: Path) -> None:
    moment = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=ZoneInfo(zone))
    file = file_at(tmp_path, "game.py", DUE.timestamp())
    [submission] = taken(attempt("ann", file, submitted=moment, source="a platform"))
    assert submission.submitted is None


@pytest.mark.parametrize("day", IMPLAUSIBLE)
@pytest.mark.parametrize("source", ["file time", "Blackboard", "commit"])
def test_a_time_that_can_hardly_be_true_is_unknown(source: str, day: str, tmp_path: Path) -> None:
    moment = datetime.fromisoformat(f"{day}T12:00").replace(tzinfo=SYDNEY)
    if source == "file time":
        [submission] = taken(attempt("ann", file_at(tmp_path, "game.py", moment.timestamp())))
    else:
        file = file_at(tmp_path, "game.py", DUE.timestamp())
        [submission] = taken(attempt("ann", file, submitted=moment, source=source))
    assert (submission.submitted, submission.time_source) == (None, TimeSource.NONE)
    why = f"the {source} says {day}, which can hardly be true: the time of handing in is unknown"
    assert submission.notes == (why,)


@pytest.mark.parametrize("late", [-60, 0, 86_400, 3 * 365 * 86_400])
def test_a_time_that_may_be_true_stays(late: int, tmp_path: Path) -> None:
    [submission] = taken(attempt("ann", file_at(tmp_path, "game.py", DUE.timestamp() + late)))
    assert submission.submitted == DUE + timedelta(seconds=late)
    assert submission.notes == ()


@pytest.mark.parametrize(
    ("seconds", "is_unknown"),
    [
        ([60, 60, 60], [True, True, True]),
        ([60, 60, 60, 90], [True, True, True, False]),
        ([60, 60, 60, 61, 62, 63], [False] * 6),
        ([60, 60], [False, False]),
        ([-60, -60, -60], [False] * 3),
    ],
)
def test_a_class_of_one_second_is_not_late(seconds: list[int], is_unknown: list[bool], tmp_path: Path) -> None:
    attempts = []
    for number, late in enumerate(seconds):
        (tmp_path / str(number)).mkdir()
        file = file_at(tmp_path / str(number), "game.py", DUE.timestamp() + late)
        attempts.append(attempt(str(number), file))
    submissions = taken(*attempts)
    assert [one.submitted is None for one in submissions] == is_unknown
    why = "3 students have files of the same second, as if they were copied then: the time of handing in is unknown"
    assert [one.notes for one in submissions] == [(why,) if unknown else () for unknown in is_unknown]
    assert all(one.submitted for one in taken(*attempts, late_matters=False))


def test_the_last_attempt_counts_where_a_time_is_unknown(tmp_path: Path) -> None:
    attempts = []
    for number, seconds in ((1, DUE.timestamp()), (2, 0)):
        (tmp_path / str(number)).mkdir()
        file = file_at(tmp_path / str(number), "game.py", seconds)
        attempts.append(replace(attempt("ann", file), attempt=number))
    assert [one.attempt for one in taken(*attempts)] == [2]


VIENNA = ZoneInfo("Europe/Vienna")
ON_TIME, LAST = AttemptPolicy.LAST_ON_TIME, AttemptPolicy.LAST


@pytest.mark.parametrize(
    ("due", "grace", "first", "second", "policy", "counts"),
    [
        # Clocks go from 3 back to 2: the hour after 2 comes twice, in UTC from 0:00 and from 1:00.
        ("2026-10-25T01:30", 0, "2026-10-24T12:00", "2026-10-25T00:40", ON_TIME, 2),
        ("2026-10-25T12:00", 0, "2026-10-25T00:50", "2026-10-25T01:10", LAST, 2),
        ("2026-10-24T23:55", 10, "2026-10-24T12:00", "2026-10-25T01:02", ON_TIME, 1),
        # Clocks go from 2 on to 3.
        ("2026-03-29T00:55", 10, "2026-03-28T12:00", "2026-03-29T01:02", ON_TIME, 2),
    ],
)
def test_which_attempt_counts_when_clocks_are_changed(
    due: str, grace: int, first: str, second: str, policy: AttemptPolicy, counts: int
) -> None:
    moments = [datetime.fromisoformat(time).replace(tzinfo=UTC).astimezone(VIENNA) for time in (due, first, second)]
    attempts = tuple(
        Attempt(student="ann", contents=FileContents(), source=str(number), attempt=number, submitted=moments[number])
        for number in (1, 2)
    )
    wanted = SubmissionRequirements(
        programs={},
        zone=VIENNA,
        grace=timedelta(minutes=grace),
        policy=SubmissionPolicy(attempts=policy),
    )
    space = UnpackSettings(Path("/nowhere"), wanted.limits, VIENNA)
    [chosen] = choose_attempts(ReceivedClass(attempts), wanted, space, lambda _: moments[0]).submissions
    assert chosen.attempt == counts
