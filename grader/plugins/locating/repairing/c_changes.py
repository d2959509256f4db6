"""Changes to C programs that beginners' mistakes often need."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from grader.plugins.locating.repairing.c_lines import c_text, flat_c_lines, named_c_program
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.texts import PrintedLine, in_expected_line

_OPERATORS: Mapping[str, Sequence[str]] = {
    "<": ("<=", ">", ">="),
    "<=": ("<", ">="),
    ">": (">=", "<", "<="),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
    "=": ("==", "+="),
    "+=": ("=", "-="),
    "&&": ("||",),
    "||": ("&&",),
    "+": ("-",),
    "-": ("+",),
    "*": ("/",),
    "/": ("*", "%"),
    "%": ("/",),
    "++": ("--",),
    "--": ("++",),
    "int": ("long", "double", "float"),
    "float": ("double",),
}
_DIRECTIVE = re.compile(r"%[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l)?[a-zA-Z]")
_DIRECTIVES = ("%d", "%f", "%.2f", "%c", "%s", "%ld", "%lf")
_ALIKE = 0.6


def changed_c_programs(text: str) -> Iterator[str]:
    """Yield programs that differ from a given one in one place."""
    lines = flat_c_lines(text)
    names = sorted(named_c_program(text).names)
    for number, line in enumerate(lines):
        for place, token in enumerate(line.tokens):
            for new in _other_tokens(token):
                yield _with_tokens(lines, number, place, 1, new)
    yield from _other_statements(lines)
    for number, line in enumerate(lines):
        for place, token in enumerate(line.tokens):
            if token in names and line.tokens[0] != "#define":
                others = [name for name in names if name != token]
                for new in ((token, "+", "1"), (token, "-", "1"), ("(", "double", ")", token), *zip(others)):
                    yield _with_tokens(lines, number, place, 1, new)


def c_texts_for_line(text: str, wrong: PrintedLine) -> Iterator[str]:
    """Yield the program with one text changed so that the wrong line may come out right."""
    lines = flat_c_lines(text)
    for number, place, value in _strings(lines):
        for piece in _pieces(value):
            for new in dict.fromkeys(in_expected_line(piece, wrong)):
                if new != piece:
                    changed = value.replace(piece, new.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%"), 1)
                    yield _with_tokens(lines, number, place, 1, (f'"{changed}"',))
        for new in (value.removesuffix("\\n"), f"{value}\\n", value.rstrip(" "), f"{value} "):
            if new != value:
                yield _with_tokens(lines, number, place, 1, (f'"{new}"',))


def c_texts(text: str) -> frozenset[str]:
    """Return the texts of a program."""
    return frozenset(value for _, _, value in _strings(flat_c_lines(text)))


def c_texts_of_accepted(text: str, accepted: Sequence[frozenset[str]]) -> Iterator[str]:
    """Yield the program with one text replaced by the most similar texts of accepted programs that it lacks."""
    pool = sorted(frozenset().union(*accepted))
    lines = flat_c_lines(text)
    for number, place, value in _strings(lines):
        for new in get_close_matches(value, pool, n=3, cutoff=_ALIKE) if value not in pool else ():
            yield _with_tokens(lines, number, place, 1, (f'"{new}"',))


def _strings(lines: Sequence[ProgramLine]) -> Iterator[tuple[int, int, str]]:
    for number, line in enumerate(lines):
        for place, token in enumerate(line.tokens):
            if token.startswith('"') and not line.tokens[0].startswith("#"):
                yield number, place, token[1:-1]


def _pieces(value: str) -> list[str]:
    """Return the parts of a format between directives and ends of lines."""
    return [piece for part in _DIRECTIVE.split(value) for piece in part.split("\\n") if piece.strip()]


def _other_tokens(token: str) -> Iterator[tuple[str, ...]]:
    yield from ((other,) for other in _OPERATORS.get(token, ()))
    if token.isdecimal():
        number = int(token)
        yield from ((str(other),) for other in dict.fromkeys([number + 1, max(0, number - 1), 0, 1]) if other != number)
    elif token.startswith('"'):
        for directive in _DIRECTIVE.finditer(token):
            for other in _DIRECTIVES:
                if other != directive[0]:
                    yield (token[: directive.start()] + other + token[directive.end() :],)


def _other_statements(lines: Sequence[ProgramLine]) -> Iterator[str]:
    """Yield the program without a statement, with two neighbours swapped, or with a brace one statement away."""
    for number, line in enumerate(lines):
        if line.tokens[-1] == ";":
            yield c_text([*lines[:number], *lines[number + 1 :]])
        if number + 1 < len(lines) and (line.tokens[-1] == ";" or line.tokens == ("}",)):
            yield c_text([*lines[:number], lines[number + 1], line, *lines[number + 2 :]])


def _with_tokens(lines: Sequence[ProgramLine], number: int, place: int, count: int, new: Sequence[str]) -> str:
    tokens = lines[number].tokens
    line = ProgramLine(0, (*tokens[:place], *new, *tokens[place + count :]))
    return c_text([*lines[:number], line, *lines[number + 1 :]])
