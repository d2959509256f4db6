"""The expected results of the calls in a function test, and their text in an expected file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.model.plain_values import Plain


@dataclass(frozen=True)
class ExpectedException:
    """An exception that a call must raise: its class name and message."""

    type: str
    message: str


@dataclass(frozen=True)
class ExpectedStep:
    """The value in plain form that a call must return, or the exception that it must raise."""

    returned: Plain
    raised: ExpectedException | None = None


@dataclass(frozen=True)
class ExpectedCall:
    """The expected result of each call, the expected output of all calls, and the variables afterwards."""

    steps: tuple[ExpectedStep, ...]
    printed: str
    given: Mapping[str, Plain]

    def text(self, calls: tuple[str, ...]) -> str:
        """Return the content of an expected file: JSON, with a line per value, or per call for several `calls`."""
        lines = [f' "printed": {_json(self.printed)}']
        lines += (f' "given {name}": {_json(value)}' for name, value in self.given.items())
        if len(self.steps) == 1:
            lines = [*_step_lines(self.steps[0]), *lines]
        else:
            steps = [
                "{" + ",".join([f'"call": {_json(call)}', *_step_lines(step)]) + "}"
                for call, step in zip(calls, self.steps, strict=True)
            ]
            lines = [' "calls": [\n  ' + ",\n  ".join(steps) + "\n ]", *lines]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _step_lines(step: ExpectedStep) -> Iterator[str]:
    yield f' "returned": {_json(step.returned)}'
    if step.raised is not None:
        yield f' "raised": {_json({"type": step.raised.type, "message": step.raised.message})}'


def read_expected_call(text: str) -> ExpectedCall:
    """Return the inverse of `ExpectedCall.text`. Raises ValueError or KeyError if the text has a different format."""
    content = json.loads(text)
    prefix = "given "
    given = {key.removeprefix(prefix): value for key, value in content.items() if key.startswith(prefix)}
    steps = tuple(map(_read_step, content.get("calls", [content])))
    return ExpectedCall(steps, content["printed"], given)


def _read_step(content: Mapping[str, Any]) -> ExpectedStep:
    raised = content.get("raised")
    return ExpectedStep(content["returned"], None if raised is None else ExpectedException(**raised))


def _json(value: Plain) -> str:
    # Lone surrogates, which stand for bytes that are not UTF-8, are escaped.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(
        character if not "\ud800" <= character <= "\udfff" else f"\\u{ord(character):04x}" for character in text
    )
