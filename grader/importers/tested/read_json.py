"""Reads a suite of TESTed in JSON, which older exercises have."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from grader.importers.course_draft import ImportingError
from grader.importers.tested.python_code import NoPythonError, json_in_python, json_value
from grader.importers.tested.read_yaml import FILE_MARK
from grader.importers.tested.suite import (
    Action,
    Code,
    Context,
    ExpectedError,
    ExpectedReturn,
    ExpectedText,
    MainCall,
    NoValue,
    Oracle,
    OtherCode,
    PythonValue,
    Step,
    WantedFile,
)

_PYTHON = "python"
_EMPTY = ("none", "ignored")


def read_suite(text: str, name: str) -> Iterator[Context]:
    """The contexts of a suite. Raises ImportingError."""
    try:
        for tab in json.loads(text)["tabs"]:
            yield from _contexts(tab)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ImportingError(f"{name} is no suite of TESTed: {type(error).__name__} {error}") from None


def _contexts(tab: Mapping[str, Any]) -> Iterator[Context]:
    title = str(tab.get("name", ""))
    for run in tab.get("runs", ()):
        if "run" in run:
            yield Context(title, (_step(run["run"]),))
        yield from (_context(title, one) for one in run.get("contexts", ()))
    yield from (_context(title, one) for one in tab.get("contexts", ()))


def _context(title: str, said: Mapping[str, Any]) -> Context:
    steps = [_step(one) for one in said.get("testcases", ())]
    before = said.get("before") or {}
    if _PYTHON in before:
        code = str(before[_PYTHON]["data"])
        first: Action = OtherCode("its `before` has several lines") if "\n" in code.strip() else Code(code.strip(), is_statement=True)
        steps.insert(0, Step(action=first, returned=ExpectedReturn(value=NoValue.IGNORED)))
    return Context(title, tuple(steps))


def _step(said: Mapping[str, Any]) -> Step:
    output = said.get("output") or {}
    returned, unsaid = _returned(output)
    error = output.get("exception")
    if _is_stated(error) and "exception" not in error:
        unsaid = (*unsaid, "the oracle of `exception`")
    description = said.get("description") or ""
    exit_code = output.get("exit_code")
    return Step(
        action=_action(said["input"]),
        title=str(description["description"] if isinstance(description, dict) else description),
        stdout=_text(output.get("stdout")),
        stderr=_text(output.get("stderr")),
        exit_status=exit_code["value"] if _is_stated(exit_code) else None,
        returned=returned,
        error=_error(error["exception"]) if _is_stated(error) and "exception" in error else None,
        output_files=_output_files(output.get("file")),
        unsaid=unsaid,
    )


def _is_stated(channel: Any) -> bool:
    return channel is not None and channel not in _EMPTY


def _action(said: Mapping[str, Any]) -> Action:
    if said.get("main_call"):
        stdin = said.get("stdin")
        fed = _data(stdin) if _is_stated(stdin) else ""
        return MainCall(fed, tuple(map(str, said.get("arguments", ()))))
    try:
        return Code(*json_in_python(dict(said)))
    except NoPythonError as error:
        return OtherCode(str(error))


def _data(said: Any) -> str:
    return f"{FILE_MARK if said.get('type') == 'file' else ''}{said['data']}"


def _text(said: Any) -> ExpectedText | None:
    if not _is_stated(said):
        return None
    judge = said.get("oracle", said.get("evaluator")) or {}
    return ExpectedText(text=_data(said), options=judge.get("options") or {}, oracle=_oracle(judge))


def _oracle(judge: Mapping[str, Any]) -> Oracle | None:
    kind = judge.get("type", "builtin")
    if kind == "builtin":
        return None
    own = judge["function"] if kind == "programmed" else (judge.get("evaluators") or judge.get("functions")).get(_PYTHON)
    if own is None or (judge.get("arguments") and kind != "programmed"):
        return Oracle(file="", function="")
    arguments = tuple(PythonValue(json_value(one)) for one in judge.get("arguments", ()))
    return Oracle(file=str(own["file"]), function=str(own.get("name", "evaluate")), arguments=arguments)


def _returned(output: Mapping[str, Any]) -> tuple[ExpectedReturn, tuple[str, ...]]:
    said = output.get("result")
    if said is None or said in _EMPTY:
        return ExpectedReturn(value=NoValue.IGNORED if said == "ignored" else NoValue.NOTHING), ()
    try:
        value = PythonValue(json_value(said["value"])) if "value" in said else PythonValue("None")
        return ExpectedReturn(value=value, oracle=_oracle(said.get("oracle", said.get("evaluator")) or {})), ()
    except NoPythonError as error:
        return ExpectedReturn(value=NoValue.IGNORED), (f"`result`: {error}",)


def _error(said: Mapping[str, Any]) -> ExpectedError:
    return ExpectedError((said.get("types") or {}).get(_PYTHON), said.get("message"))


def _output_files(said: Any) -> tuple[WantedFile, ...]:
    if not _is_stated(said):
        return ()
    return (WantedFile(str(said["actual_path"]), None, str(said["expected_path"])),)
