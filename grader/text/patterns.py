"""Matches course authors' regular expressions against the output of students' programs, within a time limit.

Python's own `re` can take practically forever, and blocks all other threads of the process meanwhile.
"""

import re
from itertools import count
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.text.escape import quote

if TYPE_CHECKING:
    import regex
else:
    try:
        import regex
    except ImportError:
        # A bundle for students has no compiled libraries; there, students only ever wait for their own program.
        regex = None

_SECONDS = 10
# The parts of an expression that have another meaning elsewhere, or in the syntax of the module regex.
_SYNTAX = r"""
    \\N\{[^}]*\} | \\[0-7]{3}
    | \\(?P<number>[1-9][0-9]?)
    | \\.
    | (?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])
    | (?P<brace>\{)(?![0-9]*,?[0-9]*\})
    | (?P<group>\()(?:(?!\?)|\?P<\w+>)
    | \(\?P=(?P<name>\w+)\)
    | \(\?\((?P<condition>\w+)\)
    | \(\?\#[^)]*\)
"""

_PIECE = re.compile(_SYNTAX, re.VERBOSE | re.DOTALL)
_PIECE_BESIDE_COMMENTS = re.compile(_SYNTAX + r"| \#[^\n]*", re.VERBOSE | re.DOTALL)
_IN_SET = re.compile(r"\\.|\[", re.DOTALL)
_FLAGS = re.compile(r"\A(?:\(\?[a-z]+\))+")


class SlowPatternError(GraderError):
    """A pattern took too long to match."""


def as_part(pattern: str, name: str) -> str:
    """Return an expression equivalent to `pattern` that can be part of a larger expression.

    The names of its groups begin with `name`, which must be unique among the parts, and its flags only apply to it.
    """
    compiled = re.compile(pattern)
    numbers, is_verbose = compiled.groupindex, bool(compiled.flags & re.VERBOSE)
    counted = count(1)

    def renamed(piece: re.Match[str]) -> str:
        if piece["group"]:
            return f"(?P<{name}_{next(counted)}>"
        if target := piece["number"] or piece["name"]:
            return f"(?P={name}_{numbers.get(target, target)})"
        if target := piece["condition"]:
            return f"(?({name}_{numbers.get(target, target)})"
        return piece[0]

    content = _FLAGS.sub("", pattern)
    letters = "".join(sorted(set(re.findall(r"[a-z]", pattern[: len(pattern) - len(content)]))))
    inner = (_PIECE_BESIDE_COMMENTS if is_verbose else _PIECE).sub(renamed, content)
    # Such an expression may end with a comment.
    return f"(?{letters}:{inner}\n)" if is_verbose else f"(?{letters}:{inner})"


def _for_regex(pattern: str) -> str:
    """Translate Python's syntax to that of regex, where braces may specify fuzzy matching and sets may hold classes."""

    def literal(piece: re.Match[str]) -> str:
        if piece["set"]:
            inner = _IN_SET.sub(lambda match: r"\[" if match[0] == "[" else match[0], piece["set"][1:])
            return f"[{inner}"
        return r"\{" if piece["brace"] else piece[0]

    return _PIECE.sub(literal, pattern)


def is_found(pattern: str, text: str, *, ignore_case: bool) -> bool:
    """Return whether `pattern` matches in `text`; `^` and `$` match at the ends of lines. Raises SlowPatternError."""
    if regex is None:
        return re.search(pattern, text, re.MULTILINE | (re.IGNORECASE if ignore_case else 0)) is not None
    flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
    try:
        return regex.search(_for_regex(pattern), text, flags, timeout=_SECONDS) is not None
    except TimeoutError:
        raise _slow(pattern) from None


def fitting_groups(pattern: str, text: str, *, ignore_case: bool) -> dict[str, str] | None:
    """Return the named groups of `pattern` if it matches all of `text`, or else None. Raises SlowPatternError."""
    if regex is None:
        plain = re.fullmatch(pattern, text, re.IGNORECASE if ignore_case else 0)
        return None if plain is None else plain.groupdict("")
    try:
        match = regex.fullmatch(_for_regex(pattern), text, regex.IGNORECASE if ignore_case else 0, timeout=_SECONDS)
    except TimeoutError:
        raise _slow(pattern) from None
    return None if match is None else match.groupdict("")


def _slow(pattern: str) -> SlowPatternError:
    return SlowPatternError(
        f"Within {_SECONDS} seconds it could not be found out whether the pattern {quote(pattern)} fits what was "
        r"printed. Change it so that there is one way to fit: `(\w+ ?)+` has very many, `\w+( \w+)*` has one."
    )
