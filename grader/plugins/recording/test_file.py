"""Adds a played test to the text of a YAML file in tests/, leaving the rest of the text unchanged."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from grader.config.yaml_reader import parse
from grader.errors import GraderError

_STRING = "tag:yaml.org,2002:str"
_SEQUENCE = "tag:yaml.org,2002:seq"
_MAPPING = "tag:yaml.org,2002:map"
_WIDTH = 100
_ENDLESS = 1 << 30


class RecordError(GraderError):
    """A session cannot become a test, or cannot be added to the file."""


@dataclass(frozen=True, kw_only=True)
class EditedTest:
    """A test to be written: `points` as text, `lines` as typed.

    The key `way` lists the lines, and `settings` are further keys, each with a string or a mapping of strings.
    """

    id: str
    title: str
    public: bool
    points: str
    lines: tuple[str, ...]
    exit_status: int
    way: str = "input"
    settings: Mapping[str, object] = field(default_factory=dict)

    def text(self) -> str:
        """Return the mapping as YAML, its lines ended by line feeds."""
        values: list[tuple[str, str]] = [("id", self.id)]
        values += [("title", self.title)] if self.title else []
        values += [("visibility", "public")] if self.public else []
        values.append(("points", self.points))
        pairs: list[tuple[yaml.Node, yaml.Node]] = [(_scalar(key), _scalar(value)) for key, value in values]
        pairs.append((_scalar(self.way), _lines(self.lines)))
        pairs += [(_scalar(key), _value(value)) for key, value in self.settings.items()]
        if self.exit_status:
            pairs.append((_scalar("exit_status"), _scalar(str(self.exit_status))))
        return _serialized(yaml.MappingNode(_MAPPING, pairs, flow_style=False))


def new_tests_file(program: str, part: str, entry: EditedTest) -> str:
    """Return a tests file with nothing but this test."""
    return f"format: 1\nprogram: {program}\npart: {part}\ntests:\n{_item(entry, 2)}"


def with_test(file: Path, text: str, entry: EditedTest) -> str:
    """Return `text`, the content of `file`, with a test added after its last one; the rest stays unchanged.

    Raises SpecError if it is not YAML, and RecordError if its tests are not a list of lines that begin with `-`.
    """
    tests = _tests(parse(file, text))
    if tests is None:
        raise RecordError(f"{file}: a test can be added only below `tests:` with a line per test that begins with `-`.")
    end = _end(tests)
    if text[end - 1] != "\n":
        line_end = text.find("\n", end)
        end = len(text) if line_end < 0 else line_end + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text[:end] if text[:end].endswith("\n") else text[:end] + newline
    return before + _item(entry, tests.start_mark.column).replace("\n", newline) + text[end:]


def _tests(root: yaml.Node | None) -> yaml.SequenceNode | None:
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == "tests" and isinstance(value, yaml.SequenceNode) and not value.flow_style and value.value:
            return value
    return None


def _end(node: yaml.Node) -> int:
    """Return where the text of a node ends; the end of a block, as YAML sees it, is after the comments that follow."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _item(entry: EditedTest, column: int) -> str:
    indent = " " * column
    first, *rest = entry.text().splitlines(keepends=True)
    return f"{indent}- {first}" + "".join(f"{indent}  {line}" for line in rest)


def _lines(lines: tuple[str, ...]) -> yaml.Node:
    flow = yaml.SequenceNode(_SEQUENCE, [_scalar(line) for line in lines], flow_style=True)
    flow.flow_style = not lines or len(_serialized(flow)) <= _WIDTH
    return flow


def _value(value: object) -> yaml.Node:
    if not isinstance(value, Mapping):
        return _scalar(str(value))
    pairs: list[tuple[yaml.Node, yaml.Node]] = [(_scalar(key), _value(inner)) for key, inner in value.items()]
    return yaml.MappingNode(_MAPPING, pairs, flow_style=True)


def _scalar(text: str) -> yaml.ScalarNode:
    return yaml.ScalarNode(_STRING, text)


def _serialized(node: yaml.Node) -> str:
    """Write a node as YAML. The base resolver reads scalars as strings, so quotes appear only where YAML needs them."""
    text: str = yaml.serialize(node, Dumper=yaml.BaseDumper, allow_unicode=True, width=_ENDLESS)
    return text
