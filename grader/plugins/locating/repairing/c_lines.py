"""C programs as lines of tokens: a line is a statement, the head of a block, or a brace."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.plugins.locating.repairing.edits import DepthEdit, Edit, LineEdit, TokenEdit
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.renaming import NamedProgram

_TOKEN = re.compile(
    r"""(?P<layout>\s+|/\*.*?\*/|//[^\n]*|\\\n)"""
    r"""|\#\s*include[^\n]*|\#\s*\w+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*"""
    r"""|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||.""",
    re.DOTALL | re.VERBOSE,
)
_NO_BLANK_BEFORE, _NO_BLANK_AFTER = frozenset([")", "]", ";", ",", ".", "->", "++", "--", "["]), frozenset("([.!~&")
_HEADS = ("if", "for", "while", "switch", "return")
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "auto break case char const continue default do double else enum extern float for goto if inline int "
        "long register return short signed sizeof static struct switch typedef union unsigned void volatile "
        "while bool size_t FILE main stdin stdout stderr EOF NULL true false ",
    )
)
"""Words that a program does not define."""


@dataclass(frozen=True)
class CToken:
    """A token, and its place in the text."""

    text: str
    start: int
    end: int


def c_lines(text: str) -> tuple[ProgramLine, ...]:
    """Return the lines of a C program, with the number of open braces as their depth."""
    lines, depth = [], 0
    for tokens in _token_lines(text):
        words = tuple(token.text for token in tokens)
        depth -= words[0] == "}"
        lines.append(ProgramLine(depth, words))
        depth += words[-1] == "{"
    return tuple(lines)


def flat_c_lines(text: str) -> tuple[ProgramLine, ...]:
    """Return the lines of a C program without depth, because indentation has no meaning."""
    return tuple(replace(line, depth=0) for line in c_lines(text))


def c_text(lines: Sequence[ProgramLine]) -> str:
    """Return the text of a C program."""
    return "".join(f"{joined_c(line.tokens)}\n" for line in lines)


def joined_c(tokens: Sequence[str]) -> str:
    """Return tokens as they are usually written."""
    text, before = "", ""
    for word in tokens:
        is_call = word == "(" and _NAME.fullmatch(before) is not None and before not in _HEADS
        if before and not (is_call or word in _NO_BLANK_BEFORE or before in _NO_BLANK_AFTER):
            text += " "
        text += word
        before = word
    return text


def edited_c(text: str, edits: Sequence[Edit]) -> str:
    """Return the program with edits, in which everything else keeps its layout."""
    lines = list(_token_lines(text))
    for start, end, new in sorted(_replacements(text, lines, edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def named_c_program(text: str) -> NamedProgram:
    """Read a C program; its names leave out the library functions that it calls."""
    lines = flat_c_lines(text)
    parameters = {tokens[place - 1]: _parameters(tokens) for tokens in _heads(lines) for place in [tokens.index("(")]}
    pairs = [pair for line in lines for pair in zip(line.tokens, (*line.tokens[1:], ""), strict=True)]
    words = {token for token, _ in pairs if _NAME.fullmatch(token)}
    called = {token for token, after in pairs if after == "("} - parameters.keys()
    return NamedProgram(lines=lines, names=frozenset(words - _WORDS - called), parameters=parameters)


def has_balanced_brackets(text: str) -> bool:
    """Return whether each bracket of a program is closed, so that building it may succeed."""
    tokens = [token for line in flat_c_lines(text) for token in line.tokens]
    return all(tokens.count(start) == tokens.count(end) for start, end in ("()", "[]", "{}"))


def function_of_head(tokens: Sequence[str]) -> str | None:
    """Return the name of the function that a line of depth 0 begins, or None."""
    is_head = "(" in tokens[2:] and tokens[-1] == "{" and not tokens[0].startswith("#")
    return tokens[tokens.index("(") - 1] if is_head else None


def _heads(lines: Sequence[ProgramLine]) -> Iterator[tuple[str, ...]]:
    depth = 0
    for line in lines:
        depth -= line.tokens[0] == "}"
        if depth == 0 and function_of_head(line.tokens):
            yield line.tokens
        depth += line.tokens[-1] == "{"


def _parameters(tokens: Sequence[str]) -> tuple[str, ...]:
    inner = tokens[tokens.index("(") + 1 : -2]
    names = [word for word, after in zip(inner, (*inner[1:], ","), strict=False) if after in (",", "[")]
    return tuple(name for name in names if _NAME.fullmatch(name) and name not in _WORDS)


def _token_lines(text: str) -> Iterator[list[CToken]]:
    line: list[CToken] = []
    inside, directive_end = 0, -1
    for match in _TOKEN.finditer(text):
        word = match[0]
        if line and directive_end >= 0 and match.start() >= directive_end:
            yield line
            line, directive_end = [], -1
        if match["layout"] is not None:
            continue
        if word.startswith("#") and not line:
            newline = re.compile(r"(?<!\\)\n|\Z").search(text, match.end())
            directive_end = newline.start() if newline else len(text)
        elif word == "}" and line and not inside:
            yield line
            line = []
        line.append(CToken(word, match.start(), match.end()))
        inside += (word in "([") - (word in ")]")
        if directive_end < 0 and (word in "{}" or (word == ";" and inside <= 0)):
            yield line
            line, inside = [], 0
    if line:
        yield line


def _replacements(text: str, lines: Sequence[list[CToken]], edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of the text to replace, and the new text."""
    for edit in edits:
        match edit:
            case TokenEdit(line=number, start=start, end=end, new=new) if start == end:
                place = lines[number][start - 1].end if start else lines[number][0].start
                yield place, place, f" {joined_c(new)}" if start else f"{joined_c(new)} "
            case TokenEdit(line=number, start=start, end=end, new=new):
                yield lines[number][start].start, lines[number][end - 1].end, joined_c(new)
            case LineEdit(start=start, end=end, new=added):
                if start < end:
                    first, last = lines[start][0].start, lines[end - 1][-1].end
                    yield first, last, f"\n{_indent(text, first)}".join(joined_c(line.tokens) for line in added)
                else:
                    place = lines[start][0].start if start < len(lines) else len(text)
                    separator = f"\n{_indent(text, place)}"
                    yield place, place, "".join(f"{joined_c(line.tokens)}{separator}" for line in added)
            case DepthEdit():
                pass


def _indent(text: str, place: int) -> str:
    """Return the blanks at the beginning of the physical line that has this place."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]
