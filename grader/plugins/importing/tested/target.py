"""The languages for testing functions, and the writers of calls in these languages."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from grader.config.yaml_writer import Writable
from grader.model.interaction import is_statement
from grader.plugins.importing.languages import LANGUAGES, PYTHON
from grader.plugins.importing.source_language import SourceLanguage
from grader.plugins.importing.tested.code_writer import CodeWriter
from grader.plugins.importing.tested.cplusplus_code import INCLUDED, CplusplusWriter
from grader.plugins.importing.tested.expressions import NoFormError, parse_line, pascal_case, snake_case
from grader.plugins.importing.tested.java_code import JavaWriter
from grader.plugins.importing.tested.python_code import in_python
from grader.plugins.importing.tested.suite import Code, InexpressibleCaseError, OwnCode, OwnFile
from grader.text.syntax import parse, parse_expression


class InexpressibleLineError(InexpressibleCaseError):
    """A line cannot be written in the language; later lines may need it if it is a statement."""

    def __init__(self, why: str, *, is_statement: bool) -> None:
        super().__init__(why)
        self.is_statement = is_statement


class CallWriter(Protocol):
    """A writer of the calls of one context, in order."""

    def keys(self, text: str, typed: str | OwnFile, /) -> dict[str, Writable]:
        """Return the keys of a test that calls a function after typing `typed`. Raises InexpressibleCaseError."""

    def written(self, code: Code, /) -> str:
        """Return a line of the suite in this language. Raises NoFormError."""

    def is_statement(self, text: str, /) -> bool:
        """Return whether a line has no value."""

    def add(self, text: str, *, may_raise: bool) -> None:
        """Run a line before all later lines, which must run even if this line raises an expected exception."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """A language: its names in options and suites, and its display name."""

    key: str
    name: str
    calls: Callable[[str], CallWriter]
    """A function that returns a writer of a context, given the name of the program in the suite."""
    stem: Callable[[str], str]
    """A function that returns the name of the submitted file, without its suffix, given the name of the program."""
    any_exception: str | None = None
    """The base class of all exceptions."""
    flags: tuple[str, ...] = ()
    """The options of the compiler."""

    @property
    def source(self) -> SourceLanguage:
        """The language of the files."""
        return next(language for language in LANGUAGES if language.name == self.name)

    def built_with(self, name: str) -> bool:
        """Return whether a file beside a program is needed to build the program."""
        is_here = self.source is not PYTHON and "/" not in name
        return is_here and name.endswith((*self.source.suffixes, ".h", ".hpp"))

    @property
    def settings(self) -> dict[str, Writable]:
        """The options for the usual commands."""
        return {"flags": [*self.flags]} if self.flags else {}

    def text(self, code: Code | OwnCode, writer: CallWriter) -> str:
        """Return a line in this language. Raises InexpressibleLineError."""
        try:
            return writer.written(code) if isinstance(code, Code) else self._own(code)
        except NoFormError as error:
            raise InexpressibleLineError(str(error), is_statement=code.is_statement) from None

    def _own(self, code: OwnCode) -> str:
        if self.key not in code.texts:
            raise NoFormError(f"it is not for {self.name}")
        return code.texts[self.key]


class _PythonCalls:
    def __init__(self, namespace: str) -> None:
        self._module = snake_case(namespace)
        self._before: list[str] = []

    def written(self, code: Code) -> str:
        return in_python(parse_line(code.text))

    def is_statement(self, text: str) -> bool:
        try:
            parse_expression(text)
        except SyntaxError:
            return True
        return False

    def add(self, text: str, *, may_raise: bool) -> None:
        may_raise = may_raise or ("(" in text and not self.is_statement(text))
        self._before.append(f"with contextlib.suppress(BaseException): {text}" if may_raise else text)

    def keys(self, text: str, typed: str | OwnFile) -> dict[str, Writable]:
        if isinstance(typed, OwnFile):
            raise InexpressibleCaseError("the program reads a file before it is called")
        if self.is_statement(text) and self._before:
            return {"calls": [*self._imports(self._before), *self._before, text]}
        if self.is_statement(text):
            return {"call": _value_alone(text), "prints": ""}
        setup = [*self._imports([*self._before, text]), *self._before]
        fed: dict[str, Writable] = {"input": typed.splitlines()} if typed else {}
        return {"call": text, **_setup(setup), **fed}

    def _imports(self, lines: Sequence[str]) -> list[str]:
        """Return the imports for these lines: the module itself, or contextlib to suppress their exceptions."""
        return [f"import {name}" for name in (self._module, "contextlib") if any(f"{name}." in line for line in lines)]


def _value_alone(statement: str) -> str:
    """Return the value that a statement assigns, if nothing comes before it. Raises InexpressibleCaseError."""
    match parse(statement).body:
        case [ast.Assign(value=value)] if any(isinstance(node, ast.Call) for node in ast.walk(value)):
            return ast.unparse(value)
    raise InexpressibleCaseError("it calls nothing")


class _CompiledCalls:
    """Calls in a compiled language: `includes` precede all lines; `guarded` is the form of a line that may throw."""

    def __init__(self, writer: CodeWriter, includes: tuple[str, ...] = (), guarded: str = "{}") -> None:
        self._writer, self._includes, self._guarded = writer, includes, guarded
        self._before: list[str] = []

    def written(self, code: Code) -> str:
        return self._writer.line(parse_line(code.text))

    def is_statement(self, text: str) -> bool:
        return is_statement(text)

    def add(self, text: str, *, may_raise: bool) -> None:
        may_raise = may_raise or not is_statement(text)
        self._before.append(self._guarded.format(text.rstrip(";")) if may_raise else text)

    def keys(self, text: str, typed: str | OwnFile) -> dict[str, Writable]:
        if typed:
            raise InexpressibleCaseError("the program is fed before it is called")
        if is_statement(text):
            return {**_setup(self._includes), "calls": [*self._before, text]}
        return {"call": text, **_setup((*self._includes, *self._before))}


def _setup(lines: Sequence[str]) -> dict[str, Writable]:
    return {"setup": [*lines]} if lines else {}


def _including(*headers: str) -> tuple[str, ...]:
    """Return the compiler options that include headers: TESTed adds them, so programs may leave them out."""
    return tuple(word for header in headers for word in ("-include", header))


def _same(name: str) -> str:
    return name


def call_targets() -> dict[str, Target]:
    """Return the languages whose functions can be tested, by their keys."""
    python = Target(key="python", name="Python", calls=_PythonCalls, stem=snake_case, any_exception="Exception")
    c = Target(
        key="c",
        name="C",
        calls=lambda name: _CompiledCalls(CodeWriter(name), ("#include <stdbool.h>", "#include <stddef.h>")),
        stem=_same,
        flags=_including("stdio.h", "stdlib.h", "string.h", "math.h"),
    )
    cplusplus = Target(
        key="cpp",
        name="C++",
        calls=lambda name: _CompiledCalls(
            CplusplusWriter(name),
            tuple(f"#include <{header}>" for header in INCLUDED),
            "try {{ {}; }} catch (...) {{ }}",
        ),
        stem=_same,
        any_exception="std::exception",
        flags=("-std=gnu++20", *_including("string", "vector")),
    )
    java = Target(
        key="java",
        name="Java",
        calls=lambda name: _CompiledCalls(JavaWriter(name), guarded="try {{ {}; }} catch (Throwable thrown) {{ }}"),
        stem=pascal_case,
        any_exception="Exception",
    )
    return {target.key: target for target in (python, c, cplusplus, java)}
