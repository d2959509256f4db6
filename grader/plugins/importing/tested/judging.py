"""The expected results of a step as keys of a test: values, texts, exceptions, and oracles as checkers."""

import ast
import json
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from pathlib import Path

from grader.config.yaml_writer import Quoted, Writable
from grader.model.plain_values import CARD
from grader.plugins.importing.course_draft import CourseDraft, files_in
from grader.plugins.importing.tested.exercise import Exercise
from grader.plugins.importing.tested.suite import (
    ExpectedError,
    ExpectedReturn,
    InexpressibleCaseError,
    NoValue,
    Oracle,
    PythonValue,
    Step,
    WantedText,
)
from grader.plugins.importing.tested.target import Target
from grader.text.syntax import parse_expression

_CLOSE = "0.000000001"
"""The relative error that is allowed for real numbers."""

_MAX_DIGITS = 40
_TEMPLATES = Path(__file__).parents[1] / "templates"
_HOME = "tested_oracles"
_COMPARING = ("ignoreWhitespace", "caseInsensitive", "tryFloatingPoint")
"""The options that change how texts are compared; all other options belong to one of these."""
_SUITES = (".yaml", ".yml", ".tson", ".json")
_NOTHING = WantedText(text="")


class NoStatedValueError(Exception):
    """The value cannot be written in a test; the message says why."""


def stated_value(source: str) -> tuple[Writable, bool]:
    """Return the value in the form of `returns`, and whether it contains real numbers. Raises NoStatedValueError."""
    try:
        node = parse_expression(source)
    except (SyntaxError, ValueError) as error:
        raise NoStatedValueError(str(error)) from None
    reals: list[float] = []
    value = _stated(node, reals)
    return value, bool(reals)


def _stated(node: ast.expr, reals: list[float]) -> Writable:
    match node:
        case ast.List():
            return [_stated(item, reals) for item in node.elts]
        case ast.Dict():
            return _mapping(node, reals)
        case ast.Tuple():
            return {"tuple": [_stated(item, reals) for item in node.elts]}
        case ast.Set():
            return {"set": [_stated(item, reals) for item in node.elts]}
        case ast.Call(ast.Name(kind), arguments):
            return _cast(kind, arguments, reals)
        case _:
            return _scalar(node, reals)


def _scalar(node: ast.expr, reals: list[float]) -> Writable:
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
            return _number(-number, reals)
        case ast.Constant(str(text)):
            return {"text": text} if CARD.fullmatch(text) else Quoted(text)
        case ast.Constant(bool() | None):
            return str(node.value).lower()
        case ast.Constant(int() | float() as number):
            return _number(number, reals)
        case _:
            raise NoStatedValueError(f"{ast.unparse(node)} is no number, text, list or the like")


def _mapping(node: ast.Dict, reals: list[float]) -> Writable:
    mapping: dict[str, Writable] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        key_text = _stated(key, reals) if key is not None else None
        if not isinstance(key_text, str) or key_text in ("tuple", "set", "text", "deck", "python"):
            raise NoStatedValueError(f"{ast.unparse(node)} has a key that YAML cannot have")
        mapping[key_text] = _stated(value, reals)
    return mapping


def _cast(kind: str, arguments: list[ast.expr], reals: list[float]) -> Writable:
    inner = arguments[0] if arguments else ast.List([], ast.Load())
    if kind in ("tuple", "set") and isinstance(inner, ast.List | ast.Tuple | ast.Set):
        return {kind: [_stated(item, reals) for item in inner.elts]}
    try:
        value = {"int": int, "float": float, "bool": bool}[kind](ast.literal_eval(inner))
    except (KeyError, ValueError, TypeError) as error:
        raise NoStatedValueError(f"{kind} of {error}") from None
    return str(value).lower() if isinstance(value, bool) else _number(value, reals)


def _number(number: float, reals: list[float]) -> str:
    if isinstance(number, int):
        return str(number)
    if not isfinite(number):
        raise NoStatedValueError(f"{number} is no number that can be written")
    reals.append(number)
    text = f"{Decimal(repr(number)):f}"
    if len(text) > _MAX_DIGITS:
        raise NoStatedValueError(f"{number} is no number that can be written")
    return text if "." in text else f"{text}.0"


class OracleFiles:
    """A collection of oracles, which become checkers of the course, and the keys with which tests refer to these."""

    def __init__(self, exercise: Exercise, draft: CourseDraft, *, has_reference: bool) -> None:
        self._exercise, self._draft = exercise, draft
        self.has_reference = has_reference
        self._count = 0

    def keys(self, oracle: Oracle, value: str) -> dict[str, Writable]:
        """Return the keys of a test judged by a function of the course. Raises InexpressibleCaseError."""
        folder = f"{_HOME}/{self._draft.id}"
        file = self._exercise.evaluation / oracle.file
        if not oracle.file.endswith(".py") or not file.is_file():
            raise InexpressibleCaseError("its oracle is not in Python, or not there")
        for name, helper in files_in(self._exercise.evaluation):
            if helper.suffix not in _SUITES:
                self._draft.add(f"checkers/{folder}/{name}", helper)
        self._draft.add(f"checkers/{_HOME}/evaluation_utils.py", _TEMPLATES / "tested_evaluation_utils.py.txt")
        self._draft.add("checkers/tested_oracle.py", _TEMPLATES / "tested_oracle.py.txt")
        options: dict[str, Writable] = {
            "file": f"{folder}/{file.relative_to(self._exercise.evaluation).as_posix()}",
            "function": oracle.function,
            "value": value,
        }
        if oracle.arguments:
            options["arguments"] = f"[{', '.join(argument.source for argument in oracle.arguments)}]"
        if oracle.gets_value_alone:
            options["given"] = "value"
        return {"checker": "tested_oracle", "checker_options": options}

    def text(self, expected: WantedText | None) -> str:
        """Return the expected text, which may be in a file. Raises InexpressibleCaseError."""
        if expected is None:
            return ""
        if isinstance(expected.text, str):
            return expected.text
        return self._exercise.file(expected.text).read_bytes().decode("utf-8", "surrogateescape")

    def comparing(self, streams: dict[str, WantedText]) -> dict[str, Writable]:
        """Return the keys of a test whose texts a checker compares."""
        self._count += 1
        name = f"{_HOME}/{self._draft.id}/says-{self._count}.json"
        says = {
            stream: {"text": expected.text, "options": dict(expected.options)} for stream, expected in streams.items()
        }
        self._draft.add(f"checkers/{name}", json.dumps(says, ensure_ascii=False, indent=1) + "\n")
        self._draft.add("checkers/tested_output.py", _TEMPLATES / "tested_output.py.txt")
        return {"checker": "tested_output", "checker_options": {"says": name}}


def is_plain(text: WantedText | None) -> bool:
    """Return whether a string is compared character by character."""
    return text is None or (text.oracle is None and not any(text.options.get(option) for option in _COMPARING))


def judged_output(step: Step, oracles: OracleFiles) -> dict[str, Writable]:
    """Return the keys for the expected output, which is empty if not stated. Raises InexpressibleCaseError.

    Standard error must match the reference's, and is ignored without a reference.
    """
    if step.error is not None:
        raise InexpressibleCaseError("an exception that ends the program is a crash here")
    stdout, stderr = (
        replace(expected or _NOTHING, text=oracles.text(expected)) for expected in (step.stdout, step.stderr)
    )
    if stderr.oracle:
        raise InexpressibleCaseError("an oracle judges what is on standard error")
    if stdout.oracle is not None:
        return oracles.keys(stdout.oracle, repr(stdout.text))
    if is_plain(stdout) and is_plain(stderr) and not stderr.text:
        more: dict[str, Writable] = {"compare_stderr": True} if oracles.has_reference else {}
        return {"expected": oracles.text(stdout), **more}
    return oracles.comparing({"stdout": stdout, "stderr": stderr})


def ended_otherwise(step: Step) -> dict[str, Writable]:
    """Return the keys for the exit status, which is ignored if the suite does not state it."""
    if step.exit_status is None:
        return {"exit_status": "any"}
    return {"exit_status": str(step.exit_status)} if step.exit_status else {}


def judged_call(step: Step, target: Target, oracles: OracleFiles) -> dict[str, Writable]:
    """Return the keys for the expected result of a call. Raises InexpressibleCaseError."""
    if step.stderr is not None or not is_plain(step.stdout):
        raise InexpressibleCaseError("what a function prints is compared exactly here, and only on standard output")
    printed = oracles.text(step.stdout)
    if step.error is not None:
        printed_keys = {} if step.stdout is None else {"prints": printed}
        return {"raises": _raises(step.error, target), **printed_keys}
    return _returns(step.returned, printed, oracles)


def _raises(error: ExpectedError, target: Target) -> dict[str, Writable]:
    if target.any_exception is None:
        raise InexpressibleCaseError(f"there are no exceptions in {target.name}")
    stated: dict[str, Writable] = {"type": error.types.get(target.key, target.any_exception)}
    if error.message is not None:
        stated["message"] = error.message
    return stated


def _returns(returned: ExpectedReturn, printed: str, oracles: OracleFiles) -> dict[str, Writable]:
    match returned.value:
        case NoValue.IGNORED:
            return {"prints": printed}
        case NoValue.NOTHING:
            return {"returns": "none", "prints": printed}
        case PythonValue(source):
            if returned.oracle is not None:
                return oracles.keys(returned.oracle, source)
            try:
                value, has_reals = stated_value(source)
            except NoStatedValueError as error:
                raise InexpressibleCaseError(str(error)) from None
            near: dict[str, Writable] = {"compare": {"relative_tolerance": _CLOSE}} if has_reals else {}
            return {"returns": value, "prints": printed, **near}
