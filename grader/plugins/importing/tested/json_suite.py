"""Reads suites of TESTed in JSON, which older exercises use."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from grader.plugins.importing.course_draft import ImportingError
from grader.plugins.importing.tested.expressions import NoFormError, is_assignment, json_line
from grader.plugins.importing.tested.python_code import value_in_python
from grader.plugins.importing.tested.suite import (
    Action,
    Code,
    Context,
    ExpectedError,
    ExpectedReturn,
    InexpressibleCode,
    MainCall,
    NoValue,
    Oracle,
    OwnCode,
    OwnFile,
    PythonValue,
    Step,
    Suite,
    WantedFile,
    WantedText,
    as_oracle,
)

_PYTHON = "python"
_EMPTY = ("none", "ignored")


def read_suite(text: str, name: str) -> Suite:
    """Return a suite. Raises ImportingError."""
    try:
        content = json.loads(text)
        contexts = tuple(context for tab in content["tabs"] for context in _contexts(tab))
        return Suite(contexts, str(content["namespace"])) if content.get("namespace") else Suite(contexts)
    except (KeyError, TypeError, AttributeError, ValueError, NoFormError) as error:
        raise ImportingError(f"{name} is no suite of TESTed: {type(error).__name__} {error}") from None


def _contexts(tab: Mapping[str, Any]) -> Iterator[Context]:
    title = str(tab.get("name", ""))
    for run in tab.get("runs", ()):
        if "run" in run:
            yield Context(title, (_step(run["run"]),))
        yield from (_context(title, entry) for entry in run.get("contexts", ()))
    yield from (_context(title, entry) for entry in tab.get("contexts", ()))


def _context(title: str, entry: Mapping[str, Any]) -> Context:
    steps = [_step(item) for item in entry.get("testcases", ())]
    before = {str(language): str(item["data"]).strip() for language, item in (entry.get("before") or {}).items()}
    if before:
        is_long = any("\n" in text for text in before.values())
        first = InexpressibleCode("its `before` has several lines") if is_long else OwnCode(before, is_statement=True)
        steps.insert(0, Step(action=first, returned=ExpectedReturn(value=NoValue.IGNORED)))
    return Context(title, tuple(steps))


def _step(entry: Mapping[str, Any]) -> Step:
    output = entry.get("output") or {}
    returned, unsaid = _returned(output)
    error = _stated(output.get("exception"))
    if error and "exception" not in error:
        unsaid = (*unsaid, "the oracle of `exception`")
    description = entry.get("description") or ""
    return Step(
        action=_action(entry["input"]),
        title=str(description["description"] if isinstance(description, dict) else description),
        stdout=_text(output.get("stdout")),
        stderr=_text(output.get("stderr")),
        exit_status=_stated(output.get("exit_code")).get("value"),
        returned=returned,
        error=_error(error["exception"]) if "exception" in error else None,
        output_files=_output_files(output.get("file")),
        unsaid=unsaid,
    )


def _stated(channel: Any) -> Any:
    """Return the content of a channel, or an empty mapping."""
    return {} if channel is None or channel in _EMPTY else channel


def _action(entry: Mapping[str, Any]) -> Action:
    if entry.get("main_call"):
        stdin = _stated(entry.get("stdin"))
        fed = _data(stdin) if stdin else ""
        return MainCall(fed, tuple(map(str, entry.get("arguments", ()))))
    try:
        line = json_line(dict(entry))
    except NoFormError as error:
        return InexpressibleCode(str(error))
    return Code(line, is_assignment(line))


def _data(entry: Any) -> str | OwnFile:
    value = str(entry["data"])
    return OwnFile(value) if entry.get("type") == "file" else value


def _text(channel: Any) -> WantedText | None:
    if not _stated(channel):
        return None
    judge = channel.get("oracle", channel.get("evaluator")) or {}
    return WantedText(text=_data(channel), options=judge.get("options") or {}, oracle=_oracle(judge))


def _oracle(judge: Mapping[str, Any]) -> Oracle | None:
    kind = judge.get("type", "builtin")
    if kind == "builtin":
        return None
    if kind == "programmed":
        function = judge["function"]
        arguments = tuple(PythonValue(value_in_python(json_line(argument))) for argument in judge.get("arguments", ()))
    else:
        functions = judge["evaluators"] if "evaluators" in judge else judge["functions"]
        function = functions.get(_PYTHON, {"file": ""})
        lines = (judge.get("arguments") or {}).get(_PYTHON, ())
        arguments = tuple(PythonValue(str(argument)) for argument in lines)
    return as_oracle(function, arguments, gets_value_alone=kind != "programmed")


def _returned(output: Mapping[str, Any]) -> tuple[ExpectedReturn, tuple[str, ...]]:
    result = output.get("result")
    if result is None or result in _EMPTY:
        return ExpectedReturn(value=NoValue.IGNORED if result == "ignored" else NoValue.NOTHING), ()
    try:
        value = PythonValue(value_in_python(json_line(result["value"]))) if "value" in result else PythonValue("None")
        return ExpectedReturn(value=value, oracle=_oracle(result.get("oracle", result.get("evaluator")) or {})), ()
    except NoFormError as error:
        return ExpectedReturn(value=NoValue.IGNORED), (f"`result`: {error}",)


def _error(entry: Mapping[str, Any]) -> ExpectedError:
    return ExpectedError(entry.get("types") or {}, entry.get("message"))


def _output_files(channel: Any) -> tuple[WantedFile, ...]:
    if not _stated(channel):
        return ()
    return (WantedFile(str(channel["actual_path"]), OwnFile(str(channel["expected_path"]))),)
