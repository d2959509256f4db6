"""Changes single values in the text of a YAML file, so that comments and layout stay the same."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from grader.config.yaml_reader import KeyPath, parse_in_python


@dataclass(frozen=True, kw_only=True)
class YamlPlace:
    """A value of a file: its path, its text as read, and its position in the text of the file."""

    steps: KeyPath
    value: str
    start: int
    end: int
    line: int


@dataclass(frozen=True)
class Edit:
    """A piece of text from `start` to `end`, and its replacement."""

    start: int
    end: int
    text: str


def places(file: Path, text: str) -> Iterator[YamlPlace]:
    """Yield every value in `text`, the content of `file`; a list or mapping has no text. Raises SpecError."""
    root = parse_in_python(file, text)
    if root is not None:
        yield from _inside(root, (), frozenset())


def _inside(node: yaml.Node, steps: KeyPath, around: frozenset[int]) -> Iterator[YamlPlace]:
    if id(node) in around:
        return
    value = node.value if isinstance(node, yaml.ScalarNode) else ""
    start = node.start_mark
    yield YamlPlace(steps=steps, value=value, start=start.index, end=_end(node), line=start.line + 1)
    around |= {id(node)}
    if isinstance(node, yaml.MappingNode):
        for key, inner in node.value:
            yield from _inside(inner, (*steps, str(key.value)), around)
    elif isinstance(node, yaml.SequenceNode):
        for index, inner in enumerate(node.value):
            yield from _inside(inner, (*steps, index), around)


def _end(node: yaml.Node) -> int:
    """Return the end of a value. A block ends with its last value, not after the comments below it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(node, yaml.MappingNode) else last)
    return int(node.end_mark.index)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with all edits applied. Equal edits, for example from an alias, are applied once."""
    for edit in sorted(set(edits), key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
