"""Reads messages from students: emails, issues, text files, and the table of a feedback activity."""

import csv
import email
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parseaddr
from html import unescape
from pathlib import Path
from typing import Any

from grader.errors import GraderError, SourceLocation, quoted, reported_as
from grader.plugins.requests.fields import form_fields

_FROM_LINE = re.compile(rb"^From [^\n]*\n", re.MULTILINE)
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
_LABEL = re.compile(r"\((student|about|request)\)|^(student|about|request)$", re.IGNORECASE)
_SENDERS = ("email address", "email", "username", "id number", "idnumber", "full name", "user's name", "name", "user")
_SPACE = re.compile(r"[\s,]*")
_MAX_OF_SENDER = 500
"""The maximum length of a header. No email address is longer, and parsing takes quadratic time."""


class RequestFileError(GraderError):
    """A file with requests cannot be read."""


@dataclass(frozen=True, kw_only=True)
class ReceivedRequest:
    """A request as it was sent: `student` and `about` as written, `sender` according to the file."""

    place: SourceLocation
    student: str
    sender: str
    about: str
    text: str


def received_requests(file: Path) -> list[ReceivedRequest]:
    """Return the requests in a file, whose suffix determines its format. Raises RequestFileError."""
    readers = _readers()
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise RequestFileError(f"{file}: expected a file that ends in {', '.join(readers)}")
    with reported_as(RequestFileError, f"{file} cannot be read"):
        content = file.read_bytes()
    return list(reader(file, content))


def _requests_in_emails(file: Path, content: bytes) -> Iterator[ReceivedRequest]:
    starts = [match.end() for match in _FROM_LINE.finditer(content) if _is_between_emails(content, match.start())]
    if not content.startswith(b"From ") or file.suffix.lower() == ".eml":
        starts = [0]
    ends = [content.rfind(b"\nFrom ", 0, start) + 1 for start in starts[1:]]
    for start, end in zip(starts, [*ends, len(content)], strict=True):
        raw = re.sub(rb"^>(>*From )", rb"\1", content[start:end], flags=re.MULTILINE)
        yield from _requests_in_text(file, content.count(b"\n", 0, start) + 1, *_body_and_sender(raw))


def _is_between_emails(content: bytes, start: int) -> bool:
    return start == 0 or content.endswith((b"\n\n", b"\r\n\r\n"), 0, start)


def _body_and_sender(raw: bytes) -> tuple[str, str]:
    """Return the body of an email and the sender's address; if it cannot be parsed, return its source as the body."""
    try:
        message = email.message_from_bytes(raw)
        _, sender = parseaddr(str(message.get("From", ""))[:_MAX_OF_SENDER])
        return _body(message), sender
    # The parser's documentation does not list the exceptions that invalid emails raise.
    except Exception:
        return _decoded(raw), ""


def _body(message: Message) -> str:
    texts = [part for part in message.walk() if part.get_content_maintype() == "text" and not part.get_filename()]
    part = next((part for part in texts if part.get_content_subtype() == "plain"), texts[0] if texts else None)
    if part is None:
        return ""
    content = part.get_payload(decode=True)
    encoded = content if isinstance(content, bytes) else b""
    try:
        text = encoded.decode(part.get_content_charset("utf-8"))
    except (LookupError, ValueError):
        text = _decoded(encoded)
    text = text.replace("\r\n", "\n")
    return unescape(_TAG.sub("", _BREAK.sub("\n", text))) if part.get_content_subtype() == "html" else text


def _requests_in_issues(file: Path, content: bytes) -> Iterator[ReceivedRequest]:
    text = _decoded(content)
    for start, issue in _json_values(file, text):
        if not isinstance(issue, dict):
            raise RequestFileError(f"{file}:{_line(text, start)}: expected an issue of the API, with its `body`")
        if "pull_request" in issue:
            continue
        author = issue.get("user") or issue.get("author") or {}
        sender = str(author.get("login") or author.get("username") or "") if isinstance(author, dict) else str(author)
        body = str(issue.get("body") or issue.get("description") or "").replace("\r\n", "\n")
        for received in _requests_in_text(file, 0, body, sender):
            place = SourceLocation(file, _line(text, start), 1)
            yield ReceivedRequest(**{**vars(received), "place": place})


def _json_values(file: Path, text: str) -> Iterator[tuple[int, Any]]:
    """Yield the start and the value of each item of a list; any other value is treated as a list with one item."""
    decoder, place = json.JSONDecoder(), len(text) - len(text.lstrip())
    is_list = text.startswith("[", place)
    place = _SPACE.match(text, place + is_list).end()  # type: ignore[union-attr]
    while place < len(text) and not text.startswith("]", place):
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise RequestFileError(f"{file}:{_line(text, place)}: this is no JSON: {error}") from None
        yield place, value
        place = _SPACE.match(text, end).end()  # type: ignore[union-attr]


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _requests_in_text_file(file: Path, content: bytes) -> Iterator[ReceivedRequest]:
    return _requests_in_text(file, 1, _decoded(content).replace("\r\n", "\n"), "")


def _requests_in_table(file: Path, content: bytes) -> Iterator[ReceivedRequest]:
    text = _decoded(content).replace("\r\n", "\n").replace("\r", "\n")
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    # A student may write more into a cell than the module accepts by default.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    titles = next(rows, [])
    columns = {(match[1] or match[2]).lower(): n for n, title in enumerate(titles) if (match := _LABEL.search(title))}
    if "request" not in columns:
        raise RequestFileError(f"{file}:1: expected a column `request`, found {', '.join(map(quoted, titles))}")
    senders = {title.strip().lower(): number for number, title in enumerate(titles)}
    sender = next((senders[title] for title in _SENDERS if title in senders), -1)
    line = rows.line_num + 1
    for row in rows:
        cells = dict(enumerate(row))
        fields = {name: cells.get(number, "").strip() for name, number in columns.items()}
        yield ReceivedRequest(
            place=SourceLocation(file, line, 1),
            student=fields.get("student", ""),
            sender=cells.get(sender, "").strip(),
            about=fields.get("about", ""),
            text=fields["request"],
        )
        line = rows.line_num + 1


def _requests_in_text(file: Path, line: int, text: str, sender: str) -> Iterator[ReceivedRequest]:
    """Yield the requests in the text of a message that begins on a line."""
    for fields in form_fields(text):
        yield ReceivedRequest(
            place=SourceLocation(file, line if sender else fields.line, 1),
            student=fields.get("student"),
            sender=sender,
            about=fields.get("about"),
            text=fields.get("request"),
        )


def _decoded(content: bytes) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return content.decode(encoding, "replace")


def _readers() -> Mapping[str, Callable[[Path, bytes], Iterator[ReceivedRequest]]]:
    """Return the functions that read files, by their suffixes."""
    return {
        ".eml": _requests_in_emails,
        ".mbox": _requests_in_emails,
        ".json": _requests_in_issues,
        ".csv": _requests_in_table,
        ".txt": _requests_in_text_file,
        ".md": _requests_in_text_file,
    }
