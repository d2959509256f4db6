"""Writes YAML that is read here as the very texts that were given.

The reader takes every scalar as it is written, so what looks like a number needs no quotes, and only what YAML itself
demands is quoted.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import yaml

Writable: TypeAlias = "str | bool | int | float | Sequence[Writable] | Mapping[str, Writable]"
"""What can be written. Numbers and `true` are written as Python writes numbers, and in small letters."""


class TextDumper(yaml.SafeDumper):
    """Writes texts as they are read here, and each text in full where it stands."""

    def ignore_aliases(self, _data: object) -> bool:
        """True: a list that stands in two places is written twice."""
        return True


TextDumper.yaml_implicit_resolvers = {}


class Quoted(str):
    """A text that is written in quotes, as one that looks like a number must be where values are meant."""

    __slots__ = ()


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """Lines stand below each other, where YAML can say them so; a newline at the end alone stands in quotes."""
    lines = text.splitlines()
    is_block = len(lines) > 1 and all(line and line == line.rstrip() for line in (lines[0], lines[-1]))
    is_block = is_block and all(line == line.rstrip() and line.isprintable() for line in lines)
    style = "|" if is_block else '"' if not text or "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _quoted_node(dumper: yaml.SafeDumper, text: Quoted) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')


class _BlockDumper(TextDumper):
    """Writes texts of several lines as blocks."""


_BlockDumper.add_representer(str, _text_node)
_BlockDumper.add_representer(Quoted, _quoted_node)


def yaml_document(content: Mapping[str, Writable]) -> str:
    """Return a file with this content, in the order of its keys."""
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
