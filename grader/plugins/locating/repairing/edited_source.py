"""Makes edits in the student's own text, so that comments, blank lines and all other lines stay as they are."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.plugins.locating.repairing.edits import Edit, LineEdit, edited
from grader.plugins.locating.repairing.program_lines import ProgramLine, SourceLine, read_source


def edited_source(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with these edits of its logical lines. Raises SyntaxError."""
    return "".join(_edited_lines(text.splitlines(keepends=True), read_source(text), edits))


def _edited_lines(physical: Sequence[str], sources: Sequence[SourceLine], edits: Sequence[Edit]) -> Iterator[str]:
    indents = {source.line.depth: _indent(physical[source.first - 1]) for source in reversed(sources)}
    of_line: Mapping[int, list[Edit]] = defaultdict(list)
    for edit in edits:
        if not isinstance(edit, LineEdit):
            of_line[edit.line].append(edit)
    blocks = {edit.start: edit for edit in edits if isinstance(edit, LineEdit)}
    removed = {number for edit in blocks.values() for number in range(edit.start, edit.end)}
    after = 0
    for number, source in enumerate(sources):
        yield from physical[after : source.first - 1]
        if number in blocks:
            yield from (_text(line, indents) for line in blocks[number].new)
        if number in of_line:
            (line,) = edited([source.line], [_at_first_line(edit) for edit in of_line[number]])
            yield _text(line, indents)
        elif number not in removed:
            yield from (_ended(line) for line in physical[source.first - 1 : source.last])
        after = source.last
    yield from physical[after:]
    if len(sources) in blocks:
        yield from (_text(line, indents) for line in blocks[len(sources)].new)


def _at_first_line(edit: Edit) -> Edit:
    return edit if isinstance(edit, LineEdit) else replace(edit, line=0)


def _text(line: ProgramLine, indents: Mapping[int, str]) -> str:
    return f"{indents.get(line.depth, '    ' * line.depth)}{line.text().lstrip()}\n"


def _ended(line: str) -> str:
    """Return a physical line with a newline, which the last one may lack."""
    return line if line.endswith("\n") else f"{line}\n"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
