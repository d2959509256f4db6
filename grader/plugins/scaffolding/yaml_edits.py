"""Changes single values of a YAML file in its text, so that comments and layout stay as they are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from grader.config.yaml_reader import KeyPath, parse_in_python


@dataclass(frozen=True, kw_only=True)
class YamlPlace:
    """A value of a file: its path, its text as it is read, and where it stands in the text of the file."""

    steps: KeyPath
    value: str
    start: int
    end: int
    line: int


@dataclass(frozen=True)
class Edit:
    """A piece of text from `start` to `end`, and what takes its place."""

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
    """Return where a value ends. What stands in lines of its own ends with its last value, not after comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(node, yaml.MappingNode) else last)
    return int(node.end_mark.index)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with all edits made; one that is given twice, as by an alias, is made once."""
    for edit in sorted(set(edits), key=lambda each: each.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
