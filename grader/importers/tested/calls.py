"""What a call of a function must come to, in a test that makes it after the lines before it."""

import ast
from collections.abc import Sequence
from typing import assert_never

from grader.config.yaml_writer import Writable
from grader.importers.tested.oracles import OracleFiles, UnsaidError, is_plain
from grader.importers.tested.read_yaml import FILE_MARK
from grader.importers.tested.suite import Code, ExpectedError, ExpectedReturn, NoValue, PythonValue, Step
from grader.importers.tested.values import NoStatedValueError, stated_value

_MODULE = "submission"
_ANY_EXCEPTION = "Exception"


def judged_call(
    step: Step, action: Code, before: Sequence[str], typed: str, oracles: OracleFiles
) -> dict[str, Writable]:
    """The keys of a test of one line. Raises UnsaidError."""
    if step.stderr is not None or not is_plain(step.stdout):
        raise UnsaidError("what a function prints is compared exactly here, and only on standard output")
    if typed.startswith(FILE_MARK):
        raise UnsaidError("the program reads a file before it is called")
    if not _is_expression(action.source):
        return {"calls": [*before, action.source]}
    keys: dict[str, Writable] = {"call": action.source}
    setup = [*_imports([*before, action.source]), *before]
    if setup:
        keys["setup"] = list(setup)
    if typed:
        keys["input"] = typed.splitlines()
    if step.error is not None:
        return {**keys, **_raises(step.error)}
    printed = step.stdout.text if step.stdout else ""
    return {**keys, **_returns(step.returned, printed, oracles)}


def _is_expression(source: str) -> bool:
    try:
        ast.parse(source, mode="eval")
    except SyntaxError:
        return False
    return True


def _imports(lines: Sequence[str]) -> list[str]:
    """Lines that name the module itself need it."""
    return [f"import {_MODULE}"] if any(f"{_MODULE}." in line for line in lines) else []


def _raises(error: ExpectedError) -> dict[str, Writable]:
    stated: dict[str, Writable] = {"type": error.type or _ANY_EXCEPTION}
    if error.message is not None:
        stated["message"] = error.message
    return {"raises": stated}


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
                value, tolerance = stated_value(source)
            except NoStatedValueError as error:
                raise UnsaidError(str(error)) from None
            near: dict[str, Writable] = {"compare": {"tolerance": f"{tolerance:f}"}} if tolerance else {}
            return {"returns": value, "prints": printed, **near}
        case _:
            assert_never(returned.value)
