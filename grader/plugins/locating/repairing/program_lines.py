"""Python programs as lines of tokens, so that parts of one program can be put into another."""

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_INDENT = "    "
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)

_FSTRING_START, _FSTRING_END = (getattr(tokenize, f"FSTRING_{end}", None) for end in ("START", "END"))
"""The tokens around an f-string from Python 3.12 on; before, it is one token."""

_FRAMES = (
    ("", "", 0),
    ("", "\n    pass", 0),
    ("if x:\n    pass\n", "\n    pass", 2),
    ("try:\n    pass\n", "\n    pass", 2),
    ("match x:\n    ", "\n        pass", 1),
    ("", "\ndef f():\n    pass", 0),
)
"""Texts before and after a line that make it a whole program, and the place of the line in that program."""


@dataclass(frozen=True)
class ProgramLine:
    """A logical line: how deep it is indented, and its tokens without comments."""

    depth: int
    tokens: tuple[str, ...]

    def text(self) -> str:
        """Return the line as Python's own formatter writes it, or with blanks between tokens if it has no meaning."""
        return _INDENT * self.depth + _formatted(" ".join(self.tokens))


@dataclass(frozen=True)
class SourceLine:
    """A logical line of a source text, and its `first` and `last` physical lines, counted from 1."""

    line: ProgramLine
    first: int
    last: int


def read_source(text: str) -> tuple[SourceLine, ...]:
    """Return the logical lines of a program. Raises SyntaxError if it has none."""
    return tuple(_logical_lines(text))


def program_lines(text: str) -> tuple[ProgramLine, ...]:
    """Return the logical lines of a program, written as Python's own formatter writes them. Raises SyntaxError."""
    return tuple(source.line for source in read_source(ast.unparse(ast.parse(text))))


def own_program_lines(text: str) -> tuple[ProgramLine, ...]:
    """Return the logical lines of a program as they are spelt. Raises SyntaxError."""
    return tuple(source.line for source in read_source(text))


def program_text(lines: Sequence[ProgramLine]) -> str:
    """Return the text of a program."""
    return "".join(f"{_INDENT * line.depth}{' '.join(line.tokens)}\n" for line in lines)


def size(lines: Sequence[ProgramLine]) -> int:
    """Return the number of tokens."""
    return sum(len(line.tokens) for line in lines)


def _logical_lines(text: str) -> Iterator[SourceLine]:
    depth, first, tokens = 0, 0, list[str]()
    for token in _tokens(text):
        match token.type:
            case tokenize.INDENT:
                depth += 1
            case tokenize.DEDENT:
                depth -= 1
            case tokenize.NEWLINE:
                yield SourceLine(ProgramLine(depth, tuple(tokens)), first, token.start[0])
                tokens = []
            case kind if kind not in _LAYOUT:
                first = first if tokens else token.start[0]
                tokens.append(_plain(token))


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens, an f-string as one of them. Raises SyntaxError."""
    depth, start = 0, (0, 0)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == _FSTRING_START:
                start = start if depth else token.start
                depth += 1
            elif token.type == _FSTRING_END:
                depth -= 1
                if not depth:
                    yield token._replace(type=tokenize.STRING, start=start, string=_between(text, start, token.end))
            elif not depth:
                yield token
    except tokenize.TokenError as error:
        raise SyntaxError(str(error)) from error


def _between(text: str, start: tuple[int, int], end: tuple[int, int]) -> str:
    lines = text.splitlines(keepends=True)[start[0] - 1 : end[0]]
    lines[-1] = lines[-1][: end[1]]
    lines[0] = lines[0][start[1] :]
    return "".join(lines)


def _plain(token: tokenize.TokenInfo) -> str:
    """Return a token; a string without a prefix is quoted in one way, as only its value matters."""
    if token.type == tokenize.STRING and token.string[0] in "\"'":
        return repr(ast.literal_eval(token.string))
    return token.string


def _formatted(text: str) -> str:
    for before, after, place in _FRAMES:
        try:
            lines = ast.unparse(ast.parse(f"{before}{text}{after}")).split("\n")
        except SyntaxError:
            continue
        return lines[place].strip()
    return text
