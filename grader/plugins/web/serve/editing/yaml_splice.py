"""Replaces, adds and removes pieces of a YAML text, each in the layout of its surroundings.

These functions guess the best layout; `yaml_edit` reads the result again and accepts it only if its content is right.
"""

from grader.config.yaml_reader import KeyPath, YamlData
from grader.plugins.web.serve.editing.yaml_flow import block_item, block_lines, block_pair, flow_text, is_paragraph
from grader.plugins.web.serve.editing.yaml_text import (
    LINE_END,
    AliasText,
    ListText,
    MappingText,
    ScalarText,
    YamlText,
    comments_in,
)


def inside(node: YamlText, steps: KeyPath) -> YamlText | None:
    """Return the node at `steps` below `node`, or None if it does not exist or an alias is in the way."""
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
    match = LINE_END.search(text)
    return match[0] if match and match[0] in ("\r\n", "\n") else "\n"


def _below(text: str, end: int) -> tuple[str, str]:
    """Split a string after the line of `end`; the first part ends with a line end."""
    if not end or text[end - 1] not in "\r\n":
        match = LINE_END.search(text, end)
        if match is None:
            return text + _newline(text), ""
        end = match.end()
    return text[:end], text[end:]


def _line_start(text: str, place: int) -> int:
    ends = [match.end() for match in LINE_END.finditer(text, 0, place)]
    return ends[-1] if ends else 0


def on_one_line(text: str, _around: YamlText, old: YamlText, value: YamlData) -> str | None:
    """Return the text with an old value replaced on one line; a comment after the indicator of an old block is kept."""
    written = flow_text(value)
    if isinstance(old, ScalarText) and old.is_block:
        head, rest = _parts_of_block(text, old)
        return text[: old.start] + written + head + rest + text[old.end :]
    before = "" if old.start and text[old.start - 1].isspace() else " "
    return text[: old.start] + before + written + text[old.end :]


def as_lines(text: str, container: YamlText, old: YamlText, value: YamlData) -> str | None:
    """Return the text with a paragraph written as a block, or None unless the value is a paragraph outside brackets."""
    if not isinstance(value, str) or not is_paragraph(value) or not isinstance(old, ScalarText):
        return None
    if isinstance(container, ScalarText | AliasText) or container.is_flow:
        return None
    indent = " " * (container.column + 2)
    lines = block_lines(value, indent).replace("\n", _newline(text))
    if old.is_block:
        head, rest = _parts_of_block(text, old)
        return f"{text[: old.start]}|-{head}{_newline(text)}{lines}{rest}{text[old.end :]}"
    before = "" if old.start and text[old.start - 1].isspace() else " "
    match = LINE_END.search(text, old.end)
    end = match.start() if match else len(text)
    return f"{text[: old.start]}{before}|-{text[old.end : end]}{_newline(text)}{lines}{text[end:]}"


def _parts_of_block(text: str, old: ScalarText) -> tuple[str, str]:
    """Return the comment after a block's indicator, and the line ends after its last line."""
    comment = next(iter(comments_in(text, old, old.start, old.end)), "")
    body = text[old.start : old.end]
    return f"  {comment}" if comment else "", body[len(body.rstrip()) :] or _newline(text)


def added_below(text: str, container: YamlText, step: str | int, value: YamlData) -> str | None:
    """Return the text with another key or item on separate lines below the last one."""
    if isinstance(container, ScalarText | AliasText):
        return None
    if container.is_flow:
        return _in_place_of_empty_list(text, container, value)
    before, after = _below(text, container.end)
    indent = " " * container.column
    written = block_item(value, indent) if isinstance(container, ListText) else block_pair(str(step), value, indent)
    return before + written.replace("\n", _newline(text)) + _newline(text) + after


def _in_place_of_empty_list(text: str, container: ListText | MappingText, value: YamlData) -> str | None:
    """Replace an empty `[]` with the lines of a list."""
    if not isinstance(container, ListText) or container.items or text[container.start : container.end] != "[]":
        return None
    start = _line_start(text, container.start)
    is_alone = not text[start : container.start].strip()
    indent = " " * (container.start - start) if is_alone else "  "
    written = block_item(value, indent).replace("\n", _newline(text))
    if is_alone:
        return text[:start] + written + text[container.end :]
    match = LINE_END.search(text, container.end)
    end = match.start() if match else len(text)
    head = text[: container.start].rstrip(" ") + text[container.end : end]
    return head + _newline(text) + written + (text[end:] or _newline(text))


def added_in_brackets(text: str, container: YamlText, step: str | int, value: YamlData) -> str | None:
    """Return the text with another key or item before the closing bracket or brace."""
    if isinstance(container, ScalarText | AliasText) or not container.is_flow:
        return None
    written = flow_text(value) if isinstance(container, ListText) else f"{flow_text(str(step))}: {flow_text(value)}"
    end = _end_of_last(container)
    if end is None:
        return text[: container.end - 1] + written + text[container.end - 1 :]
    return f"{text[:end]}, {written}{text[end:]}"


def _end_of_last(container: ListText | MappingText) -> int | None:
    if isinstance(container, ListText):
        return container.items[-1].end if container.items else None
    return max(node.end for node in container.pairs[-1]) if container.pairs else None


def added_above(text: str, container: YamlText, step: str | int, value: YamlData) -> str | None:
    """Return the text with another key on a line above the first one."""
    if not isinstance(container, MappingText) or container.is_flow:
        return None
    indent = " " * container.column
    written = f"{flow_text(str(step))}: {flow_text(value)}{_newline(text)}{indent}"
    return text[: container.start] + written + text[container.start :]


def without(text: str, root: YamlText, container: YamlText, step: str | int) -> str | None:
    """Return the text without a key or an item and its value."""
    if isinstance(container, ScalarText | AliasText):
        return None
    pieces = _pieces(text, container)
    place = _place_of(container, step)
    if place is None:
        return None
    start, end = pieces[place]
    following = pieces[place + 1][0] if place + 1 < len(pieces) else None
    if container.is_flow:
        previous = pieces[place - 1][1] if place else None
        return _without_in_brackets(text, root, (start, end), previous, following)
    indent = " " * container.column
    newline = _newline(text)
    if following is not None:
        comments = comments_in(text, root, start, following)
        return text[:start] + "".join(f"{comment}{newline}{indent}" for comment in comments) + text[following:]
    if len(pieces) == 1:
        comments = comments_in(text, root, start, end)
        nothing = ("" if container.column else " ") + ("[]" if isinstance(container, ListText) else "{}")
        before, after = _below(text, end)
        rest = before[end:]
        return text[:start] + nothing + rest + "".join(f"{indent}{comment}{newline}" for comment in comments) + after
    before, after = _below(text, end)
    comments = comments_in(text, root, start, len(before))
    first = _line_start(text, start)
    return text[:first] + "".join(f"{indent}{comment}{newline}" for comment in comments) + after


def _place_of(container: ListText | MappingText, step: str | int) -> int | None:
    if isinstance(container, ListText):
        return step if isinstance(step, int) and step < len(container.items) else None
    return next((number for number, (key, _) in enumerate(container.pairs) if _is_called(key, step)), None)


def _pieces(text: str, container: ListText | MappingText) -> list[tuple[int, int]]:
    """Return the range of each key with its value, or of each item with its dash."""
    if isinstance(container, MappingText):
        return [(key.start, max(key.end, value.end)) for key, value in container.pairs]
    if container.is_flow:
        return [(item.start, item.end) for item in container.items]
    pieces: list[tuple[int, int]] = []
    place = container.start
    for item in container.items:
        pieces.append((max(text.rfind("-", place, item.start), place), item.end))
        place = item.end
    return pieces


def _without_in_brackets(
    text: str, root: YamlText, piece: tuple[int, int], previous: int | None, following: int | None
) -> str:
    start, end = (
        (piece[0], following) if following is not None else (piece[0] if previous is None else previous, piece[1])
    )
    comments = comments_in(text, root, start, end)
    return text[:start] + "".join(f" {comment}{_newline(text)}  " for comment in comments) + text[end:]
