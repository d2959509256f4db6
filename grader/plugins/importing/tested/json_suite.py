"""Suites of TESTed in JSON, which older exercises have."""

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
    MainCall,
    NoValue,
    Oracle,
    OwnCode,
    OwnFile,
    PythonValue,
    Step,
    Suite,
    UnsaidCode,
    WantedFile,
    WantedText,
    as_oracle,
)

_PYTHON = "python"
_EMPTY = ("none", "ignored")


def read_suite(text: str, name: str) -> Suite:
    """Return a suite. Raises ImportingError."""
    try:
        said = json.loads(text)
        contexts = tuple(one for tab in said["tabs"] for one in _contexts(tab))
        return Suite(contexts, str(said["namespace"])) if said.get("namespace") else Suite(contexts)
    except (KeyError, TypeError, AttributeError, ValueError, NoFormError) as error:
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
    before = {str(language): str(one["data"]).strip() for language, one in (said.get("before") or {}).items()}
    if before:
        is_long = any("\n" in text for text in before.values())
        first = UnsaidCode("its `before` has several lines") if is_long else OwnCode(before, is_statement=True)
        steps.insert(0, Step(action=first, returned=ExpectedReturn(value=NoValue.IGNORED)))
    return Context(title, tuple(steps))


def _step(said: Mapping[str, Any]) -> Step:
    output = said.get("output") or {}
    returned, unsaid = _returned(output)
    error = _stated(output.get("exception"))
    if error and "exception" not in error:
        unsaid = (*unsaid, "the oracle of `exception`")
    description = said.get("description") or ""
    return Step(
        action=_action(said["input"]),
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
    """What a channel says; empty if it says nothing."""
    return {} if channel is None or channel in _EMPTY else channel


def _action(said: Mapping[str, Any]) -> Action:
    if said.get("main_call"):
        stdin = _stated(said.get("stdin"))
        fed = _data(stdin) if stdin else ""
        return MainCall(fed, tuple(map(str, said.get("arguments", ()))))
    try:
        line = json_line(dict(said))
    except NoFormError as error:
        return UnsaidCode(str(error))
    return Code(line, is_assignment(line))


def _data(said: Any) -> str | OwnFile:
    own = str(said["data"])
    return OwnFile(own) if said.get("type") == "file" else own


def _text(said: Any) -> WantedText | None:
    if not _stated(said):
        return None
    judge = said.get("oracle", said.get("evaluator")) or {}
    return WantedText(text=_data(said), options=judge.get("options") or {}, oracle=_oracle(judge))


def _oracle(judge: Mapping[str, Any]) -> Oracle | None:
    kind = judge.get("type", "builtin")
    if kind == "builtin":
        return None
    if kind == "programmed":
        own = judge["function"]
        arguments = tuple(PythonValue(value_in_python(json_line(one))) for one in judge.get("arguments", ()))
    else:
        functions = judge["evaluators"] if "evaluators" in judge else judge["functions"]
        own = functions.get(_PYTHON, {"file": ""})
        lines = (judge.get("arguments") or {}).get(_PYTHON, ())
        arguments = tuple(PythonValue(str(one)) for one in lines)
    return as_oracle(own, arguments, gets_value_alone=kind != "programmed")


def _returned(output: Mapping[str, Any]) -> tuple[ExpectedReturn, tuple[str, ...]]:
    said = output.get("result")
    if said is None or said in _EMPTY:
        return ExpectedReturn(value=NoValue.IGNORED if said == "ignored" else NoValue.NOTHING), ()
    try:
        value = PythonValue(value_in_python(json_line(said["value"]))) if "value" in said else PythonValue("None")
        return ExpectedReturn(value=value, oracle=_oracle(said.get("oracle", said.get("evaluator")) or {})), ()
    except NoFormError as error:
        return ExpectedReturn(value=NoValue.IGNORED), (f"`result`: {error}",)


def _error(said: Mapping[str, Any]) -> ExpectedError:
    return ExpectedError(said.get("types") or {}, said.get("message"))


def _output_files(said: Any) -> tuple[WantedFile, ...]:
    if not _stated(said):
        return ()
    return (WantedFile(str(said["actual_path"]), OwnFile(str(said["expected_path"]))),)
