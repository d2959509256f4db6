"""A suite of TESTed: its contexts and their steps, read from TESTed's YAML language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, TypeAlias

import yaml

from grader.plugins.importing.course_draft import ImportingError
from grader.plugins.importing.tested.expressions import NoFormError, is_assignment
from grader.plugins.importing.tested.python_code import value_in_python

_PYTHON = "python"
_READ = (
    "statement",
    "expression",
    "return",
    "stdout",
    "stderr",
    "exit_code",
    "exception",
    "stdin",
    "arguments",
    "description",
    "input_files",
    "output_files",
    "file",
    "files",
    "config",
)


class InexpressibleCaseError(Exception):
    """A test case cannot be expressed here; the message says why."""


class NoValue(Enum):
    """A placeholder for a value."""

    NOTHING = auto()
    """Nothing is returned."""
    IGNORED = auto()
    """The returned value is ignored."""


@dataclass(frozen=True)
class Tagged:
    """A value with a type of its own, such as `!tuple`."""

    tag: str
    value: Any


@dataclass(frozen=True)
class OwnFile:
    """The content of a file in the exercise, given by its path there."""

    path: str


@dataclass(frozen=True)
class PythonValue:
    """A value as a Python expression that consists only of literals."""

    source: str


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """A function of the course that judges: `file` is in evaluation/."""

    file: str
    function: str
    arguments: tuple[PythonValue, ...] = ()
    gets_value_alone: bool = False
    """True if the function receives only the actual value, not the expected one."""


@dataclass(frozen=True, kw_only=True)
class WantedText:
    """A string, the way it is compared, and the oracle that compares it, if any."""

    text: str | OwnFile
    options: Mapping[str, Any] = field(default_factory=dict)
    oracle: Oracle | None = None


@dataclass(frozen=True, kw_only=True)
class ExpectedReturn:
    """The expected return value of a call; `value` is a Python expression that consists only of literals."""

    value: PythonValue | NoValue
    oracle: Oracle | None = None


@dataclass(frozen=True)
class ExpectedError:
    """The expected exception: its class by language, if the class matters, and its message or None."""

    types: Mapping[str, str]
    message: str | None


@dataclass(frozen=True)
class MainCall:
    """A start of the program."""

    stdin: str | OwnFile
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """A line in the language of TESTed; the value of a statement is not checked."""

    text: str
    is_statement: bool


@dataclass(frozen=True)
class OwnCode:
    """A line for each language in which it is written; the value of a statement is not checked."""

    texts: Mapping[str, str]
    is_statement: bool


@dataclass(frozen=True)
class InexpressibleCode:
    """Code that cannot be expressed in any language, with the reason."""

    why: str


Action: TypeAlias = MainCall | Code | OwnCode | InexpressibleCode


@dataclass(frozen=True)
class WantedFile:
    """A file by the name that a program sees."""

    name: str
    content: str | OwnFile


@dataclass(frozen=True, kw_only=True)
class Step:
    """One test case: an action and its expected results."""

    action: Action
    title: str = ""
    stdout: WantedText | None = None
    stderr: WantedText | None = None
    exit_status: int | None = None
    returned: ExpectedReturn = ExpectedReturn(value=NoValue.NOTHING)
    error: ExpectedError | None = None
    input_files: tuple[WantedFile, ...] = ()
    output_files: tuple[WantedFile, ...] = ()
    unsaid: tuple[str, ...] = ()
    """Requirements that cannot be expressed here."""


@dataclass(frozen=True)
class Context:
    """Steps that run in one process, one after the other, and the tab in which they are shown."""

    tab: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Suite:
    """The contexts of a suite, and its name for the program, which is a file, a module or a class."""

    contexts: tuple[Context, ...]
    namespace: str = "submission"

    @property
    def calls_nothing(self) -> bool:
        """Return whether the program is only started."""
        return all(isinstance(step.action, MainCall) for context in self.contexts for step in context.steps)


class _SuiteLoader(yaml.SafeLoader):
    """A loader that keeps the explicit types of values."""


def _tagged(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> Tagged:
    match node:
        case yaml.MappingNode():
            return Tagged(tag, loader.construct_mapping(node, deep=True))
        case yaml.SequenceNode():
            return Tagged(tag, loader.construct_sequence(node, deep=True))
        case yaml.ScalarNode():
            return Tagged(tag, loader.construct_scalar(node))
        case _:
            return Tagged(tag, value=None)


_SuiteLoader.add_multi_constructor("!", _tagged)


@dataclass(frozen=True)
class _InheritedSettings:
    """The settings that apply to everything inside an entry."""

    config: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    language: str = ""

    def within(self, entry: Mapping[str, Any]) -> "_InheritedSettings":
        """Return the settings one level further in, with the settings of `entry` added."""
        config = dict(self.config)
        for name, options in (entry.get("config") or {}).items():
            config[name] = {**config.get(name, {}), **options}
        files = {**self.files, **{str(file["name"]): str(file["name"]) for file in entry.get("files") or ()}}
        return replace(self, config=config, files=files)


def read_suite(text: str, name: str) -> Suite:
    """Read a test suite of TESTed from YAML. Raises ImportingError."""
    try:
        content = _SuiteLoader(text).get_single_data()
        root = content if isinstance(content, dict) else {"tabs": content}
        outer = replace(_InheritedSettings().within(root), language=str(root.get("language") or ""))
        tabs = root["tabs"] if "tabs" in root else root["units"]
        contexts = tuple(context for tab in tabs for context in _contexts(tab, outer.within(tab)))
        return Suite(contexts, str(root["namespace"])) if root.get("namespace") else Suite(contexts)
    except yaml.YAMLError as error:
        raise ImportingError(f"{name} is no YAML: {error}") from None
    except (KeyError, TypeError, AttributeError, ValueError, NoFormError) as error:
        raise ImportingError(f"{name} is no suite of TESTed: {type(error).__name__} {error}") from None


def _contexts(tab: Mapping[str, Any], outer: _InheritedSettings) -> Iterator[Context]:
    title = str(tab.get("tab", tab.get("unit", "")))
    several = tab.get("contexts", tab.get("cases"))
    if several is not None:
        for entry in several:
            inner = outer.within(entry)
            yield Context(title, tuple(_step(step, inner) for step in entry.get("testcases", entry.get("script"))))
        return
    for step in tab.get("testcases", tab.get("scripts")):
        yield Context(title, (_step(step, outer),))


def _step(entry: Mapping[str, Any], outer: _InheritedSettings) -> Step:
    inner = outer.within(entry)
    output_files, unsaid = _output_files(entry.get("output_files", entry.get("file")))
    try:
        returned = _returned(entry)
    except NoFormError as error:
        returned, unsaid = ExpectedReturn(value=NoValue.IGNORED), (*unsaid, f"`return`: {error}")
    description = entry.get("description") or ""
    return Step(
        action=_action(entry, inner),
        title=str(description["description"] if isinstance(description, dict) else description),
        stdout=_text(entry.get("stdout"), inner.config.get("stdout", {})),
        stderr=_text(entry.get("stderr"), inner.config.get("stderr", {})),
        exit_status=entry.get("exit_code"),
        returned=returned,
        error=_error(entry.get("exception")),
        input_files=_input_files(entry, inner),
        output_files=output_files,
        unsaid=(*unsaid, *(f"`{key}`" for key in entry if key not in _READ)),
    )


def _action(entry: Mapping[str, Any], outer: _InheritedSettings) -> Action:
    code = entry.get("statement", entry.get("expression"))
    if code is None:
        stdin = entry.get("stdin")
        return MainCall(_stdin(stdin), tuple(map(_argument, entry.get("arguments") or ())))
    is_statement = "statement" in entry and "return" not in entry
    if isinstance(code, dict):
        return OwnCode({str(language): str(text) for language, text in code.items()}, is_statement)
    if outer.language:
        return OwnCode({outer.language: str(code)}, is_statement)
    return Code(str(code), is_statement or is_assignment(str(code)))


def _argument(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _stdin(entry: Any) -> str | OwnFile:
    """Return the standard input of the program."""
    if not isinstance(entry, dict):
        return _ended(str(entry)) if entry is not None else ""
    content = entry.get("content")
    if isinstance(content, str):
        return _ended(content)
    return OwnFile(str(content.value if isinstance(content, Tagged) else entry["path"]))


def _ended(text: str) -> str:
    return f"{text}\n" if text and not text.endswith("\n") else text


def _text(entry: Any, defaults: Mapping[str, Any]) -> WantedText | None:
    if entry is None:
        return None
    if not isinstance(entry, dict):
        entry = {"data": entry}
    options = {**defaults, **(entry.get("config") or {})}
    content = entry.get("data", entry.get("content"))
    if isinstance(content, Tagged):
        text: str | OwnFile = OwnFile(str(content.value))
    else:
        value = str(content if content is not None else "")
        text = _ended(value) if options.get("normalizeTrailingNewlines", True) else value
    return WantedText(text=text, options=options, oracle=_oracle(entry))


def _oracle(entry: Mapping[str, Any]) -> Oracle | None:
    if entry.get("oracle", "builtin") == "builtin":
        return None
    if entry["oracle"] == "specific_check":
        function = entry["functions"].get(_PYTHON, {"file": ""})
        lines = (entry.get("arguments") or {}).get(_PYTHON, ())
        return as_oracle(function, tuple(PythonValue(str(argument)) for argument in lines), gets_value_alone=True)
    arguments = tuple(PythonValue(_literal(argument)) for argument in entry.get("arguments") or ())
    return as_oracle(entry, arguments, gets_value_alone=False)


def as_oracle(
    function_entry: Mapping[str, Any], arguments: tuple[PythonValue, ...], *, gets_value_alone: bool
) -> Oracle:
    """Make an oracle of a named function in a file of evaluation/."""
    return Oracle(
        file=str(function_entry["file"]),
        function=str(function_entry.get("name", "evaluate")),
        arguments=arguments,
        gets_value_alone=gets_value_alone,
    )


def _returned(entry: Mapping[str, Any]) -> ExpectedReturn:
    if "return" not in entry:
        return ExpectedReturn(value=NoValue.IGNORED if "statement" in entry else NoValue.NOTHING)
    value = entry["return"]
    if isinstance(value, Tagged) and value.tag == "oracle":
        oracle = _oracle(value.value)
        inner = value.value.get("value")
        return ExpectedReturn(value=PythonValue(_literal(inner)), oracle=oracle)
    return ExpectedReturn(value=PythonValue(_literal(value)))


def _literal(value: Any) -> str:
    """Return the value as a Python expression. Raises NoFormError if it has no equivalent."""
    match value:
        case Tagged("expression", code):
            return value_in_python(str(code))
        case Tagged(tag, list() | dict() as inner):
            return value_in_python(f"{tag}({_literal(inner)})")
        case Tagged(tag, inner):
            return value_in_python(f"{tag}({inner})" if tag not in ("text", "char", "string") else repr(str(inner)))
        case list():
            return f"[{', '.join(map(_literal, value))}]"
        case dict():
            return "{" + ", ".join(f"{_literal(key)}: {_literal(item)}" for key, item in value.items()) + "}"
        case set():
            return f"set([{', '.join(sorted(map(_literal, value)))}])"
        case _:
            return repr(value)


def _error(entry: Any) -> ExpectedError | None:
    if entry is None:
        return None
    if isinstance(entry, dict):
        return ExpectedError(entry.get("types") or {}, entry.get("message"))
    return ExpectedError({}, message=str(entry))


def _input_files(entry: Mapping[str, Any], outer: _InheritedSettings) -> tuple[WantedFile, ...]:
    files = {name: WantedFile(name, OwnFile(source)) for name, source in outer.files.items()}
    for file in (*(entry.get("input_files") or ()), *filter(_has_path, (entry.get("stdin"),))):
        files[str(file["path"])] = _wanted_file(file)
    return tuple(files.values())


def _has_path(entry: Any) -> bool:
    return isinstance(entry, dict) and "path" in entry and "content" in entry


def _wanted_file(entry: Mapping[str, Any]) -> WantedFile:
    content = entry.get("content")
    if isinstance(content, str):
        return WantedFile(str(entry["path"]), _ended(content))
    path = content.value if isinstance(content, Tagged) else entry["path"]
    return WantedFile(str(entry["path"]), OwnFile(str(path)))


def _output_files(entry: Any) -> tuple[tuple[WantedFile, ...], tuple[str, ...]]:
    if entry is None:
        return (), ()
    if isinstance(entry, list):
        return tuple(map(_wanted_file, entry)), ()
    unsaid = () if entry.get("oracle", "builtin") == "builtin" else ("the oracle of `output_files`",)
    if "content" in entry:
        return (WantedFile(str(entry["location"]), OwnFile(str(entry["content"]))),), unsaid
    return tuple(map(_wanted_file, entry["data"])), unsaid
