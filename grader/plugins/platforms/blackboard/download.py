"""A download of all submissions from Blackboard: `ITEM_USERNAME_attempt_2025-10-27-11-59-00_FILE`, all in one folder.

For each attempt Blackboard Original adds a receipt, `….txt` right after the time, whose first line is `Name: Full Name
(username)`. Without a receipt, ITEM is the common beginning of all file names. The time is local.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.files.digest import read_regular_file
from grader.intake.attempt import Attempt, ReceivedClass, UnpackSettings
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.entry_names import EntryNames
from grader.plugins.platforms.shared.received_files import ReceivedFiles
from grader.text.names import student_key
from grader.text.words import some_of

NAMES = EntryNames(
    platform="Blackboard",
    pattern=re.compile(
        r"(?P<stem>.+?_.+?)_attempt_(?P<time>[12]\d{3}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<receipt>\.txt))", re.DOTALL
    ),
    whose=lambda match: _last_part(match["stem"]),
    only_files=True,
)

_NAME = re.compile(r"\ufeff?Name: *(?P<name>.*?) *\((?P<username>[^()]+)\)\s*")
_MAX_BYTES = 1_000_000
_MAX_NAMED = 6


@dataclass(kw_only=True)
class _HandedIn:
    """One attempt: `stem` and `time` begin the names of its files and contain `login`; `identity` is from a receipt."""

    stem: str
    time: str
    login: str
    identity: StudentIdentity = StudentIdentity()
    received: ReceivedFiles = field(default_factory=ReceivedFiles)

    @property
    def who(self) -> StudentIdentity:
        """Identify the student, using the receipt only if its login matches the file names."""
        if self.identity.login and self.stem.endswith(f"_{self.identity.login}"):
            return self.identity
        return StudentIdentity(login=self.login)

    def arrival(self, number: int, zone: ZoneInfo) -> Attempt:
        submitted = _time(self.time, zone)
        notes = () if submitted else (f"`{self.time}` is no time: the file times count",)
        return Attempt(
            student=student_key(str(self.who.login)),
            contents=self.received.contents,
            source=", ".join(file.shown for file in self.received.files),
            identity=self.who,
            attempt=number,
            submitted=submitted,
            time_source="Blackboard",
            notes=notes,
        )


def read(where: ClassFolder, requirements: SubmissionRequirements, _: UnpackSettings) -> ReceivedClass:
    """Read a download."""
    handed_in: dict[tuple[str, str], _HandedIn] = {}
    named, notes = NAMES.match_entries(where)
    stems = {match["stem"] for _, match in named}
    receipts = {
        (match["stem"], match["time"]): _identity(Path(entry.path))
        for entry, match in named
        if match["receipt"] and not where.fault(Path(entry.path))
    }
    item = _item_of_receipts(stems, {stem: who for (stem, _), who in receipts.items()})
    logins = _logins(stems, item)
    for entry, match in named:
        key = stem, time = match["stem"], match["time"]
        attempt = handed_in.setdefault(key, _HandedIn(stem=stem, time=time, login=logins[stem]))
        if match["receipt"] and key in receipts:
            attempt.identity = receipts[key]
        else:
            attempt.received.add(entry, match["file"] or "", where)
    notes += () if item else _doubtful_logins(stems, logins)
    return ReceivedClass(tuple(_in_order(handed_in.values(), requirements.zone)), tuple(notes))


def _item_of_receipts(stems: Collection[str], receipts: Mapping[str, StudentIdentity]) -> str:
    """Return the item, with the `_` after it, if it begins every stem and the receipts agree on it; otherwise ``."""
    items = {
        stem.removesuffix(who.login) for stem, who in receipts.items() if who.login and stem.endswith(f"_{who.login}")
    }
    item = items.pop() if len(items) == 1 else ""
    return item if all(stem.startswith(item) for stem in stems) else ""


def _logins(stems: Collection[str], item: str) -> dict[str, str]:
    """Map each stem to its username: the text after the item, or a unique last part if no item is shared."""
    after_item = len(item) or _common_start(stems).rfind("_") + 1
    if after_item:
        return {stem: stem[after_item:] for stem in stems}
    ends = Counter(map(_last_part, stems))
    return {stem: _last_part(stem) if ends[_last_part(stem)] == 1 else stem for stem in stems}


def _common_start(stems: Collection[str]) -> str:
    first, last = min(stems, default=""), max(stems, default="")
    return first[
        : next((place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    ]


def _last_part(stem: str) -> str:
    return stem.rpartition("_")[2]


def _doubtful_logins(stems: Collection[str], logins: Mapping[str, str]) -> Iterator[str]:
    """Note the usernames that may be longer or shorter, because they or the item may contain a `_`."""
    underscores = _common_start(stems).count("_")
    doubtful = [login for login in sorted(logins.values()) if underscores > 1 or (not underscores and "_" in login)]
    if doubtful:
        yield (
            f"usernames {some_of(doubtful, _MAX_NAMED)}: read off the names of files, in which they cannot be told "
            "from the item for sure"
        )


def _in_order(handed_in: Iterable[_HandedIn], zone: ZoneInfo) -> Iterable[Attempt]:
    counts: dict[str | None, int] = {}
    for attempt in sorted(handed_in, key=lambda attempt: attempt.time):
        counts[attempt.who.login] = counts.get(attempt.who.login, 0) + 1
        yield attempt.arrival(counts[attempt.who.login], zone)


def _identity(receipt: Path) -> StudentIdentity:
    """Read the student's name from the first line of a receipt; the student is unidentified if it cannot be read."""
    with suppress(OSError):
        if receipt.lstat().st_size <= _MAX_BYTES:
            text = read_regular_file(receipt).decode("utf-8", "replace")
            if match := _NAME.fullmatch(text.partition("\n")[0]):
                return StudentIdentity(name=match["name"] or None, login=match["username"])
    return StudentIdentity()


def _time(text: str, zone: ZoneInfo) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S").replace(tzinfo=zone)
    except ValueError:
        return None
