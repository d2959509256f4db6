"""A function test: a child process calls one function of the program and reports what came of it.

The child is a program in a terminal like any other, so prompts, typed input, limits and endless loops are what they
are in a session. What was returned comes back as JSON through a file without a name, which only the child has open.
The student's code runs in the same process and could, with effort, write another report; but it does not know what is
expected, and what it reports is compared here, so that it can win no more than by returning a guess.
"""

import json
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from importlib.resources import files

from grader.model.interaction import FunctionCall
from grader.model.outcome import NOTHING_CALLED, CallResult, Outcome, TypedLine
from grader.run.interface import Launch

_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class _Marks:
    """Secrets of one run: printed where the call begins and where it ends, and written into the report.

    A program that searches its memory finds them. So all that is printed after the first mark is output of the call: a
    program that prints marks can only add to its output, and hide nothing.
    """

    begin: str
    end: str
    report: str


@dataclass(frozen=True)
class FunctionReport:
    """One run of a call in `program`, whose report `descriptor` is to get."""

    program: str
    call: FunctionCall
    marks: "_Marks"
    descriptor: int

    @property
    def child(self) -> str:
        """The name of the program that makes the call."""
        return f"child-{self.marks.begin[:8]}.py"

    @property
    def files(self) -> Mapping[str, str]:
        """What must be in the working folder in addition to the submission: text by name."""
        return {self.child: _child_source(), self._request_name: self._request()}

    def launch(self, child: Launch) -> Launch:
        """What is started, given what starts the child without arguments."""
        return replace(child, argv=(*child.argv, self._request_name), descriptors={3: self.descriptor})

    def outcome(self, session: Outcome) -> Outcome:
        """The outcome of the test, given that of the child."""
        return _cut_outcome(session, self.marks, os.pread(self.descriptor, _MOST_BYTES, 0))

    @property
    def _request_name(self) -> str:
        return f"request-{self.marks.begin[:8]}.json"

    def _request(self) -> str:
        call = self.call
        return json.dumps(
            {
                "program": self.program,
                "cards": vars(call.cards) if call.cards else None,
                "given": dict(call.variables),
                "setup": call.setup,
                "expression": call.expression,
                "marks": vars(self.marks),
            }
        )


def _child_source() -> str:
    """Read as text: the grader may be in an archive, and need not have the modules that the child imports."""
    return files("grader.run.function").joinpath("child.py").read_text(encoding="utf-8")


@contextmanager
def reported_call(program: str, call: FunctionCall) -> Iterator[FunctionReport]:
    """Give a fresh secret and report for one run of a function test."""
    with tempfile.TemporaryFile(buffering=0) as report:
        marks = _Marks(*(secrets.token_hex(16) for _ in fields(_Marks)))
        yield FunctionReport(program, call, marks, report.fileno())


def _cut_outcome(outcome: Outcome, marks: _Marks, report: bytes) -> Outcome:
    """The outcome with what was printed during the call as its transcript; all of it when the call was not reached."""
    before, begun, after = outcome.transcript.partition(marks.begin)
    if not begun:
        return replace(outcome, call=replace(NOTHING_CALLED, asked=bool(outcome.typed)))
    start = len(before) + len(marks.begin)
    typed = tuple(TypedLine(one.offset - start, one.text) for one in outcome.typed if one.offset >= start)
    asked = len(typed) < len(outcome.typed)
    returned, given = _read_report(report, marks.report) if marks.end in after else (None, None)
    # More marks than these are a program's own, and stay in what it printed.
    transcript = after.replace(marks.end, "", 1) if after.count(marks.end) == 1 else after
    called = CallResult(reached=True, asked=asked, returned=returned, given=given)
    return replace(outcome, transcript=transcript, typed=typed, call=called)


def _read_report(report: bytes, secret: str) -> tuple[object, Mapping[str, object] | None]:
    """The returned value and the given ones after the call, in plain form; None for these when there is no report."""
    try:
        content = json.loads(report)
        if secrets.compare_digest(content["secret"], secret) and isinstance(content["given"], dict):
            return content["returned"], content["given"]
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None, None
