"""Pieces of a YAML text replaced, added and taken out, each in the layout of what is around it.

These functions guess what looks best; `yaml_edit` reads the result again and takes it only if it says what it should.
"""

from grader.config.yaml_reader import KeyPath, YamlData
from grader.plugins.serve.editing.yaml_flow import block_item, block_lines, block_pair, flow_text, is_paragraph
from grader.plugins.serve.editing.yaml_text import (
    LINE_END,
    AliasText,
    ListText,
    MappingText,
    ScalarText,
    YamlText,
    comments_in,
)


def inside(node: YamlText, steps: KeyPath) -> YamlText | None:
    """What stands at `steps` below a node; None when there is nothing, or an alias is in the way."""
    for step in steps:
        inner: YamlText | None = None
        if isinstance(node, ListText) and isinstance(step, int) and step < len(node.items):
            inner = node.items[step]
        elif isinstance(node, MappingText):
            inner = next((value for key, value in node.pairs if _is_called(key, step)), None)
        if inner is None:
            return None
        node = inner
    return node


def _is_called(key: YamlText, name: str | int) -> bool:
    return isinstance(key, ScalarText) and key.value == name


def _newline(text: str) -> str:
    found = LINE_END.search(text)
    return found[0] if found and found[0] in ("\r\n", "\n") else "\n"


def _below(text: str, end: int) -> tuple[str, str]:
    """What stands up to the line that follows `end`, and the rest; the first part ends with a line end."""
    if not end or text[end - 1] not in "\r\n":
        found = LINE_END.search(text, end)
        if found is None:
            return text + _newline(text), ""
        end = found.end()
    return text[:end], text[end:]


def _line_start(text: str, place: int) -> int:
    ends = [found.end() for found in LINE_END.finditer(text, 0, place)]
    return ends[-1] if ends else 0


def on_one_line(text: str, _around: YamlText, old: YamlText, value: YamlData) -> str | None:
    """Return the text with a value in the place of an old one; a comment behind the sign of a block stays behind it."""
    written = flow_text(value)
    if isinstance(old, ScalarText) and old.is_block:
        head, rest = _parts_of_block(text, old)
        return text[: old.start] + written + head + rest + text[old.end :]
    before = "" if old.start and text[old.start - 1].isspace() else " "
    return text[: old.start] + before + written + text[old.end :]


def as_lines(text: str, around: YamlText, old: YamlText, value: YamlData) -> str | None:
    """Return the same where the value is a paragraph and no brackets are around it."""
    if not isinstance(value, str) or not is_paragraph(value) or not isinstance(old, ScalarText):
        return None
    if isinstance(around, ScalarText | AliasText) or around.is_flow:
        return None
    indent = " " * (around.column + 2)
    lines = block_lines(value, indent).replace("\n", _newline(text))
    if old.is_block:
        head, rest = _parts_of_block(text, old)
        return f"{text[: old.start]}|-{head}{_newline(text)}{lines}{rest}{text[old.end :]}"
    before = "" if old.start and text[old.start - 1].isspace() else " "
    found = LINE_END.search(text, old.end)
    end = found.start() if found else len(text)
    return f"{text[: old.start]}{before}|-{text[old.end : end]}{_newline(text)}{lines}{text[end:]}"


def _parts_of_block(text: str, old: ScalarText) -> tuple[str, str]:
    """Of a block: the comment behind its sign, and the line ends behind its last line."""
    comment = next(iter(comments_in(text, old, old.start, old.end)), "")
    body = text[old.start : old.end]
    return f"  {comment}" if comment else "", body[len(body.rstrip()) :] or _newline(text)


def added_below(text: str, around: YamlText, step: str | int, value: YamlData) -> str | None:
    """Return the text with a key or item more, in lines of its own below the last one."""
    if isinstance(around, ScalarText | AliasText):
        return None
    if around.is_flow:
        return _in_place_of_nothing(text, around, value)
    before, after = _below(text, around.end)
    indent = " " * around.column
    written = block_item(value, indent) if isinstance(around, ListText) else block_pair(str(step), value, indent)
    return before + written.replace("\n", _newline(text)) + _newline(text) + after


def _in_place_of_nothing(text: str, around: ListText | MappingText, value: YamlData) -> str | None:
    """Return the text with lines in the place of `[]`, which stands for an empty list."""
    if not isinstance(around, ListText) or around.items or text[around.start : around.end] != "[]":
        return None
    start = _line_start(text, around.start)
    is_alone = not text[start : around.start].strip()
    indent = " " * (around.start - start) if is_alone else "  "
    written = block_item(value, indent).replace("\n", _newline(text))
    if is_alone:
        return text[:start] + written + text[around.end :]
    found = LINE_END.search(text, around.end)
    end = found.start() if found else len(text)
    head = text[: around.start].rstrip(" ") + text[around.end : end]
    return head + _newline(text) + written + (text[end:] or _newline(text))


def added_in_brackets(text: str, around: YamlText, step: str | int, value: YamlData) -> str | None:
    """Return the text with a key or item more before the bracket or brace that closes."""
    if isinstance(around, ScalarText | AliasText) or not around.is_flow:
        return None
    written = flow_text(value) if isinstance(around, ListText) else f"{flow_text(str(step))}: {flow_text(value)}"
    end = _end_of_last(around)
    if end is None:
        return text[: around.end - 1] + written + text[around.end - 1 :]
    return f"{text[:end]}, {written}{text[end:]}"


def _end_of_last(around: ListText | MappingText) -> int | None:
    if isinstance(around, ListText):
        return around.items[-1].end if around.items else None
    return max(node.end for node in around.pairs[-1]) if around.pairs else None


def added_above(text: str, around: YamlText, step: str | int, value: YamlData) -> str | None:
    """Return the text with a key more in a line before the first one."""
    if not isinstance(around, MappingText) or around.is_flow:
        return None
    indent = " " * around.column
    written = f"{flow_text(str(step))}: {flow_text(value)}{_newline(text)}{indent}"
    return text[: around.start] + written + text[around.start :]


ADDITIONS = (added_below, added_in_brackets, added_above)
"""The ways to add a key or item, the one that looks best first."""


def without(text: str, root: YamlText, around: YamlText, step: str | int) -> str | None:
    """Return the text without a key or an item and its value."""
    if isinstance(around, ScalarText | AliasText):
        return None
    pieces = _pieces(text, around)
    place = _place_of(around, step)
    if place is None:
        return None
    start, end = pieces[place]
    following = pieces[place + 1][0] if place + 1 < len(pieces) else None
    if around.is_flow:
        previous = pieces[place - 1][1] if place else None
        return _without_in_brackets(text, root, (start, end), previous, following)
    indent = " " * around.column
    newline = _newline(text)
    if following is not None:
        kept = comments_in(text, root, start, following)
        return text[:start] + "".join(f"{one}{newline}{indent}" for one in kept) + text[following:]
    if len(pieces) == 1:
        kept = comments_in(text, root, start, end)
        nothing = ("" if around.column else " ") + ("[]" if isinstance(around, ListText) else "{}")
        before, after = _below(text, end)
        rest = before[end:]
        return text[:start] + nothing + rest + "".join(f"{indent}{one}{newline}" for one in kept) + after
    before, after = _below(text, end)
    kept = comments_in(text, root, start, len(before))
    first = _line_start(text, start)
    return text[:first] + "".join(f"{indent}{one}{newline}" for one in kept) + after


def _place_of(around: ListText | MappingText, step: str | int) -> int | None:
    if isinstance(around, ListText):
        return step if isinstance(step, int) and step < len(around.items) else None
    return next((number for number, (key, _) in enumerate(around.pairs) if _is_called(key, step)), None)


def _pieces(text: str, around: ListText | MappingText) -> list[tuple[int, int]]:
    """From where to where each key with its value stands, or each item with its dash."""
    if isinstance(around, MappingText):
        return [(key.start, max(key.end, value.end)) for key, value in around.pairs]
    if around.is_flow:
        return [(item.start, item.end) for item in around.items]
    found: list[tuple[int, int]] = []
    place = around.start
    for item in around.items:
        found.append((max(text.rfind("-", place, item.start), place), item.end))
        place = item.end
    return found


def _without_in_brackets(
    text: str, root: YamlText, piece: tuple[int, int], previous: int | None, following: int | None
) -> str:
    start, end = (
        (piece[0], following) if following is not None else (piece[0] if previous is None else previous, piece[1])
    )
    kept = comments_in(text, root, start, end)
    return text[:start] + "".join(f" {one}{_newline(text)}  " for one in kept) + text[end:]
