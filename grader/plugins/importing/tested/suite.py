"""What a suite of TESTed says: contexts, and the steps of each; and how its YAML language says it."""

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


class UnsaidError(Exception):
    """A test case cannot be said here; the message says why."""


class NoValue(Enum):
    """What stands in place of a value."""

    NOTHING = auto()
    """Nothing is returned."""
    IGNORED = auto()
    """What is returned does not count."""


@dataclass(frozen=True)
class Tagged:
    """A value with a type of its own, such as `!tuple`."""

    tag: str
    value: Any


@dataclass(frozen=True)
class OwnFile:
    """What is in a file of the exercise, by its path there."""

    path: str


@dataclass(frozen=True)
class PythonValue:
    """A value as an expression of Python, which has nothing but literals."""

    source: str


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """A function of the course that judges: `file` is in evaluation/."""

    file: str
    function: str
    arguments: tuple[PythonValue, ...] = ()
    gets_value_alone: bool = False
    """Whether the function is given what came, and not what was expected."""


@dataclass(frozen=True, kw_only=True)
class WantedText:
    """A text, how it is compared, and the oracle that does it, if any."""

    text: str | OwnFile
    options: Mapping[str, Any] = field(default_factory=dict)
    oracle: Oracle | None = None


@dataclass(frozen=True, kw_only=True)
class ExpectedReturn:
    """What a call must return; `value` is an expression of Python with nothing but literals."""

    value: PythonValue | NoValue
    oracle: Oracle | None = None


@dataclass(frozen=True)
class ExpectedError:
    """The exception that must be raised: its class by language, where it has to be of one, and its message or None."""

    types: Mapping[str, str]
    message: str | None


@dataclass(frozen=True)
class MainCall:
    """The program is started."""

    stdin: str | OwnFile
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """A line in the language of TESTed; nothing is said of the value of a statement."""

    text: str
    is_statement: bool


@dataclass(frozen=True)
class OwnCode:
    """A line by the language that it is written in; nothing is said of the value of a statement."""

    texts: Mapping[str, str]
    is_statement: bool


@dataclass(frozen=True)
class UnsaidCode:
    """What cannot be said in any language, with the reason."""

    why: str


Action: TypeAlias = MainCall | Code | OwnCode | UnsaidCode


@dataclass(frozen=True)
class WantedFile:
    """A file by the name that a program sees."""

    name: str
    content: str | OwnFile


@dataclass(frozen=True, kw_only=True)
class Step:
    """One test case: what is done, and what must come of it."""

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
    """What there is no word for here."""


@dataclass(frozen=True)
class Context:
    """Steps that are done in one process, one after the other, and the tab they are shown in."""

    tab: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Suite:
    """The contexts of a suite, and what it calls the program, which is a file, a module or a class."""

    contexts: tuple[Context, ...]
    namespace: str = "submission"

    @property
    def calls_nothing(self) -> bool:
        """Return whether the program is only started."""
        return all(isinstance(step.action, MainCall) for context in self.contexts for step in context.steps)


class _SuiteLoader(yaml.SafeLoader):
    """Keeps the types that values are given."""


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
class _Around:
    """What holds for all that is inside."""

    config: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    language: str = ""

    def within(self, said: Mapping[str, Any]) -> "_Around":
        """With what is said one level further in."""
        config = dict(self.config)
        for name, options in (said.get("config") or {}).items():
            config[name] = {**config.get(name, {}), **options}
        files = {**self.files, **{str(one["name"]): str(one["name"]) for one in said.get("files") or ()}}
        return replace(self, config=config, files=files)


def read_suite(text: str, name: str) -> Suite:
    """Return a suite. Raises ImportingError."""
    try:
        said = _SuiteLoader(text).get_single_data()
        root = said if isinstance(said, dict) else {"tabs": said}
        around = replace(_Around().within(root), language=str(root.get("language") or ""))
        tabs = root["tabs"] if "tabs" in root else root["units"]
        contexts = tuple(one for tab in tabs for one in _contexts(tab, around.within(tab)))
        return Suite(contexts, str(root["namespace"])) if root.get("namespace") else Suite(contexts)
    except yaml.YAMLError as error:
        raise ImportingError(f"{name} is no YAML: {error}") from None
    except (KeyError, TypeError, AttributeError, ValueError, NoFormError) as error:
        raise ImportingError(f"{name} is no suite of TESTed: {type(error).__name__} {error}") from None


def _contexts(tab: Mapping[str, Any], around: _Around) -> Iterator[Context]:
    title = str(tab.get("tab", tab.get("unit", "")))
    several = tab.get("contexts", tab.get("cases"))
    if several is not None:
        for one in several:
            inner = around.within(one)
            yield Context(title, tuple(_step(step, inner) for step in one.get("testcases", one.get("script"))))
        return
    for step in tab.get("testcases", tab.get("scripts")):
        yield Context(title, (_step(step, around),))


def _step(said: Mapping[str, Any], around: _Around) -> Step:
    inner = around.within(said)
    output_files, unsaid = _output_files(said.get("output_files", said.get("file")))
    try:
        returned = _returned(said)
    except NoFormError as error:
        returned, unsaid = ExpectedReturn(value=NoValue.IGNORED), (*unsaid, f"`return`: {error}")
    description = said.get("description") or ""
    return Step(
        action=_action(said, inner),
        title=str(description["description"] if isinstance(description, dict) else description),
        stdout=_text(said.get("stdout"), inner.config.get("stdout", {})),
        stderr=_text(said.get("stderr"), inner.config.get("stderr", {})),
        exit_status=said.get("exit_code"),
        returned=returned,
        error=_error(said.get("exception")),
        input_files=_input_files(said, inner),
        output_files=output_files,
        unsaid=(*unsaid, *(f"`{key}`" for key in said if key not in _READ)),
    )


def _action(said: Mapping[str, Any], around: _Around) -> Action:
    code = said.get("statement", said.get("expression"))
    if code is None:
        stdin = said.get("stdin")
        return MainCall(_stdin(stdin), tuple(map(_argument, said.get("arguments") or ())))
    is_statement = "statement" in said and "return" not in said
    if isinstance(code, dict):
        return OwnCode({str(language): str(text) for language, text in code.items()}, is_statement)
    if around.language:
        return OwnCode({around.language: str(code)}, is_statement)
    return Code(str(code), is_statement or is_assignment(str(code)))


def _argument(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _stdin(said: Any) -> str | OwnFile:
    """What the program is fed."""
    if not isinstance(said, dict):
        return _ended(str(said)) if said is not None else ""
    content = said.get("content")
    if isinstance(content, str):
        return _ended(content)
    return OwnFile(str(content.value if isinstance(content, Tagged) else said["path"]))


def _ended(text: str) -> str:
    return f"{text}\n" if text and not text.endswith("\n") else text


def _text(said: Any, around: Mapping[str, Any]) -> WantedText | None:
    if said is None:
        return None
    if not isinstance(said, dict):
        said = {"data": said}
    options = {**around, **(said.get("config") or {})}
    content = said.get("data", said.get("content"))
    if isinstance(content, Tagged):
        text: str | OwnFile = OwnFile(str(content.value))
    else:
        own = str(content if content is not None else "")
        text = _ended(own) if options.get("normalizeTrailingNewlines", True) else own
    return WantedText(text=text, options=options, oracle=_oracle(said))


def _oracle(said: Mapping[str, Any]) -> Oracle | None:
    if said.get("oracle", "builtin") == "builtin":
        return None
    if said["oracle"] == "specific_check":
        own = said["functions"].get(_PYTHON, {"file": ""})
        lines = (said.get("arguments") or {}).get(_PYTHON, ())
        return as_oracle(own, tuple(PythonValue(str(one)) for one in lines), gets_value_alone=True)
    arguments = tuple(PythonValue(_literal(one)) for one in said.get("arguments") or ())
    return as_oracle(said, arguments, gets_value_alone=False)


def as_oracle(own: Mapping[str, Any], arguments: tuple[PythonValue, ...], *, gets_value_alone: bool) -> Oracle:
    """Return the function that is named, in a file of evaluation/."""
    return Oracle(
        file=str(own["file"]),
        function=str(own.get("name", "evaluate")),
        arguments=arguments,
        gets_value_alone=gets_value_alone,
    )


def _returned(said: Mapping[str, Any]) -> ExpectedReturn:
    if "return" not in said:
        return ExpectedReturn(value=NoValue.IGNORED if "statement" in said else NoValue.NOTHING)
    value = said["return"]
    if isinstance(value, Tagged) and value.tag == "oracle":
        oracle = _oracle(value.value)
        inner = value.value.get("value")
        return ExpectedReturn(value=PythonValue(_literal(inner)), oracle=oracle)
    return ExpectedReturn(value=PythonValue(_literal(value)))


def _literal(value: Any) -> str:
    """Return the value as an expression of Python. Raises NoFormError where it has none, as a ValueError."""
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
            return "{" + ", ".join(f"{_literal(key)}: {_literal(one)}" for key, one in value.items()) + "}"
        case set():
            return f"set([{', '.join(sorted(map(_literal, value)))}])"
        case _:
            return repr(value)


def _error(said: Any) -> ExpectedError | None:
    if said is None:
        return None
    if isinstance(said, dict):
        return ExpectedError(said.get("types") or {}, said.get("message"))
    return ExpectedError({}, message=str(said))


def _input_files(said: Mapping[str, Any], around: _Around) -> tuple[WantedFile, ...]:
    found = {name: WantedFile(name, OwnFile(source)) for name, source in around.files.items()}
    for one in (*(said.get("input_files") or ()), *filter(_has_path, (said.get("stdin"),))):
        found[str(one["path"])] = _wanted_file(one)
    return tuple(found.values())


def _has_path(said: Any) -> bool:
    return isinstance(said, dict) and "path" in said and "content" in said


def _wanted_file(said: Mapping[str, Any]) -> WantedFile:
    content = said.get("content")
    if isinstance(content, str):
        return WantedFile(str(said["path"]), _ended(content))
    path = content.value if isinstance(content, Tagged) else said["path"]
    return WantedFile(str(said["path"]), OwnFile(str(path)))


def _output_files(said: Any) -> tuple[tuple[WantedFile, ...], tuple[str, ...]]:
    if said is None:
        return (), ()
    if isinstance(said, list):
        return tuple(map(_wanted_file, said)), ()
    unsaid = () if said.get("oracle", "builtin") == "builtin" else ("the oracle of `output_files`",)
    if "content" in said:
        return (WantedFile(str(said["location"]), OwnFile(str(said["content"]))),), unsaid
    return tuple(map(_wanted_file, said["data"])), unsaid
