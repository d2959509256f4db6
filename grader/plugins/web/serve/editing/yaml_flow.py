"""Writes new values for a YAML file written by people, on one line wherever possible."""

from collections.abc import Mapping

import yaml

from grader.config.yaml_reader import YamlData
from grader.config.yaml_writer import TextDumper

_ENDLESS = 1 << 30
LONGEST_FLOW = 110
"""The maximum length of an entry in braces."""


class _LineDumper(TextDumper):
    """A dumper that writes every text on one line."""


def _one_line(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_LineDumper.add_representer(str, _one_line)


def flow_text(value: YamlData) -> str:
    """Return the value on one line, valid both inside and outside braces and brackets."""
    written: str = yaml.dump(
        [value], Dumper=_LineDumper, sort_keys=False, allow_unicode=True, width=_ENDLESS, default_flow_style=True
    )
    return written.rstrip("\n").removeprefix("[").removesuffix("]")


def is_paragraph(value: YamlData) -> bool:
    """Return whether the value is a text of several lines that can be written unchanged."""
    if not isinstance(value, str) or "\n" not in value:
        return False
    lines = value.split("\n")
    return all(line == line.rstrip() and line.isprintable() for line in lines) and all(
        line and not line.startswith(" ") for line in (lines[0], lines[-1])
    )


def block_lines(text: str, indent: str) -> str:
    """Return the lines of a paragraph in the form of a block under `|-`, each indented."""
    return "\n".join(f"{indent}{line}" if line else "" for line in text.split("\n"))


def block_pair(key: str, value: YamlData, indent: str) -> str:
    """Return a key and its value as lines of a mapping, without the last line end."""
    name = flow_text(key)
    if isinstance(value, str) and is_paragraph(value):
        return f"{indent}{name}: |-\n{block_lines(value, indent + '  ')}"
    return f"{indent}{name}: {flow_text(value)}"


def block_item(value: YamlData, indent: str) -> str:
    """Return an item of a list of lines, without the last line end: in braces if that is short."""
    flow = flow_text(value)
    if not isinstance(value, Mapping) or not value:
        return f"{indent}- {flow}"
    if len(flow) <= LONGEST_FLOW and not any(is_paragraph(inner) for inner in value.values()):
        return f"{indent}- {flow}"
    pairs = [block_pair(key, inner, f"{indent}  ") for key, inner in value.items()]
    first, *rest = pairs
    return "\n".join([f"{indent}- {first.removeprefix(indent + '  ')}", *rest])
