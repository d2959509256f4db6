"""Writes a found test as an entry of a tests file."""

from textwrap import indent
from typing import Any

import yaml

from grader.config.yaml_writer import TextDumper


def entry_text(entry: dict[str, Any]) -> str:
    """Return a list entry as YAML, indented by two spaces, that reads back as exactly these strings."""
    text: str = yaml.dump(
        [entry], Dumper=TextDumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
    )
    return indent(text, "  ")
