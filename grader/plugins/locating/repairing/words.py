"""Tells an edit in words, without the number of its line, so that the same edit of two programs reads alike."""

from typing import assert_never

from grader.plugins.locating.repairing.edits import DepthEdit, Edit, LineEdit, TokenEdit
from grader.plugins.locating.repairing.program_lines import ProgramLine, read_source

_MOST_CHARACTERS = 60


def edit_words(text: str, edit: Edit) -> str:
    """Tell an edit of the program `text`, such as "`<=` for `<` in `if number < 3:`"."""
    sources = read_source(text)
    match edit:
        case TokenEdit(line=line, start=start, end=end, new=new):
            old, tokens = sources[line].line.tokens[start:end], sources[line].line
            return f"{_tokens(old, new)} in {_code(tokens)}"
        case DepthEdit(line=line):
            return f"another indentation of {_code(sources[line].line)}"
        case LineEdit(start=start, end=end, new=new):
            return _lines([source.line for source in sources[start:end]], list(new))
        case _:
            assert_never(edit)


def _tokens(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    if not new:
        return f"without `{' '.join(old)}`"
    added = f"`{' '.join(new)}`"
    return f"{added} for `{' '.join(old)}`" if old else f"{added} added"


def _lines(old: list[ProgramLine], new: list[ProgramLine]) -> str:
    if not new:
        return f"without {_codes(old)}"
    return f"{_codes(new)} for {_codes(old)}" if old else f"{_codes(new)} added"


def _codes(lines: list[ProgramLine]) -> str:
    return ", ".join(map(_code, lines))


def _code(line: ProgramLine) -> str:
    text = line.text().strip()
    return f"`{text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + '…'}`"
