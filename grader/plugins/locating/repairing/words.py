"""Describes the edits of a program without line numbers, so that the same edit of two programs reads alike."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.plugins.locating.repairing.c_lines import function_of_head
from grader.plugins.locating.repairing.edits import DepthEdit, Edit, LineEdit, TokenEdit, edited
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.renaming import renamed_tokens

_MAX_CHARACTERS = 60
_PARTS: Mapping[str, str] = {
    "for": "loop",
    "while": "loop",
    "if": "condition",
    "elif": "condition",
    "else": "condition",
    "return": "result",
}


def repair_changes(lines: Sequence[ProgramLine], edits: Sequence[Edit]) -> tuple[str, ...]:
    """Describe the edits of a program's lines, those of a line together: "`<=` for `<` in the loop of deal"."""
    of_line: dict[tuple[type[Edit], int], list[Edit]] = defaultdict(list)
    for edit in edits:
        of_line[type(edit), _place(edit)].append(edit)
    return tuple(_words(lines, place, together) for (_, place), together in of_line.items())


def mistake_words(lines: Sequence[ProgramLine], edits: Sequence[Edit], names: Mapping[str, str]) -> str:
    """Describe each edit alone, with other names, so that the same mistake in two programs has the same words."""
    lines = [_renamed(line, names) for line in lines]
    return " and ".join(dict.fromkeys(_words(lines, _place(edit), [_renamed_edit(edit, names)]) for edit in edits))


def _renamed(line: ProgramLine, names: Mapping[str, str]) -> ProgramLine:
    return replace(line, tokens=tuple(renamed_tokens(line.tokens, names)))


def _renamed_edit(edit: Edit, names: Mapping[str, str]) -> Edit:
    match edit:
        case LineEdit():
            return replace(edit, new=tuple(_renamed(line, names) for line in edit.new))
        case TokenEdit():
            return replace(edit, new=tuple(renamed_tokens(edit.new, names)))
        case DepthEdit():
            return edit


def _place(edit: Edit) -> int:
    return edit.start if isinstance(edit, LineEdit) else edit.line


def _words(lines: Sequence[ProgramLine], place: int, edits: Sequence[Edit]) -> str:
    match edits:
        case [LineEdit(start=start, end=end, new=new)]:
            return f"{_lines(lines[start:end], list(new))} {_where(lines, start)}"
        case [TokenEdit(start=start, end=end, new=new)]:
            return f"{_tokens(lines[place].tokens[start:end], new)} {_where(lines, place)}"
        case [DepthEdit()]:
            return f"another indentation of {_code(lines[place])} {_where(lines, place)}"
        case _:
            (line,) = edited(
                [lines[place]], [replace(edit, line=0) for edit in edits if not isinstance(edit, LineEdit)]
            )
            return f"{_code(line)} for {_code(lines[place])} {_where(lines, place)}"


def _where(lines: Sequence[ProgramLine], place: int) -> str:
    """Describe the place of a line: in the loop, condition or other part of a function, or of the program."""
    before = lines[: place + 1]
    line = before[-1] if before else ProgramLine(0, ())
    around, depth = [], line.depth + 1
    for other in reversed(before):
        if other.depth < depth and other.tokens:
            around.append(other.tokens)
            depth = other.depth
    function = next(filter(None, map(_defined_function, around)), None)
    part = next((_PARTS[tokens[0]] for tokens in around if tokens[0] in _PARTS), None)
    owner = f"of {function}" if function else "of the program"
    if part is None:
        return f"in {function}" if function else "outside functions"
    return f"in the {part} {owner}"


def _defined_function(tokens: Sequence[str]) -> str | None:
    """Return the name of the function that begins with these tokens, in Python or in C."""
    if tokens[0] == "def":
        return tokens[1]
    return function_of_head(tokens) if tokens[-1] == "{" and tokens[0] not in _PARTS else None


def _tokens(old: Sequence[str], new: Sequence[str]) -> str:
    if not new:
        return f"without `{' '.join(old)}`"
    added = f"`{' '.join(new)}`"
    return f"{added} for `{' '.join(old)}`" if old else f"{added} added"


def _lines(old: Sequence[ProgramLine], new: list[ProgramLine]) -> str:
    if not new:
        return f"without {_codes(old)}"
    return f"{_codes(new)} for {_codes(old)}" if old else f"{_codes(new)} added"


def _codes(lines: Sequence[ProgramLine]) -> str:
    return ", ".join(map(_code, lines))


def _code(line: ProgramLine) -> str:
    text = line.text().strip()
    return f"`{text if len(text) <= _MAX_CHARACTERS else text[:_MAX_CHARACTERS] + '…'}`"
