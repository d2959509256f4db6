"""Reads the traceback of a Python program from its output."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

_HEADER = "Traceback (most recent call last):\n"
_GROUP = f"  + Exception Group {_HEADER}"
_FRAME = re.compile(r'  File "(?P<file>[^"\n]+)", line (?P<line>\d+)(?:, in .*)?')
_ERROR = re.compile(r"(?P<kind>[^\W\d][\w.<>]*)(?:: (?P<message>.*))?")
# Python's errors about a file as a whole. They are the last thing that Python prints, because a program may define
# errors with the same names.
_UNREADABLE = re.compile(
    r"^SyntaxError: (?P<message>(?:Non-UTF-8 code starting with '\\x..'|encoding problem: .{1,100}))"
    r"(?: in file \S+ on line (?P<line>\d+).*)?\n?\Z",
    re.M,
)

_NOT_INDENTED = re.compile(r"^(?! )", re.M)
_CHAINED = (
    "\n\nDuring handling of the above exception, another exception occurred:\n\n",
    "\n\nThe above exception was the direct cause of the following exception:\n\n",
)

_LONGEST = 120
_LONGEST_LINE = 1000
# Far more than the thousand calls that Python allows. The innermost calls are at the end.
_MAX_READ = 1_000_000
_NO_MODULE = re.compile(r"No module named '(?P<name>\w+)'")
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")
_STACK = re.compile(re.escape(_HEADER) + r"(?P<frames>(?:  .*\n)*)")


@dataclass(frozen=True, kw_only=True)
class Traceback:
    """The content of a traceback: the error, and the innermost line in the student's own files.

    `offset` is its start in the output. `file`, `line` (None if unknown) and `code` describe that line. `compiling` is
    true if Python could not even parse the file. `provided` is the provided module that raised the error, or empty. The
    strings are limited to a few hundred characters, and can contain any character.
    """

    offset: int
    error: str
    message: str
    file: str
    line: int | None
    code: str
    compiling: bool
    provided: str = ""

    @property
    def missing_module(self) -> str | None:
        """Return the name of the module that could not be found; None for other errors."""
        match = _NO_MODULE.fullmatch(self.message) if self.error == ModuleNotFoundError.__name__ else None
        return None if match is None else match["name"]


@dataclass(frozen=True)
class _Frame:
    file: str
    line: int
    code: str


def find_traceback(output: str, program: str, provided: Collection[str] = ()) -> Traceback | None:
    """Return the last traceback in `output`; invalid Python source produces one without a header.

    `provided` names the modules next to the program that the student has not written.
    """
    group = output.rfind(_GROUP)
    if group >= 0 and f"\n{_HEADER}" not in output[group:]:
        plain = re.sub(r"^  [|+] ?", "", output[group : group + _MAX_READ], flags=re.M)
        traceback = _read(plain, 0, plain.index("\n") + 1, program, provided)
        return replace(traceback, offset=group) if traceback else None
    start = output.rfind(_HEADER)
    if start >= 0:
        return _read(output, start, start + len(_HEADER), program, provided)
    headless = re.search(rf'^  File "{re.escape(program)}", line ', output, re.M)
    if headless:
        traceback = _read(output, headless.start(), headless.start(), program, provided)
        return traceback if traceback and traceback.compiling else None
    return _unreadable(output, program)


def first_traceback(output: str, program: str, start: int, provided: Collection[str] = ()) -> Traceback | None:
    """Return the first traceback from `start` onwards, which for chained exceptions is the last in the chain."""
    start = output.find(_HEADER, start)
    if start < 0:
        return None
    following = output.find(_HEADER, start + 1)
    while following >= 0 and output.endswith(_CHAINED, start, following):
        start, following = following, output.find(_HEADER, following + 1)
    return _read(output, start, start + len(_HEADER), program, provided)


def start_of_chain(output: str, start: int) -> int:
    """Return the start of the chain of tracebacks that ends with the traceback at `start`."""
    while output.endswith(_CHAINED, 0, start) and (earlier := output.rfind(_HEADER, 0, start)) >= 0:
        start = earlier
    return start


def stack_frames(output: str) -> list[range]:
    """Return the ranges of `output` between the header and the error of each traceback."""
    return [range(*match.span("frames")) for match in _STACK.finditer(output)]


def with_frames_of(text: str, source: str) -> str:
    """Return `text` with the stack frames of each traceback replaced by the frames in the same place of `source`.

    As in doctest, programs may raise an exception on any line.
    """
    for range_of_frames, frames in reversed(list(zip(stack_frames(text), stack_frames(source), strict=False))):
        text = text[: range_of_frames.start] + source[frames.start : frames.stop] + text[range_of_frames.stop :]
    return text


def _read(output: str, offset: int, position: int, program: str, provided: Collection[str]) -> Traceback | None:
    frames, position = _frames(output, position)
    line, position = _line(output, position)
    error = _ERROR.fullmatch(line)
    if error is None and frames:
        # Python prints any text as the name of a class.
        error = re.match(r"(?P<kind>.+)(?P<message>$)?", line)
    if error is None or not (frames or error["kind"].endswith("Error")):
        return None
    message = (error["message"] or "").strip()
    if not message and error["message"] is not None:
        message = _line(output, position)[0].strip()
    beside = [frame for frame in frames if _is_own(frame.file, program)]
    last = next((frame for frame in reversed(beside) if frame.file not in provided), beside[-1] if beside else None)
    compiling = error["kind"] in _SYNTAX and (not frames or last is frames[-1])
    traceback = _traceback(offset, error["kind"], message, last, compiling=compiling)
    return replace(traceback, provided=beside[-1].file) if beside and last is not beside[-1] else traceback


def _frames(output: str, position: int) -> tuple[list[_Frame], int]:
    """Read the stack frames from `position` onwards, outermost first, and return the position of the error's name."""
    match_of_end = _NOT_INDENTED.search(output, position)
    end = match_of_end.start() if match_of_end else len(output)
    if end - position > _MAX_READ:
        position = _line(output, end - _MAX_READ)[1]
    frames: list[_Frame] = []
    while position < end:
        line, position = _line(output, position)
        match = _FRAME.fullmatch(line)
        if match:
            code = _line(output, position)[0] if output.startswith("    ", position) else ""
            frames.append(_Frame(match["file"], int(match["line"][:9]), code.strip()[:_LONGEST]))
    return frames, end


def _traceback(offset: int, kind: str, message: str, frame: _Frame | None, *, compiling: bool) -> Traceback:
    return Traceback(
        offset=offset,
        error=kind[:_LONGEST],
        message=message[:_LONGEST] + "…" * (len(message) > _LONGEST),
        file=frame.file if frame else "",
        line=frame.line if frame else None,
        code=frame.code if frame else "",
        compiling=compiling,
    )


def _unreadable(output: str, program: str) -> Traceback | None:
    """Parse the one-line error that Python prints for a file in the wrong encoding."""
    start = output.rfind("SyntaxError: ")
    match = _UNREADABLE.match(output, start) if start >= 0 else None
    if match is None:
        return None
    frame = _Frame(program, int(match["line"][:9]), "") if match["line"] else None
    return _traceback(match.start(), "SyntaxError", match["message"], frame, compiling=True)


def _is_own(file: str, program: str) -> bool:
    """Return whether a file is the student's, with a relative name; Python's own files have full paths."""
    return file == program or not file.startswith(("/", "<"))


def _line(text: str, position: int) -> tuple[str, int]:
    """Return the line at `position`, shortened if very long, and the start of the next line."""
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    return text[position : min(end, position + _LONGEST_LINE)], min(end + 1, len(text))
