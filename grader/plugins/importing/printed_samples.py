"""Extracts sample sessions from handouts: text in fences and tags, without the markup of the page."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.plugins.importing.course_draft import ImportingError

_RANGE = re.compile(r"(\d+)-(\d+)")
_FENCE = re.compile(r"\s*(?P<fence>```+|~~~+)\s*(?P<word>[\w-]*)[^`]*")
_TAG = re.compile(r"\s*(?:</?(?:p|br|div|code|samp|pre|sample-output)\b[^>]*>\s*)+")
_OPENS = re.compile(r"\s*<(?P<tag>pre|samp|sample-output)\b[^>]*>\s*")
_COMMENT = re.compile(r"\s*<!--.*")
_SESSIONS = frozenset(("", "text", "txt", "console", "plaintext", "output", "terminal", "none", "shell", "sh", "bash"))
_MARK = re.compile(
    r"(?:\*\*(?P<stars>[^\s*](?:[^*]*[^\s*])?)\*\*|<(?P<tag>b|strong|kbd|u|em|i)>(?P<tagged>.+?)</(?P=tag)>)\s*"
)
_PROMPT = re.compile(
    r"\s*(?:[\w.-]+@[\w.-]+[^$#%]*)?(?:\$|[%>#](?=\s*(?:\./|python|java\b)))\s+(?P<command>[./~A-Za-z].*)"
)
_BARE_PROMPT = re.compile(r"\s*(?:[\w.-]+@[\w.-]+[^$#%]*)?\$\s*")
_STARTS = re.compile(r"(?:\./\S+|(?:python|python3|py|java)\s+(?:-\S+\s+)*\S+)(?P<arguments>(?:\s.*)?)")
_MARGINS = (re.compile(r"\s*\*(?: |$)"), re.compile(r"\s*//(?: |$)"), re.compile(r"\s*#(?: |$)"))
_SOURCES = frozenset((".java", ".c", ".h", ".cpp", ".py"))


@dataclass(frozen=True)
class SampleLine:
    """A line of a sample: its number in the handout, its text, and the typed part at its end, if marked."""

    number: int
    text: str
    marked: str | None = None


@dataclass(frozen=True)
class PrintedSample:
    """A session in a handout: its lines, and the program's arguments if a command line shows them."""

    lines: tuple[SampleLine, ...]
    arguments: tuple[str, ...] = ()
    margin: str = ""
    """The indentation of all its lines on the page, which is not part of `lines`."""

    def with_margin(self) -> "PrintedSample":
        """Return the sample of a program that prints this indentation."""
        lines = (replace(line, text=(self.margin + line.text).rstrip()) for line in self.lines)
        return replace(self, lines=tuple(lines), margin="")

    def rest(self, place: int) -> "PrintedSample":
        """Return the lines from an index on as a separate sample."""
        return replace(self, lines=self.lines[place:])

    @property
    def first(self) -> int:
        """The number of its first line."""
        return self.lines[0].number

    @property
    def text(self) -> str:
        """The session as shown on the screen."""
        return "".join(f"{line.text}\n" for line in self.lines)


def printed_samples(file: Path, ranges: Sequence[str]) -> tuple[PrintedSample, ...]:
    """Return the samples in ranges of lines such as `40-95`, by default in all blocks of a page.

    A file without blocks is one sample. Raises ImportingError.
    """
    lines = list(enumerate(file.read_text("utf-8-sig", "replace").splitlines(), 1))
    shown = _without_comments(file, lines)
    blocks = [_in_range(file, text, lines) for text in ranges] or list(_blocks(shown)) or [lines]
    return tuple(sample for block in blocks for sample in _sessions(*_cleaned(file, _without_comments(file, block))))


def has_blocks(file: Path) -> bool:
    """Return whether a page marks its samples with fences or tags."""
    lines = list(enumerate(file.read_text("utf-8-sig", "replace").splitlines(), 1))
    return any(_blocks(_without_comments(file, lines)))


def trimmed(lines: tuple[SampleLine, ...]) -> tuple[SampleLine, ...]:
    """Return the lines without blank lines at either end."""
    full = [place for place, line in enumerate(lines) if line.text.strip()]
    return lines[full[0] : full[-1] + 1] if full else ()


_Numbered = list[tuple[int, str]]


def _in_range(file: Path, text: str, lines: _Numbered) -> _Numbered:
    match = _RANGE.fullmatch(text)
    first, last = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= first <= last <= len(lines):
        raise ImportingError(f"`{text}` is no range of lines of {file}; expected one such as 1-{len(lines)}.")
    return lines[first - 1 : last]


def _blocks(lines: _Numbered) -> Iterator[_Numbered]:
    """Yield the lines in each fence that is not marked as a programming language, and in each tag for samples."""
    block: _Numbered | None = None
    ends, is_sample = re.compile(""), False
    for number, line in lines:
        if block is None:
            fence, tag = _FENCE.fullmatch(line), _OPENS.fullmatch(line)
            if fence or tag:
                block, is_sample = [], tag is not None or (fence is not None and fence["word"].lower() in _SESSIONS)
                ends = re.compile(rf"\s*(?:{re.escape(fence['fence']) if fence else '</' + str(tag and tag['tag'])}).*")
        elif ends.fullmatch(line):
            if is_sample and block:
                yield block
            block = None
        else:
            block.append((number, line))


def _without_comments(file: Path, lines: _Numbered) -> _Numbered:
    """Return the lines of a page that a reader sees. Programs do not have these comments."""
    visible: _Numbered = []
    in_comment = False
    for number, line in lines:
        if in_comment or (file.suffix not in _SOURCES and _COMMENT.fullmatch(line)):
            in_comment = "-->" not in line
        else:
            visible.append((number, line))
    return visible


def _cleaned(file: Path, lines: _Numbered) -> tuple[_Numbered, str]:
    """Return lines without fences, tags and their common indentation, and that indentation."""
    is_source = file.suffix in _SOURCES
    cleaned = [(number, line) for number, line in lines if _FENCE.fullmatch(line) is None]
    for margin in _MARGINS * 2 if is_source else ():
        if cleaned and all(margin.match(line) for _, line in cleaned):
            cleaned = [(number, margin.sub("", line, count=1)) for number, line in cleaned]
    indent = min((len(line) - len(line.lstrip()) for _, line in cleaned if line.strip()), default=0)
    shown = [(number, line[indent:]) for number, line in cleaned if _TAG.fullmatch(line) is None]
    return shown, " " * indent


def _sessions(lines: _Numbered, margin: str) -> Iterator[PrintedSample]:
    """Yield the session after each command line, and the session before the first one."""
    session: _Numbered = []
    arguments: tuple[str, ...] = ()
    for number, line in [*lines, (0, "$ ")]:
        command = _PROMPT.fullmatch(line)
        if command is None and not _BARE_PROMPT.fullmatch(line):
            session.append((number, line))
            continue
        if shown := trimmed(tuple(_marked(place, text) for place, text in session)):
            yield PrintedSample(shown, arguments, margin)
        session, arguments = [], _arguments(command["command"]) if command else ()


def _arguments(command: str) -> tuple[str, ...]:
    match = _STARTS.fullmatch(command.strip())
    try:
        return tuple(shlex.split(match["arguments"])) if match else ()
    except ValueError:
        return ()


def _marked(number: int, line: str) -> SampleLine:
    """Return a line without the marks around typed text."""
    for match in _MARK.finditer(line):
        if match.end() == len(line):
            typed = match["stars"] or match["tagged"]
            return SampleLine(number, line[: match.start()] + typed, typed)
    return SampleLine(number, line)
