"""Reads YAML as plain text with source locations, and explains syntax errors in plain words.

Every scalar keeps its text: `01`, `+1`, `no` and `3.50` reach the models unchanged, and only become numbers if a model
asks for a number. An input line is therefore typed exactly as written, and points are exact decimals.
"""

import re
from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from grader.errors import Problem, SourceLocation, SpecError, quoted
from grader.files.digest import read_named_file

_FAST_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# Tabs and byte order marks inside a file, which libyaml accepts in more places than PyYAML.
_READ_DIFFERENTLY = re.compile("[\t\ufeff]")
_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_BAD_START = re.compile(r"found character '(.+)' that cannot start any token")
# libyaml composes nodes recursively in C, so deep nesting would crash the process.
_MAX_LEVELS_IN_C = 10_000
# People rarely use more than ten levels, and Python itself can handle a few hundred.
_MAX_LEVELS = 100
_MAX_SHOWN = 120
_TOO_DEEP = "lists and mappings are nested too deeply here"
_MAX_VALUES = 100_000
_MAX_CHARACTERS = 10_000_000
_QUOTES = ("'", '"')
_SURROGATE = re.compile("[\ud800-\udfff]")


class _TooDeepError(Exception):
    """Lists and mappings are nested too deeply."""


class _Loader(yaml.BaseLoader):
    """A PyYAML loader that stops before it exceeds the recursion limit."""

    _levels = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose a node and its children. Raises _TooDeepError."""
        if self._levels == _MAX_LEVELS:
            raise _TooDeepError
        self._levels += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._levels -= 1


def parse(file: Path, text: str) -> yaml.Node | None:
    """Return the root node of `text`, the content of `file`, or None if it is empty.

    Raises SpecError if the text is not YAML.
    """
    if loader_for(text) is _FAST_LOADER:
        # Text that it rejects is parsed again below to get the error message.
        with suppress(yaml.YAMLError, ValueError, OverflowError):
            return yaml.compose(text, Loader=_FAST_LOADER)
    return parse_in_python(file, text)


def loader_for(text: str) -> Any:
    """Return PyYAML's loader for `text`: the C loader, which is ten times as fast, if both give the same result."""
    if _most_levels(text) < _MAX_LEVELS_IN_C and not _READ_DIFFERENTLY.search(text):
        return _FAST_LOADER
    return yaml.BaseLoader


def _most_levels(text: str) -> int:
    """Return an upper bound on the nesting depth: each level opens with a bracket or is indented further."""
    return text.count("[") + text.count("{") + 2 * max(map(len, text.splitlines()), default=0)


def parse_in_python(file: Path, text: str) -> yaml.Node | None:
    """Parse as `parse` does, without libyaml."""
    try:
        loader = _Loader(text)
    except yaml.reader.ReaderError as error:
        message = f"the character U+{ord(text[error.position]):04X} may not stand in YAML"
        raise SpecError([Problem(place_of_offset(file, text, error.position), message)]) from None
    try:
        return loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise SpecError([_problem(file, text, error)]) from None
    except _TooDeepError:
        message = _TOO_DEEP
    except (ValueError, OverflowError):
        # PyYAML converts escapes such as "\UFFFFFFFF" and version numbers to integers without checking their size.
        message = "this is not valid YAML: a number in it is out of range"
    mark = loader.get_mark()
    raise SpecError([Problem(SourceLocation(file, mark.line + 1, mark.column + 1), message)])


def place_of_offset(file: Path, text: str, offset: int) -> SourceLocation:
    """Return the location of the character at `offset`; lines are counted as in PyYAML."""
    before = text[:offset]
    ends = [end.end() for end in _LINE_END.finditer(before)]
    return SourceLocation(file, len(ends) + 1, offset - (ends[-1] if ends else 0) + 1)


def _problem(file: Path, text: str, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    place = SourceLocation(file, mark.line + 1, mark.column + 1) if mark else SourceLocation(file, 1, 1)
    message = _hint(error, text) or f"this is not valid YAML: {_error_words(error)}"
    line = dict(enumerate(_LINE_END.split(text))).get(mark.line, "") if mark else ""
    if mark is None or not line.strip() or len(line) > _MAX_SHOWN:
        return Problem(place, message)
    return Problem(place, f"{message}\n    {line.replace(chr(9), '→')}\n    {' ' * mark.column}^")


def _hint(error: yaml.MarkedYAMLError, text: str) -> str | None:
    """Explain the most common mistakes, which PyYAML describes in technical terms; return None for others."""
    problem, begun = error.problem or "", error.context_mark
    if begun and problem == "found unexpected end of stream":
        return f"the text in quotes that begins in line {begun.line + 1} does not end; expected the same quote after it"
    if problem.startswith("mapping values are not allowed"):
        lines, mark = _LINE_END.split(text), error.problem_mark
        if mark is not None and mark.line:
            line, before = lines[mark.line], lines[mark.line - 1]
            if _indentation(line) > _indentation(before) and line.count(": ") + line.endswith(":") == 1:
                return f"this line is indented further than line {mark.line}, which has a value already"
        return "found a `:` that cannot stand here; expected quotes around a text that contains `: `, or a new line"
    match = _BAD_START.search(problem)
    if match and match[1] == "\\t":
        return "found a tab; expected spaces"
    if match:
        return f"found {quoted(match[1])} at the beginning of a text; expected quotes around the text"
    return None


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _error_words(error: yaml.MarkedYAMLError) -> str:
    context = error.context
    begin, end = error.context_mark, error.problem_mark
    if context and begin and end and begin.line != end.line:
        context += f" (begun in line {begin.line + 1})"
    return ", ".join(part for part in (context, error.problem) if part)


KeyPath: TypeAlias = tuple[str | int, ...]
YamlData: TypeAlias = "str | list[YamlData] | dict[str, YamlData]"


class QuotedText(str):
    """A quoted text, for the few values that have another meaning without quotes."""

    __slots__ = ()


@dataclass(frozen=True)
class YamlDocument:
    """The content of a YAML file.

    `values` and `keys` map the path of each value (mapping keys and list indexes) to the locations of the value and its
    key.
    """

    file: Path
    data: YamlData
    values: dict[KeyPath, SourceLocation]
    keys: dict[KeyPath, SourceLocation]

    def place(self, steps: KeyPath) -> SourceLocation:
        """Return the location of the value at `steps`, or of the innermost existing value that would contain it."""
        while steps not in self.values:
            steps = steps[:-1]
        return self.values[steps]

    def key_place(self, steps: KeyPath) -> SourceLocation:
        """Return the location of the key of the value at `steps`."""
        return self.keys.get(steps) or self.place(steps)


def read_document(file: Path) -> YamlDocument:
    """Read a document from `file`.

    Raises SpecError if the file cannot be read, is not UTF-8, is not YAML, is empty, repeats a key, or contains
    something that plain values cannot express.
    """
    return document_in(file, read_text(file))


def document_in(file: Path, text: str) -> YamlDocument:
    """Read a document from `text`, the content of `file`. Raises SpecError as `read_document` does."""
    root = parse(file, text)
    if root is None:
        raise SpecError([Problem(SourceLocation(file, 1, 1), "the file is empty; expected a mapping (key: value)")])
    builder = _Builder(file=file)
    data = builder.build(root, ())
    if builder.problems:
        raise SpecError(builder.problems)
    return YamlDocument(file, data, builder.values, builder.keys)


def read_text(file: Path) -> str:
    """Return the text of `file`, without a byte order mark. Raises SpecError if it cannot be read or is not UTF-8."""
    try:
        content = read_named_file(file)
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        raise SpecError([Problem(SourceLocation(file, 1, 1), message)]) from None
    return decoded(file, content)


def decoded(file: Path, content: bytes) -> str:
    """Decode the `content` of `file`, without a byte order mark. Raises SpecError if it is not UTF-8."""
    content = content.removeprefix(BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        place = place_of_offset(file, before, len(before))
        message = f"found the byte 0x{content[error.start]:02X}; expected UTF-8 text (save the file as UTF-8)"
        raise SpecError([Problem(place, message)]) from None


@dataclass(kw_only=True)
class _Builder:
    """A converter of YAML nodes into data that records the location of every value."""

    file: Path
    values: dict[KeyPath, SourceLocation] = field(default_factory=dict)
    keys: dict[KeyPath, SourceLocation] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    open_nodes: list[yaml.Node] = field(default_factory=list)
    characters: int = 0

    def build(self, node: yaml.Node, steps: KeyPath) -> YamlData:
        if len(self.values) >= _MAX_VALUES:
            # A few lines with aliases to aliases can expand to more values than fit into memory.
            raise SpecError([Problem(self._place(node), f"found more than {_MAX_VALUES} values in one file")])
        self.values[steps] = self._place(node)
        if node in self.open_nodes:
            self.problems.append(Problem(self._place(node), "this alias contains itself"))
            return ""
        if len(self.open_nodes) == _MAX_LEVELS:
            raise SpecError([Problem(self._place(node), _TOO_DEEP)])
        self.open_nodes.append(node)
        try:
            if isinstance(node, yaml.MappingNode):
                return self._mapping(node, steps)
            if isinstance(node, yaml.SequenceNode):
                return [self.build(item, (*steps, index)) for index, item in enumerate(node.value)]
            return self._text(node)
        finally:
            self.open_nodes.pop()

    def _mapping(self, node: yaml.MappingNode, steps: KeyPath) -> YamlData:
        result: dict[str, YamlData] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(
                    Problem(self._place(key_node), "found a list or mapping as a key; expected a text")
                )
                continue
            key = self._text(key_node)
            if key in result:
                first = self.keys[(*steps, key)]
                message = f"the key {quoted(key)} is given twice (first in line {first.line})"
                self.problems.append(Problem(self._place(key_node), message))
                continue
            self.keys[(*steps, key)] = self._place(key_node)
            result[key] = self.build(value_node, (*steps, key))
        return result

    def _text(self, node: yaml.Node) -> str:
        text = str(node.value)
        self.characters += len(text)
        if self.characters > _MAX_CHARACTERS:
            message = f"found more than {_MAX_CHARACTERS} characters in one file, aliases included"
            raise SpecError([Problem(self._place(node), message)])
        if isinstance(node, yaml.ScalarNode) and node.style in _QUOTES:
            text = QuotedText(text)
        half = _SURROGATE.search(text)
        if half:
            message = f"found {quoted(half[0])}, half of a character; expected the whole character"
            self.problems.append(Problem(self._place(node), message))
        return text

    def _place(self, node: yaml.Node) -> SourceLocation:
        return SourceLocation(self.file, node.start_mark.line + 1, node.start_mark.column + 1)
