"""A program as a sequence of tokens in which names, texts, comments and layout do not matter."""

from dataclasses import dataclass

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Name, Number, String, Text, _TokenType
from pygments.util import ClassNotFound

_MOST_CHARACTERS = 200_000


# Beyond the letters that stand for classes of tokens.
_FIRST_CODE = 0x100


@dataclass(frozen=True)
class Tokens:
    """`symbols` has one character per token, the same for those that are alike; `lines` is the line of each, from 1."""

    symbols: str
    lines: tuple[int, ...]


class Tokenizer:
    """Turns programs into tokens; the same words get the same symbol in all of them."""

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}

    def tokens(self, file: str, code: str) -> Tokens:
        """The tokens of the program `code`, in the language that the name of its file says."""
        symbols, lines = [], []
        line = 1
        for kind, text in _lexer(file).get_tokens(code[:_MOST_CHARACTERS]):
            symbol = self._symbol(kind, text)
            if symbol:
                symbols.append(symbol)
                lines.append(line)
            line += text.count("\n")
        return Tokens("".join(symbols), tuple(lines))

    def _symbol(self, kind: _TokenType, text: str) -> str:
        if _is(kind, Comment, Text, String.Doc):
            return ""
        if _is(kind, String):
            return "S"
        if _is(kind, Number):
            return "N"
        # The names of builtins are words of the language: they are not made up by who writes the program.
        if _is(kind, Name) and not _is(kind, Name.Builtin):
            return "V"
        return self._symbols.setdefault(text, chr(_FIRST_CODE + len(self._symbols)))


def _is(kind: _TokenType, *kinds: _TokenType) -> bool:
    """Whether the kind is one of these, or a special case of one."""
    return any(kind[: len(one)] == one for one in kinds)


def _lexer(file: str) -> Lexer:
    try:
        return get_lexer_for_filename(file, stripnl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False)
