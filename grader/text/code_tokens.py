"""Tokens of programs in any language: the lexer for a file, and the kinds of tokens."""

import re
from functools import cache, lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.token import _TokenType
from pygments.util import ClassNotFound

_LONGEST_LINE = 2_000
# The lexers for C and Java take quadratic time to search for the start of a function after many words or blank lines.
_LONGEST_HEAD = 1_000
_LONGEST_PIECE = 100
_MANY_BLANK_LINES = re.compile(r"(?:\n[^\S\n]*){40}")
_STRING = r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?"
_COMMENTS = {
    True: re.compile(rf"(\#[^\n]*\n?|\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|{_STRING})", re.DOTALL),
    False: re.compile(rf"(//[^\n]*\n?|/\*.*?(?:\*/|\Z)|{_STRING})", re.DOTALL),
}
"""Comments and strings of Python, and of other languages."""
_NOT_IN_HEAD = re.compile(r"[^\w\s*&<>\[\],.:?@]")


def plain_lexer() -> Lexer:
    """Return a lexer that turns any text into a single token."""
    lexer: Lexer = TextLexer(stripnl=False, ensurenl=False)
    return lexer


@lru_cache
def lexer_for(file: str) -> Lexer:
    """Return the lexer for a file with this name, or the plain lexer if the name does not identify a language."""
    try:
        lexer: Lexer = get_lexer_for_filename(file, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return plain_lexer()
    return lexer


def lexed_pieces(file: str, text: str) -> list[str]:
    """Split a program into pieces that its lexer reads in linear time: one if possible, otherwise a few lines each."""
    return _short_pieces(file, text) if takes_long(file, text) else [text]


def takes_long(file: str, text: str) -> bool:
    """Return whether the lexer for a file with this name may take more than linear time for `text`."""
    is_long = max(map(len, text.split("\n"))) > _LONGEST_LINE
    if is_long or file.endswith(".py"):
        return is_long
    return max(map(len, _NOT_IN_HEAD.split(text))) > _LONGEST_HEAD or _MANY_BLANK_LINES.search(text) is not None


def _short_pieces(file: str, text: str) -> list[str]:
    """Split a program at ends of lines and comments if possible; part of a comment would be read as code."""
    longest = _LONGEST_LINE if file.endswith(".py") else _LONGEST_PIECE
    pieces = [""]
    for part in _COMMENTS[file.endswith(".py")].split(text):
        is_comment = part.startswith(("#", "//")) or (part.startswith("/*") and part.endswith("*/"))
        for line in [part] if is_comment or len(part) <= longest else part.splitlines(keepends=True):
            step = max(len(line), 1) if is_comment else longest
            for start in range(0, len(line), step):
                piece = line[start : start + step]
                if len(pieces[-1]) + len(piece) > longest:
                    pieces.append("")
                pieces[-1] += piece
    return pieces


@cache
def is_kind(kind: _TokenType, *kinds: _TokenType) -> bool:
    """Return whether the kind is one of these, or a subtype of one."""
    return any(kind[: len(candidate)] == candidate for candidate in kinds)
