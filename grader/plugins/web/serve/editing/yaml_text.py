"""YAML as text: positions of the keys, values and comments in a file, for edits that leave all else unchanged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_COMMENT = re.compile(r"(?:(?<=\s)|(?<=\A)|(?<=\ufeff))#[^\n\r\x85\u2028\u2029]*")
_BLOCK_STYLES = ("|", ">")


@dataclass(frozen=True, kw_only=True)
class ScalarText:
    """The start and end of a text. A block text (`|`, `>`) ends after the empty lines that follow it."""

    start: int
    end: int
    column: int
    value: str
    is_block: bool


@dataclass(frozen=True, kw_only=True)
class AliasText:
    """An alias, which refers to a node written elsewhere."""

    start: int
    end: int
    column: int


@dataclass(frozen=True, kw_only=True)
class ListText:
    """A list. A list in block style begins at its first dash, in `column`, and ends with its last item."""

    start: int
    end: int
    column: int
    is_flow: bool
    items: "tuple[YamlText, ...]"


@dataclass(frozen=True, kw_only=True)
class MappingText:
    """A mapping. A mapping in block style begins at its first key, in `column`, and ends with its last value."""

    start: int
    end: int
    column: int
    is_flow: bool
    pairs: "tuple[tuple[YamlText, YamlText], ...]"


YamlText: TypeAlias = ScalarText | AliasText | ListText | MappingText


def yaml_text(text: str, loader: Any) -> YamlText:
    """Parse `text`, one YAML document that is not empty, with one of PyYAML's loaders, and return its root."""
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=loader)
    for event in events:
        if not isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
            return _node(event, events)
    raise ValueError("the text is empty")


def _node(event: yaml.Event, events: Iterator[yaml.Event]) -> YamlText:
    (start, column), (end, _) = _place(event.start_mark), _place(event.end_mark)
    match event:
        case yaml.SequenceStartEvent():
            items, last = _children(events, yaml.SequenceEndEvent)
            is_flow = bool(event.flow_style)
            end = last if is_flow else items[-1].end
            return ListText(start=start, end=end, column=column, is_flow=is_flow, items=tuple(items))
        case yaml.MappingStartEvent():
            inner, last = _children(events, yaml.MappingEndEvent)
            pairs = tuple(zip(inner[::2], inner[1::2], strict=True))
            is_flow = bool(event.flow_style)
            if not is_flow:
                # An anchor or a tag may precede the first key.
                start, end, column = inner[0].start, max(inner[-1].end, inner[-2].end), inner[0].column
            return MappingText(start=start, end=last if is_flow else end, column=column, is_flow=is_flow, pairs=pairs)
        case yaml.ScalarEvent():
            is_block = event.style in _BLOCK_STYLES
            return ScalarText(start=start, end=end, column=column, value=event.value, is_block=is_block)
        case _:
            return AliasText(start=start, end=end, column=column)


def _place(mark: Any) -> tuple[int, int]:
    return mark.index, mark.column


def _children(events: Iterator[yaml.Event], until: type[yaml.Event]) -> tuple[list[YamlText], int]:
    """Return the nodes up to the end of a list or mapping, and where that ends."""
    nodes: list[YamlText] = []
    for event in events:
        if isinstance(event, until):
            return nodes, _place(event.end_mark)[0]
        nodes.append(_node(event, events))
    raise ValueError("the text ends too early")


def comments_in(text: str, root: YamlText, start: int = 0, end: int | None = None) -> list[str]:
    """Return the comments of `text` between two positions, in order; a `#` in a value does not count."""
    end = len(text) if end is None else end
    comments: list[str] = []
    place = start
    for first, last in [*_scalars(text, root), (len(text), len(text))]:
        if first >= place:
            comments += (comment[0] for comment in _COMMENT.finditer(text, place, min(first, end)))
        place = max(place, last)
        if place >= end:
            break
    return comments


def _scalars(text: str, node: YamlText) -> Iterator[tuple[int, int]]:
    """Yield the range of each text; the rest of the line after a block's indicator belongs to none."""
    match node:
        case ScalarText():
            head = LINE_END.search(text, node.start, node.end) if node.is_block else None
            yield (head.end() if head else node.start), node.end
        case ListText():
            for item in node.items:
                yield from _scalars(text, item)
        case MappingText():
            for key, value in node.pairs:
                yield from _scalars(text, key)
                yield from _scalars(text, value)
