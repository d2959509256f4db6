"""The cause that shows when text is not printed as UTF-8."""

from collections.abc import Callable

from grader.judge.causes.finder import finds
from grader.judge.evidence import FailureEvidence
from grader.model.cause import Cause, CauseSubject
from grader.model.judgement import Diagnosis

ENCODING = Cause("encoding", CauseSubject.CHARACTERS)

_BYTE_ORDER_MARK = "\udcff\udcfe\udcef\udcbb\udcbf\ufeff"


_LONGEST = 100_000


def _as_bytes(encoding: str) -> Callable[[str], str]:
    """What a reader of UTF-8 sees of text that is printed in `encoding`."""
    return lambda text: text.encode(encoding, "surrogateescape").decode("utf-8", "surrogateescape")


def _read_as(encoding: str) -> Callable[[str], str]:
    """What becomes of text in UTF-8 that a program reads in `encoding` and prints."""
    return lambda text: text.encode("utf-8", "surrogateescape").decode(encoding)


def _replaced(by: str) -> Callable[[str], str]:
    return lambda text: "".join(one if one.isascii() else by for one in text)


_DAMAGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("are printed byte by byte, as if UTF-8 were Latin-1", _read_as("latin-1")),
    ("are printed byte by byte, as if UTF-8 were Windows-1252", _read_as("cp1252")),
    ("are printed in Latin-1, not in UTF-8", _as_bytes("latin-1")),
    ("are printed in Windows-1252, not in UTF-8", _as_bytes("cp1252")),
    ("are replaced by question marks", _replaced("?")),
    ("are replaced by U+FFFD (replacement character)", _replaced("\ufffd")),
    ("are printed as escapes", lambda text: text.encode("ascii", "backslashreplace").decode()),
)


@finds(ENCODING)
def encoding(evidence: FailureEvidence) -> Diagnosis | None:
    """The first differing line is right but for its encoding."""
    pair = evidence.pair
    if pair is None or max(len(pair.expected), len(pair.actual)) > _LONGEST:
        return None
    if _is_utf_16(pair.expected, pair.actual):
        return Diagnosis(ENCODING, f"Line {pair.number} is printed in UTF-16, not in UTF-8.")
    if pair.expected.isascii():
        return None
    for how, damage in _DAMAGES:
        if _damaged(damage, pair.expected) == pair.actual:
            said = f"In line {pair.number} the characters that are not ASCII {how}{_rest(damage, evidence)}."
            return Diagnosis(ENCODING, said)
    return None


def _is_utf_16(expected: str, actual: str) -> bool:
    plain = actual.replace("\0", "").lstrip(_BYTE_ORDER_MARK)
    return plain == expected and 2 * actual.count("\0") >= len(expected) > 1


def _damaged(damage: Callable[[str], str], text: str) -> str | None:
    try:
        return damage(text)
    except UnicodeError:
        return None


def _rest(damage: Callable[[str], str], evidence: FailureEvidence) -> str:
    lines = zip(evidence.expected_lines, evidence.actual_lines, strict=False)
    counts = len(evidence.expected_lines) == len(evidence.actual_lines)
    is_all = counts and all(actual in (expected, _damaged(damage, expected)) for expected, actual in lines)
    return "; all else is right" if is_all else ""
