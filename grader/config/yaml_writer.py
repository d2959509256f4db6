"""Writes YAML that the reader turns back into exactly the same strings.

The reader takes every scalar as written, so a string that looks like a number does not need quotes. Only strings that
YAML itself would misread are quoted.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import yaml

Writable: TypeAlias = "str | bool | int | float | Sequence[Writable] | Mapping[str, Writable]"
"""A value that can be written. Numbers and `true` are written as in Python, in lower case."""


class TextDumper(yaml.SafeDumper):
    """A dumper that writes strings in full, in the form that the reader expects."""

    def ignore_aliases(self, _data: object) -> bool:
        """Return True, so that a repeated list is written twice."""
        return True


TextDumper.yaml_implicit_resolvers = {}


class Quoted(str):
    """A string to write in quotes, for example because it looks like a number."""

    __slots__ = ()


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Represent a multi-line string as a block where YAML allows it, or else in quotes with escaped newlines."""
    lines = text.splitlines()
    is_block = len(lines) > 1 and all(line and line == line.rstrip() for line in (lines[0], lines[-1]))
    is_block = is_block and all(line == line.rstrip() and line.isprintable() for line in lines)
    style = "|" if is_block else '"' if not text or "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _quoted_node(dumper: yaml.SafeDumper, text: Quoted) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')


class _BlockDumper(TextDumper):
    """A dumper that writes multi-line strings as blocks."""


_BlockDumper.add_representer(str, _text_node)
_BlockDumper.add_representer(Quoted, _quoted_node)


def yaml_document(content: Mapping[str, Writable]) -> str:
    """Return a YAML document with this content, keeping the order of the keys."""
    text: str = yaml.dump(
        _as_texts(content), Dumper=_BlockDumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return text


def _as_texts(value: Writable) -> object:
    match value:
        case Quoted():
            return value
        case bool():
            return str(value).lower()
        case Mapping():
            return {_as_texts(key): _as_texts(item) for key, item in value.items()}
        case list() | tuple():
            return [_as_texts(item) for item in value]
        case _:
            return str(value)
