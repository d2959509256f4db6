"""An export of all submissions from Gradescope: a folder `submission_N` for each one, and submission_metadata.yml.

A submission by several students is listed once for each student.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

from grader.intake.attempt import (
    Attempt,
    Contents,
    FileContents,
    FolderContents,
    ReceivedClass,
    RefusedContents,
    UnpackSettings,
)
from grader.intake.class_folder import ClassFolder, IntakeError
from grader.intake.match_files import SubmissionRequirements
from grader.model.submission import StudentIdentity
from grader.plugins.platforms.shared.distinct_names import disambiguate_names
from grader.text.names import student_key

METADATA = "submission_metadata.yml"
_MAX_BYTES = 200_000_000
_TIME = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d)(?:\.\d+)?\s*"
    r"(?:Z|UTC|(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d))"
)

# PyYAML's parser in C, if available, is many times faster. Both only build nodes from the text.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class _Entry:
    """The facts about one folder in the metadata."""

    folder: str
    submitters: tuple[StudentIdentity, ...]
    created: datetime | None


def fits(entry: os.DirEntry[str], _: SubmissionRequirements) -> bool:
    """Return whether the entry is part of such an export."""
    return entry.name == METADATA or re.fullmatch(r"submission_[0-9]+", entry.name) is not None


def read(where: ClassFolder, requirements: SubmissionRequirements, _: UnpackSettings) -> ReceivedClass:
    """Read an export. Raises IntakeError if the metadata cannot be read."""
    entries = list(_metadata(where.folder / METADATA, requirements.zone))
    folders = {entry.name for entry in where.entries() if entry.is_dir(follow_symlinks=False)}
    listed = {entry.folder for entry in entries}
    arrivals = [arrival for entry in entries for arrival in _arrivals(entry, folders, where)]
    for name in sorted(folders - listed):
        notes = (f"{METADATA} says nothing of {name}",)
        arrivals.append(
            Attempt(student=name, contents=FolderContents(where.folder / name, owned=False), source=name, notes=notes)
        )
    return ReceivedClass(disambiguate_names(arrivals))


def _arrivals(entry: _Entry, folders: set[str], where: ClassFolder) -> Iterator[Attempt]:
    contents: Contents = FolderContents(where.folder / entry.folder, owned=False)
    notes: list[str] = []
    if entry.folder not in folders:
        contents = FileContents()
        notes.append(f"there is no folder {entry.folder}")
    elif entry.created is None:
        notes.append(f"{METADATA} says no time that can be read: the file times count")
    if fault := where.fault(where.folder / entry.folder):
        contents = RefusedContents(fault)
    for submitter in entry.submitters or (StudentIdentity(),):
        name = submitter.name or submitter.email or submitter.id or entry.folder
        others = ", ".join(
            partner.name or str(partner.email) for partner in entry.submitters if partner is not submitter
        )
        together = [f"handed in together with {others}"] if others else []
        yield Attempt(
            student=student_key(name),
            contents=contents,
            source=entry.folder,
            identity=submitter,
            account=submitter.email or "",
            submitted=entry.created,
            time_source="Gradescope",
            notes=(*together, *notes),
        )


def _metadata(file: Path, zone: ZoneInfo) -> Iterator[_Entry]:
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise IntakeError(f"{file} is too large for a list of submissions.")
        root = yaml.compose(file.read_text("utf-8-sig"), Loader=_LOADER)
    except OSError as error:
        raise IntakeError(f"{file} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise IntakeError(f"{file} cannot be read: {error}") from None
    for folder, node in _mapping_pairs(root):
        facts = dict(_mapping_pairs(node))
        submitters = facts.get("submitters")
        people = submitters.value if isinstance(submitters, yaml.SequenceNode) else ()
        yield _Entry(folder, tuple(map(_identity, people)), _parsed_time(_text(facts.get("created_at")), zone))


def _identity(node: yaml.Node) -> StudentIdentity:
    texts = {key: _text(value) for key, value in _mapping_pairs(node)}
    return StudentIdentity(name=texts.get("name"), id=texts.get("sid"), email=texts.get("email"))


def _mapping_pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    """Yield the keys of a mapping, without the colon of Ruby's symbols, and their values."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value).removeprefix(":"), value


def _text(node: yaml.Node | None) -> str | None:
    if not isinstance(node, yaml.ScalarNode) or node.tag == "tag:yaml.org,2002:null":
        return None
    return str(node.value).strip() or None


def _parsed_time(text: str | None, zone: ZoneInfo) -> datetime | None:
    """Read a time such as `2025-10-27 00:59:00.123456000 Z`, in whole seconds."""
    match = _TIME.fullmatch(text or "")
    if not match:
        return None
    offset = timedelta(hours=int(match["hours"] or 0), minutes=int(match["minutes"] or 0))
    try:
        offset_zone = timezone(-offset if match["sign"] == "-" else offset)
        return datetime.fromisoformat(f"{match['date']}T{match['time']}").replace(tzinfo=offset_zone).astimezone(zone)
    except (ValueError, OverflowError):
        return None
