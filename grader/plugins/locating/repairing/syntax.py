"""Mends simple syntax errors: a missing colon, bracket or quote, one too many, `=` for `==`, or a wrong indentation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.plugins.locating.ranking import parsed
from grader.text.syntax import parse

_MAX_FIXES = 3
_MAX_KEPT = 6
_BLOCKS = ("def", "class", "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "match", "case")
_CLOSING = (")", "]", "}", "'", '"', "')", '")')
_STEP = "    "


@dataclass(frozen=True)
class MendedSyntax:
    """A version of a program that can be parsed, and a description of each fix."""

    text: str
    fixes: tuple[str, ...]


def mended_syntax(text: str) -> list[MendedSyntax]:
    """Return versions of a program that has a syntax error, with as few fixes as possible, or nothing."""
    versions = [MendedSyntax(text, ())]
    for _ in range(_MAX_FIXES):
        versions = [
            MendedSyntax(fixed, (*version.fixes, words))
            for version in versions
            for fixed, words in _fixed(version.text)
        ]
        whole = [version for version in versions if parsed(version.text)]
        if whole:
            return whole
        versions.sort(key=lambda version: _line_of_error(version.text) or 0, reverse=True)
        versions = versions[:_MAX_KEPT]
    return []


def _fixed(text: str) -> Iterator[tuple[str, str]]:
    """Yield versions whose first error comes later or is gone, and descriptions of the fixes."""
    number = _line_of_error(text)
    if number is None:
        return
    lines = text.split("\n")
    seen = {text}
    for place in (number - 1, number - 2):
        for new, words in _changed_lines(lines, place) if 0 <= place < len(lines) else ():
            version = "\n".join([*lines[:place], new, *lines[place + 1 :]])
            later = _line_of_error(version)
            if version not in seen and (later is None or later > number):
                seen.add(version)
                yield version, words


def _line_of_error(text: str) -> int | None:
    """Return the line of the first syntax error; None if there is no error, or it has no line."""
    try:
        parse(text)
    except SyntaxError as error:
        return error.lineno
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _changed_lines(lines: Sequence[str], place: int) -> Iterator[tuple[str, str]]:
    line = lines[place]
    code, comment = _without_comment(line)
    words = code.split()
    if words and words[0].rstrip(":") in _BLOCKS and not code.endswith(":"):
        yield f"{code}:{comment}", "`:` added"
    if words and words[0] in ("if", "elif", "while") and code.count("=") == 1:
        yield f"{code.replace('=', '==', 1)}{comment}", "`==` for `=`"
    for quote in ("'", '"'):
        ends = [end for end, sign in enumerate(code) if sign in ",)" and code.count(quote) % 2]
        yield from ((f"{code[:end]}{quote}{code[end:]}{comment}", f"`{quote}` added") for end in ends)
    for closing in _CLOSING:
        yield f"{code}{closing}{comment}", f"`{closing}` added"
        if code.endswith(":"):
            yield f"{code[:-1]}{closing}:{comment}", f"`{closing}` added"
    for end in (")", "]", "}", ":"):
        if code.endswith(end):
            yield f"{code[:-1]}{comment}", f"without `{end}`"
    bare = line.lstrip()
    indents = sorted({_indent(other) for other in lines[:place] if other.strip()}, key=len, reverse=True)
    for indent in dict.fromkeys([f"{_indent(line)}{_STEP}", *(f"{indent}{_STEP}" for indent in indents[:1]), *indents]):
        if bare and indent != _indent(line):
            yield f"{indent}{bare}", f"another indentation of `{bare.strip()}`"


def _without_comment(line: str) -> tuple[str, str]:
    """Split a line into its code and the comment after it; a `#` may also be in a text, which then cannot be mended."""
    code, sign, comment = line.partition("#")
    body = code.rstrip()
    return body, f"{code[len(body) :]}{sign}{comment}"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
