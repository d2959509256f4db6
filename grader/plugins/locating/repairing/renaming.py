"""Gives an accepted program the names of a student's program, as far as the lines of both correspond."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from grader.plugins.locating.repairing.program_lines import ProgramLine, program_lines

_SAME_LINE, _OTHER_LINE = 3, 1
"""The weights of two names in the same place of equal lines, and of lines that differ."""

_NAME = "@"

_FORMATTED = re.compile(r"[rR]?[fF][rR]?['\"]")
_FIELD = re.compile(r"(?<!\{)\{[^{}:!]+")
_NAMES = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
"""The beginning of an f-string, an expression in it, and the names in the expression."""


@dataclass(frozen=True, kw_only=True)
class NamedProgram:
    """A program with the names that it defines, and the parameters of each of its functions."""

    lines: tuple[ProgramLine, ...]
    names: frozenset[str]
    parameters: Mapping[str, tuple[str, ...]]

    def shapes(self) -> list[tuple[str, ...]]:
        """Return the tokens of each line, with every defined name replaced by the same sign.

        Depth does not matter, so that a function corresponds to the same statements outside functions.
        """
        return [tuple(_NAME if token in self.names else token for token in line.tokens) for line in self.lines]


def named_program(text: str) -> NamedProgram:
    """Read a program. Raises SyntaxError."""
    tree = ast.parse(text)
    parameters = {
        node.name: tuple(argument.arg for argument in node.args.args)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    return NamedProgram(lines=program_lines(text), names=frozenset(_defined(tree)), parameters=parameters)


def renamed(program: NamedProgram, other: NamedProgram) -> tuple[ProgramLine, ...]:
    """Return the lines of `other` with the names of `program`; a name without a counterpart gets a free name."""
    names = corresponding_names(program, other)
    used = {*names.values(), *program.names}
    for name in sorted(other.names - names.keys()):
        free = name
        while free in used:
            free += "_"
        used.add(free)
        names[name] = free
    return tuple(ProgramLine(line.depth, tuple(renamed_tokens(line.tokens, names))) for line in other.lines)


def renamed_tokens(tokens: Sequence[str], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the tokens with other names, except for attributes."""
    before = ""
    for token in tokens:
        if _FORMATTED.match(token):
            yield _FIELD.sub(lambda field: _NAMES.sub(lambda name: names.get(name[0], name[0]), field[0]), token)
        else:
            yield token if before == "." else names.get(token, token)
        before = token


def corresponding_names(program: NamedProgram, other: NamedProgram) -> dict[str, str]:
    """Return the name of `program` for names of `other`: of functions and parameters, then by the votes of lines."""
    names: dict[str, str] = {}
    for function, parameters in other.parameters.items():
        if function in program.parameters:
            names[function] = function
            for name, counterpart in zip(parameters, program.parameters[function], strict=False):
                if counterpart not in names.values():
                    names.setdefault(name, counterpart)
    for (name, counterpart), _ in _votes(program, other).most_common():
        if name not in names and counterpart not in names.values():
            names[name] = counterpart
    return names


def _votes(program: NamedProgram, other: NamedProgram) -> Counter[tuple[str, str]]:
    votes: Counter[tuple[str, str]] = Counter()
    shapes, other_shapes = program.shapes(), other.shapes()
    for kind, start, end, other_start, other_end in SequenceMatcher(
        None, shapes, other_shapes, autojunk=False
    ).get_opcodes():
        weight = _SAME_LINE if kind == "equal" else _OTHER_LINE
        for number, other_number in zip(range(start, end), range(other_start, other_end), strict=False):
            tokens, other_tokens = program.lines[number].tokens, other.lines[other_number].tokens
            matcher = SequenceMatcher(None, shapes[number], other_shapes[other_number], autojunk=False)
            for block in matcher.get_matching_blocks():
                for place in range(block.size):
                    counterpart, name = tokens[block.a + place], other_tokens[block.b + place]
                    if counterpart in program.names and name in other.names:
                        votes[name, counterpart] += weight
    return votes


def _defined(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
