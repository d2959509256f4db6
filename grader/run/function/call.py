"""Function tests, in which a child process calls functions of the program and reports the results.

The child is a program in a terminal like any other, so prompts, typed input, limits and endless loops work as in any
session. Return values come back as JSON through an unnamed file that only the child has open. The student's code runs
in the same process and could, with effort, forge a report. However, it does not know the expected values, and the
report is compared here, so forging gains nothing over returning a guess.
"""

import builtins
import json
import os
import re
import secrets
from bisect import bisect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any

from grader.files.unnamed_file import unnamed_file
from grader.model.interaction import CallCheck, FunctionCall
from grader.model.outcome import CallResult, Outcome, RaisedException, StepResult, TypedLine
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter

MAX_BYTES = 10_000_000
"""The maximum length of a report."""

_MAX_NESTED = 220
"""The maximum nesting of a report: values are written up to 50 levels deep, and each level of objects takes four."""


@dataclass(frozen=True)
class Marks:
    """The secrets of a run, printed where calls begin and end and around tracebacks, and included in the report.

    A program that searches its memory can find them. Everything printed after the first mark is output of the call, so
    a program that prints marks can only add to its output, and cannot hide anything.
    """

    begin: str
    end: str
    raised: str
    report: str


@dataclass(frozen=True)
class FunctionReport:
    """A run of a call in `program`, whose report is written to `descriptor`."""

    program: str
    call: FunctionCall
    marks: Marks
    descriptor: int

    @property
    def child(self) -> str:
        """The name of the folder with the script that makes the call."""
        return f"child-{self.marks.begin[1:9]}"

    @property
    def files(self) -> Mapping[str, str]:
        """The files to add to the working folder, as text by name."""
        scripts = {f"{self.child}/{name}": text for name, text in calling_scripts().items()}
        return {**scripts, self._request_name: self._request()}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        child = interpreter.program(f"{self.child}/child.py", workdir, variables, (self._request_name,))
        return replace(child, descriptors={3: self.descriptor})

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome of the test, given the outcome of the child."""
        session = without_frames_of(self.child, session)
        return cut_outcome(session, self.marks, os.pread(self.descriptor, MAX_BYTES, 0), len(self.call.calls))

    @property
    def _request_name(self) -> str:
        return f"request-{self.marks.begin[1:9]}.json"

    def _request(self) -> str:
        call = self.call
        return json.dumps(
            {
                "program": self.program,
                "cards": vars(call.cards) if call.cards else None,
                "given": dict(call.variables),
                "setup": call.setup,
                "calls": call.calls,
                "state": CallCheck.STATE in call.checks,
                "marks": vars(self.marks),
            }
        )


@cache
def calling_scripts() -> Mapping[str, str]:
    """Return the texts of `child.py` and the files beside it by name. The grader never runs them itself."""
    scripts = (files("grader.run.function") / "calling").iterdir()
    return {script.name: script.read_text(encoding="utf-8") for script in scripts if script.name.endswith(".py")}


def new_marks() -> Marks:
    """Return new secrets, delimited so that a path printed next to one cannot be mistaken for part of it."""
    return Marks(*(f"|{secrets.token_hex(16)}|" for _ in fields(Marks)))


@contextmanager
def reported_call(program: str, call: FunctionCall) -> Iterator[FunctionReport]:
    """Yield a report with new secrets for a run of a function test."""
    with unnamed_file() as report:
        yield FunctionReport(program, call, new_marks(), report.fileno())


def without_frames_of(child: str, outcome: Outcome) -> Outcome:
    """Remove the frames of the child from tracebacks, because a program that breaks Python makes the child fail too."""
    frame = re.compile(rf'^  File "(?:[^"\n]*/)?{re.escape(child)}/[^"/\n]+", line .*\n(?:    .*\n)*', re.MULTILINE)
    cuts = [match.span() for match in frame.finditer(outcome.transcript)]
    typed = tuple(
        replace(line, offset=line.offset - sum(end - start for start, end in cuts if end <= line.offset))
        for line in outcome.typed
    )
    transcript, errors = frame.sub("", outcome.transcript), frame.sub("", outcome.errors)
    return replace(outcome, transcript=transcript, typed=typed, errors=errors)


def cut_outcome(outcome: Outcome, marks: Marks, report: bytes, calls: int) -> Outcome:
    """Cut the transcript down to the output of the calls; keep all of it if the calls were not reached."""
    before, begun, after = outcome.transcript.partition(marks.begin)
    if not begun:
        return replace(outcome, call=CallResult(asked=bool(outcome.typed)))
    start = len(before) + len(marks.begin)
    typed = tuple(TypedLine(line.offset - start, line.text) for line in outcome.typed if line.offset >= start)
    called = CallResult(reached=True, asked=len(typed) < len(outcome.typed))
    # Any further marks were printed by the program itself, and remain part of its output.
    transcript = after.replace(marks.end, "", 1) if after.count(marks.end) == 1 else after
    cut = _CutTranscript(transcript, typed, marks.raised)
    report_read = _read_report(report, marks.report) if marks.end in after else None
    if report_read is not None and len(report_read.steps) == calls:
        raised = sum(step["raised"] is not None for step in report_read.steps)
        if len(cut.places) == 2 * raised:
            called = replace(called, steps=tuple(cut.results(report_read.steps)), given=report_read.given)
    return replace(outcome, transcript=cut.text, typed=cut.typed, call=called)


class _CutTranscript:
    """A transcript without the marks around tracebacks, and the positions of these marks."""

    def __init__(self, transcript: str, typed: tuple[TypedLine, ...], mark: str) -> None:
        pieces = transcript.split(mark)
        if len(pieces) % 2 == 0:
            pieces = [transcript]
        self.text = "".join(pieces)
        self.places = tuple(accumulate(map(len, pieces)))[:-1]
        marked_places = [place + number * len(mark) for number, place in enumerate(self.places)]
        self.typed = tuple(
            replace(line, offset=line.offset - len(mark) * bisect(marked_places, line.offset - 1)) for line in typed
        )

    def results(self, steps: list[dict[str, Any]]) -> Iterator[StepResult]:
        """Yield the result of each call; an exception uses two of the marked positions."""
        places = iter(self.places)
        for step in steps:
            raised = step["raised"]
            if raised is None:
                yield StepResult(step["returned"])
            else:
                types, message = tuple(map(str, raised["types"])), str(raised["message"])
                yield StepResult(returned=None, raised=RaisedException(types, message, next(places), next(places)))


@dataclass(frozen=True)
class _Report:
    """A child's report: each of `steps` has `returned` and `raised`, which is None or has `types` and `message`."""

    steps: list[dict[str, Any]]
    given: dict[str, object]


def _read_report(content: bytes, secret: str) -> _Report | None:
    """Parse a child's report; return None if it is missing or invalid."""
    try:
        plain = json.loads(content)
        report = _Report([{**step} for step in plain["steps"]], {**plain["given"]})
        if _is_nested_deeper(plain, _MAX_NESTED):
            return None
        if secrets.compare_digest(plain["secret"], secret) and all(map(_is_step, report.steps)):
            return report
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def _is_nested_deeper(value: object, most: int) -> bool:
    """Return, without recursion, whether lists and objects are nested more than `most` levels deep."""
    level = [value]
    for _ in range(most + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        level = [item for inner in containers for item in (inner.values() if isinstance(inner, dict) else inner)]
    return any(isinstance(item, dict | list) for item in level)


def _is_step(step: Mapping[str, Any]) -> bool:
    raised = step["raised"]
    return "returned" in step and (raised is None or ("message" in raised and _may_be_of_a_class(raised["types"])))


def _may_be_of_a_class(names: list[str]) -> bool:
    """Return whether these can be the names of a class and its bases, of which at most two are Python exceptions."""
    kinds = [it for it in map(vars(builtins).get, {*names}) if isinstance(it, type) and issubclass(it, BaseException)]
    return sum(not any(issubclass(base, kind) for base in kinds if base is not kind) for kind in kinds) <= 2
