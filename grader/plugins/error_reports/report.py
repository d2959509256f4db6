"""Reads the reports of sanitizers and valgrind: the errors, and the lines in the student's files."""

import re
from collections.abc import Iterator
from itertools import chain

from grader.judge.found_errors import ErrorKind, FoundError
from grader.text.escape import escape_controls
from grader.text.sentence import Sentence, say, say_plural

# Code in a library header was called from a line in the student's file, which is among the frames.
_UNDEFINED = re.compile(
    r"^(?:(?P<file>[^\s:]+):(?P<line>\d+):\d+: |.*)runtime error: (?P<said>.*)$(?P<frames>(?:\n +#\d+ .*)*)", re.M
)
_INDEX = re.compile(r"index (?P<index>-?\d+) out of bounds for type '(?P<type>[^']*)'")
# A repeated report of an index on the same line.
_TOLD_AGAIN = re.compile(r".* with insufficient space for an object of type")
_ADDRESS = re.compile(r"^==\d+==ERROR: AddressSanitizer: (?P<said>.*)$", re.M)
_ACCESS = re.compile(r"^(?P<kind>READ|WRITE) of size (?P<size>\d+) ", re.M)
_BLOCK = re.compile(
    r"is located (?P<away>\d+) bytes (?P<side>to the right of|to the left of|after|before|inside of) "
    r"(?P<size>\d+)-byte region"
)
_VARIABLE = re.compile(
    r"\[(?P<start>\d+), (?P<end>\d+)\) '(?P<name>[^'\n]{0,200})'[^\n]{0,80}"
    r"<== Memory access at offset (?P<offset>\d+)"
)
_GLOBAL = re.compile(
    r"is located (?P<away>\d+) bytes (?P<side>to the right of|to the left of|after|before|inside of) "
    r"global variable '(?P<name>[^'\n]{0,200})' defined in .{0,1000} of size (?P<size>\d+)"
)
_READS, _WRITES, _NULL_POINTER = say("reads"), say("writes"), say("follows a null pointer")
_SAYINGS: tuple[tuple[str, Sentence], ...] = (
    ("attempting double-free", say("frees memory that it has freed already")),
    ("attempting free on address which was not malloc", say("frees an address that it did not get from malloc or new")),
    (
        "alloc-dealloc-mismatch",
        say(
            "frees memory in another way than it was allocated (malloc with free, new with delete, new[] with delete[])"
        ),
    ),
    ("stack-overflow", say("fills the stack, often by a recursion that does not end")),
    ("requested allocation size", say("asks for more memory than there can be")),
    ("allocation-size-too-big", say("asks for more memory than there can be")),
)
_LEAK = re.compile(r"^Direct leak of (?P<size>\d+) byte\(s\) in \d+ object\(s\) allocated from:$", re.M)
_PREFIX = re.compile(r"^==\d+== ?", re.M)
# Precedes events in a different thread; a thread may have a name, which the student chooses.
_THREAD = re.compile(r"\AThread \d+(?: [^\n]*)?:\n")
_LOST = re.compile(r"(?P<size>[\d,]+) (?:\([^)]*\) )?bytes in [\d,]+ blocks are definitely lost")
_INVALID = re.compile(r"Invalid (?P<kind>read|write) of size (?P<size>\d+)")
_NEAR = re.compile(
    r"Address \S+ is (?P<away>[\d,]+) bytes (?P<side>after|before|inside) a block of size (?P<size>[\d,]+) "
    r"(?P<state>alloc'd|free'd)"
)
_SAID_BY_VALGRIND: tuple[tuple[str, Sentence], ...] = (
    ("Conditional jump or move depends on uninitialised", say("decides by a value that was never set")),
    ("Use of uninitialised value", say("uses a value that was never set")),
    ("Syscall param", say("gives a value that was never set to the system, as when it is printed")),
    ("Mismatched free()", _SAYINGS[2][1]),
    ("Source and destination overlap", say("copies between pieces of memory that overlap")),
    ("Argument '", _SAYINGS[4][1]),
    ("Stack overflow", _SAYINGS[3][1]),
    ("Orders to valgrind", say("gives orders to valgrind, as the macros of `valgrind.h` do")),
)
# These are not errors: a failed allocation, and valgrind's own remarks.
_REMARK = re.compile(
    r"==\d+==WARNING: AddressSanitizer failed to allocate .*| +#\d+ 0x.*|(==|\*\*|--)\d+\1(?: .*)?|\s*"
)
_NOT_A_REPORT = say("writes to where its errors are reported (descriptor 3), so that its memory cannot be checked")
_NOT_CHECKED = say("ends so that its memory cannot be checked: return from `main`, or call `exit`")
_SANITIZER_FRAME = re.compile(r"^ +#\d+ 0x\S+ in (?:.* )?(?P<file>[^\s:]+):(?P<line>\d+)(?::\d+)?$", re.M)
_MAX_FRAMES = 50_000
"""The maximum number of characters in the frames of a leak."""
_VALGRIND_FRAME = re.compile(r"^ +(?:at|by) 0x\S+: .*\((?P<file>[^\s:()]+):(?P<line>\d+)\)$", re.M)


def errors_in(report: str) -> tuple[FoundError, ...]:
    """Return the errors in a report, in order."""
    errors_by_place: list[tuple[int, FoundError]] = []
    for read in (_undefined, _address, _leaks_of_sanitizer, _valgrind):
        errors_by_place += read(report)
    errors = [error for _, error in sorted(errors_by_place, key=lambda pair: pair[0])]
    if not errors and not all(map(_REMARK.fullmatch, report.split("\n"))):
        return (FoundError(ErrorKind.MEMORY, _NOT_A_REPORT, file=None, line=None),)
    # If valgrind ended the program after another error, it is not the student's fault that leaks were not checked.
    errors = [error for error in errors if error.what != _NOT_CHECKED] or errors
    wrong_uses = {(error.file, error.line) for error in errors if error.kind is ErrorKind.MEMORY}
    # Two sanitizers may report the same error, and the address sanitizer gives more detail.
    return tuple(
        error for error in errors if error.kind is not ErrorKind.UNDEFINED or (error.file, error.line) not in wrong_uses
    )


def _undefined(report: str) -> Iterator[tuple[int, FoundError]]:
    for match in _UNDEFINED.finditer(report):
        message = match["said"]
        index = _INDEX.fullmatch(message)
        if _TOLD_AGAIN.match(message) and "out of bounds for type" in report:
            continue
        if index:
            place = {"index": index["index"], "type": _plain(index["type"])}
            what = say("uses index {index} of an array of type {type}, which has no such element", **place)
        else:
            what = say("does what is undefined ({said})", said=_plain(message))
        named = [(match["file"], int(match["line"]))] if match["file"] else []
        file, line = _own_line(chain(named, _frames_of_sanitizer(match["frames"])))
        yield match.start(), FoundError(ErrorKind.UNDEFINED, what, file, line)


def _address(report: str) -> Iterator[tuple[int, FoundError]]:
    match = _ADDRESS.search(report)
    if match is None:
        return
    body = report[match.end() :]
    file, line = _own_line(_frames_of_sanitizer(body))
    what = next((words for sign, words in _SAYINGS if match["said"].startswith(sign)), None)
    yield match.start(), FoundError(ErrorKind.MEMORY, what or _access(match["said"], body), file, line)


def _access(summary: str, body: str) -> Sentence:
    access = _ACCESS.search(body)
    if summary.startswith("SEGV"):
        nowhere = "address points to the zero page" in body
        return _NULL_POINTER if nowhere else say("uses an address that is not its own")
    if access is None:
        return say("uses memory wrongly ({said})", said=_plain(summary.split(" ")[0]))
    verb, size = (_READS if access["kind"] == "READ" else _WRITES), int(access["size"])
    if "use-after-free" in summary:
        return _freed(verb)
    if "use-after-return" in summary or "use-after-scope" in summary:
        return say("{verb} a variable of a function or block that has ended", verb=verb)
    for pattern in (_BLOCK, _GLOBAL):
        match = pattern.search(body)
        if match:
            after = match["side"] in ("to the right of", "after")
            name = match.groupdict().get("name")
            return _beyond(verb, size, int(match["away"]), int(match["size"]), after=after, name=name)
    local = _VARIABLE.search(body)
    if local:
        start, end, offset = int(local["start"]), int(local["end"]), int(local["offset"])
        away = offset - end if offset >= end else start - offset
        return _beyond(verb, size, away, end - start, after=offset >= end, name=local["name"])
    return say("{verb} {amount} outside of what it may use", verb=verb, amount=_bytes(size))


def _freed(verb: Sentence) -> Sentence:
    return say("{verb} memory that it has freed", verb=verb)


def _bytes(count: int) -> Sentence:
    return say_plural(count, "{count} byte", "{count} bytes")


def _beyond(verb: Sentence, size: int, away: int, whole: int, *, after: bool, name: str | None) -> Sentence:
    """Describe an access beyond a block, in elements if the offset is a multiple of their size, otherwise in bytes."""
    words = {
        "verb": verb,
        "side": say("past the end") if after else say("before the start"),
        "name": say(" {name},", name=f"`{_plain(name)}`") if name else "",
    }
    if whole % size == 0 and away % size == 0 and whole > size:
        elements = say_plural(away // size + after, "{count} element", "{count} elements")
        size_words = whole // size
        return say("{verb} {amount} {side} of{name} an array of {size}", amount=elements, size=size_words, **words)
    return say("{verb} {amount} {side} of{name} a block of {size}", amount=_bytes(size), size=_bytes(whole), **words)


def _leaks_of_sanitizer(report: str) -> Iterator[tuple[int, FoundError]]:
    for match in _LEAK.finditer(report):
        frames = report[match.end() : match.end() + _MAX_FRAMES].partition("\n\n")[0].partition("\nDirect leak")[0]
        file, line = _own_line(_frames_of_sanitizer(frames))
        yield match.start(), _leak(int(match["size"]), file, line)


def _leak(size: int, file: str | None, line: int | None) -> FoundError:
    return FoundError(ErrorKind.LEAK, say("never frees {amount} that it allocates", amount=_bytes(size)), file, line)


def _valgrind(report: str) -> Iterator[tuple[int, FoundError]]:
    if not _PREFIX.search(report):
        return
    for number, paragraph in enumerate(re.split(r"\n\s*\n", _PREFIX.sub("", report))):
        first = _THREAD.sub("", paragraph.strip()).split("\n", 1)[0]
        file, line = _own_line(_frames_of_valgrind(paragraph))
        lost = _LOST.match(first)
        if lost:
            yield number, _leak(_number(lost["size"]), file, line)
        elif first == "Memory not checked":
            yield number, FoundError(ErrorKind.LEAK, _NOT_CHECKED, file, line)
        elif what := _wrong_use(first, paragraph):
            yield number, FoundError(ErrorKind.MEMORY, what, file, line)


def _wrong_use(first: str, paragraph: str) -> Sentence | None:
    """Return the error in a paragraph of valgrind's report, or None."""
    invalid, near = _INVALID.match(first), _NEAR.search(paragraph)
    if invalid:
        verb, size = (_READS if invalid["kind"] == "read" else _WRITES), int(invalid["size"])
        if near is None:
            nowhere = re.search(r"Address 0x[0-9a-f]{1,3} is not stack'd", paragraph)
            return _NULL_POINTER if nowhere else say("{verb} at an address that is not its own", verb=verb)
        if near["state"] == "free'd":
            return _freed(verb)
        after, whole = near["side"] == "after", _number(near["size"])
        return _beyond(verb, size, _number(near["away"]), whole, after=after, name=None)
    if first.startswith("Invalid free()"):
        return _SAYINGS[0][1] if near and near["state"] == "free'd" else _SAYINGS[1][1]
    return next((words for sign, words in _SAID_BY_VALGRIND if first.startswith(sign)), None)


def _number(text: str) -> int:
    return int(text.replace(",", ""))


Frame = tuple[str, int]


def _frames_of_sanitizer(text: str) -> Iterator[Frame]:
    return ((match["file"], int(match["line"])) for match in _SANITIZER_FRAME.finditer(text))


def _frames_of_valgrind(text: str) -> Iterator[Frame]:
    return ((match["file"], int(match["line"])) for match in _VALGRIND_FRAME.finditer(text))


def _own_line(frames: Iterator[Frame]) -> tuple[str | None, int | None]:
    """Return the innermost line of the student's own files; libraries have paths such as `stdlib/./stdlib/msort.c`."""
    return next(((file, line) for file, line in frames if _is_own(file)), (None, None))


def _is_own(file: str) -> bool:
    return {"", ".", ".."}.isdisjoint(file.split("/"))


def _plain(text: str) -> str:
    return escape_controls(text)
