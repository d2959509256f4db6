"""A download of all submissions from Brightspace: a folder `123-456 - Name - Sep 24, 2024 926 PM` for each submission.

The first number identifies the user in the course. The school chooses the form of the name; an OrgDefinedId, which is
all digits, may precede it. The time is local, without a colon, in the order of the user's language. A student who
submitted several times has several folders. Some downloads have no folders: then ` - FILE` follows the time.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from grader.intake.attempt import Attempt, ReceivedClass, UnpackSettings
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.distinct_names import distinct_keys
from grader.plugins.platforms.shared.entry_names import EntryNames
from grader.plugins.platforms.shared.received_files import ReceivedFiles

_DATE = (
    r"(?:(?P<month>[^\W\d_]+)\.? (?P<day>\d{1,2})|(?P<day_first>\d{1,2}) (?P<month_last>[^\W\d_]+)\.?),? "
    r"(?P<year>[12]\d{3})"
)

_TIME = r"(?P<hour>\d{1,2}):?(?P<minute>\d\d)(?: (?P<half>[AP])M)?"
NAMES = EntryNames(
    platform="Brightspace",
    pattern=re.compile(
        rf"(?P<user>\d+)-\d+ - (?P<name>.+?) ?- (?P<date>{_DATE} {_TIME})(?: - (?P<file>.+))?",
        re.DOTALL | re.IGNORECASE,
    ),
    whose=lambda match: match["user"],
    further=("index.html",),  # A list of the submissions.
)

_FURTHER_TIME = re.compile(rf"(?P<date>{_DATE} {_TIME})", re.IGNORECASE)
_ORG_ID = re.compile(r"(?P<id>\d+)(?: (?P<name>.+))?", re.DOTALL)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(kw_only=True)
class _HandedIn:
    """The files that a user submitted together."""

    match: re.Match[str]
    received: ReceivedFiles = field(default_factory=ReceivedFiles)

    def arrival(self, student: str, number: int, zone: ZoneInfo) -> Attempt:
        submitted = _time(self.match, zone)
        notes = () if submitted else (f"`{self.match['date']}` is no time in English: the file times count",)
        if submitted and (later := _FURTHER_TIME.search(self.match["file"] or "")):
            # A student's name or file may look like a time, so a person has to look.
            submitted = max(submitted, _time(later, zone) or submitted)
            notes = (f"there are two times in the name of {', '.join(self.received.sources)}: the later one counts",)
        return Attempt(
            student=student,
            contents=self.received.contents,
            source=", ".join(self.received.sources),
            identity=_identity(self.match["name"]),
            account=self.match["user"],
            attempt=number,
            submitted=submitted,
            time_source="Brightspace",
            notes=notes,
        )


def read(where: ClassFolder, requirements: SubmissionRequirements, _: UnpackSettings) -> ReceivedClass:
    """Read a download."""
    handed_in: dict[tuple[str, str], dict[str, _HandedIn]] = {}
    named, notes = NAMES.match_entries(where)
    for entry, match in named:
        times = handed_in.setdefault((match["user"], match["name"]), {})
        times.setdefault(match["date"], _HandedIn(match=match)).received.add(entry, match["file"], where)
    keys = distinct_keys({(user, name): (name, user) for user, name in handed_in})
    arrivals: list[Attempt] = []
    for owner, times in handed_in.items():
        student = keys[owner]
        in_order = sorted(times.values(), key=lambda attempt: _order(attempt, requirements.zone))
        arrivals += (attempt.arrival(student, number, requirements.zone) for number, attempt in enumerate(in_order, 1))
    return ReceivedClass(tuple(arrivals), tuple(notes))


def _identity(name: str) -> StudentIdentity:
    match = _ORG_ID.fullmatch(name)
    return StudentIdentity(name=match["name"], id=match["id"]) if match else StudentIdentity(name=name)


def _order(handed_in: _HandedIn, zone: ZoneInfo) -> tuple[float, str]:
    submitted = _time(handed_in.match, zone)
    return submitted.timestamp() if submitted else 0.0, handed_in.match["date"]


def _time(match: re.Match[str], zone: ZoneInfo) -> datetime | None:
    """Read the time in the name of a folder, or None if the month is not English or the time is invalid."""
    month = (match["month"] or match["month_last"])[:3].lower()
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].upper() == "P" else 0)
    try:
        day = int(match["day"] or match["day_first"])
        return datetime(int(match["year"]), _MONTHS.index(month) + 1, day, hour, int(match["minute"]), tzinfo=zone)
    except ValueError:
        return None
