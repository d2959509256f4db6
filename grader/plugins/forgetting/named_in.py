"""Files and lines that name the student: exports, pages on similar programs, and the audit log."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.files.archive_reader import ArchiveLimits, UnsafeInputError, archive_stem, members_of
from grader.files.user_cache import user_cache
from grader.plugins.forgetting.person import Person
from grader.plugins.forgetting.removal import Found, Remainder, Removal, removed_path
from grader.plugins.forgetting.rewritten_log import rewrite_lines
from grader.reports.audit_log import FILE_NAME as AUDIT_LOG
from grader.reports.audit_log import append_lines, line_fields, log_content
from grader.reports.decision_log import now

FORGOTTEN = "grader-forgotten/1"
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_ANY = ArchiveLimits(files=1_000_000, total_bytes=10_000_000_000)


def in_other_files(folders: Iterable[Path], reports: Path, person: Person) -> Iterator[Found]:
    """Yield other files that name the student, such as exports and pages on similar programs."""
    # The files about classes are examined entry by entry, because any word in them may be a name.
    ours = [file.parent for file in reports.glob("*/results.json")]
    ours += [reports / name for name in ("html", "fuzz", AUDIT_LOG)]
    files = [
        file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file() and person.may_hold(file)
    ]
    with suppress(RuntimeError):
        files += filter(Path.is_file, [user_cache() / "last-failed.json"])
    for file in dict.fromkeys(files):
        if not any(file.is_relative_to(path) for path in ours) and any(map(person.is_named_in, _texts(file))):
            yield removed_path(file, "the file, which names the student")


def _texts(file: Path) -> Iterator[str]:
    """Yield the name and the content of a file, or of each member of an archive."""
    yield file.name
    if archive_stem(file.name) is None:
        yield _readable(file.read_bytes())
        return
    with suppress(UnsafeInputError), members_of(file, _ANY, ZoneInfo("UTC")) as members:
        for member, opened in members:
            yield "/".join(member.parts)
            with opened() as stream:
                yield _readable(stream.read())


def _readable(content: bytes) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    text = html.unescape(content.decode(encoding, "replace"))
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text)


def in_audit_log(reports: Path, person: Person) -> Iterator[Found]:
    """Yield the entries in the audit log; an anonymous line records how many lines were removed, and when."""
    file = reports / AUDIT_LOG
    changed = [(line, _without_student(line, person)) for line in log_content(file).splitlines(keepends=True)]
    for number, (_, after) in enumerate(changed, 1):
        entry = line_fields(after or b"")
        if person.covers(entry.get("assignment")) and any(map(person.is_named_in, _strings_in(entry))):
            yield Remainder(f"{file}:{number} still names {person.student} in what was decided about another student")
    gone = sum(line != after for line, after in changed)

    def act() -> None:
        rewrite_lines(file, lambda line: _without_student(line, person))
        append_lines(file, lambda _: [{"format": FORGOTTEN, "lines": gone, "at": now()}])

    if gone:
        yield Removal(str(file), f"{gone} of {len(changed)} lines", act)


def _without_student(line: bytes, person: Person) -> bytes | None:
    """Return a line of the log without the student, or None if it is only about this student."""
    entry = line_fields(line)
    if not entry:
        # Readers ignore a line left behind by a killed writer.
        return None if person.is_named_in(_readable(line)) else line
    students = entry.get("students", [entry.get("student")])
    if not person.covers(entry.get("assignment")) or person.student not in students:
        return line
    if others := [student for student in students if student != person.student]:
        return json.dumps({**entry, "students": others}).encode() + b"\n"
    return None


def _strings_in(value: object) -> Iterator[str]:
    """Yield the strings in a value, except keys."""
    match value:
        case str():
            yield value
        case dict():
            yield from _strings_in(list(value.values()))
        case list():
            for item in value:
                yield from _strings_in(item)
