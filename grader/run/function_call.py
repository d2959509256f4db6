"""Runs a function test: a child process calls one function of the program and reports what came of it.

The child is a program in a terminal like any other, so prompts, typed input, limits and endless loops are what they
are in a session. What was returned comes back as JSON through a file that has no name any more when the program is
imported. The student's code runs in the same process and could, with effort, write another report; but it does not
know what is expected, and what it reports is compared here.
"""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.run import function_child
from grader.run.bench import Bench
from grader.run.outcome import Called, Outcome, Typed
from grader.run.session import converse
from grader.run.workspace import workspace
from grader.spec.assignment import Test
from grader.spec.limits import Limits

_MOST_BYTES = 10_000_000


def run_test(
    bench: Bench,
    test: Test,
    files: tuple[tuple[Path, str], ...],
    limits: Limits,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run any test in a fresh folder with copies of `files`: a session, or the call of a function.

    Raises SessionError when it could not be run, OSError when a file cannot be copied.
    """
    if test.call is None:
        return bench.run(test, files, limits, environment)
    names = _Names(secrets.token_hex(16))
    own = ((Path(function_child.__file__), names.child),)
    with workspace((*files, *own), bench.scratch) as folder:
        (folder / names.request).write_text(_request(test, names), encoding="utf-8")
        # Opened here too: the child takes its name away.
        report = os.open(folder / names.report, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            launch = bench.interpreter.program(names.child, folder, environment or {})
            launch = replace(launch, argv=(*launch.argv, names.request))
            outcome = converse(launch, test.lines, echo=test.echo, limits=limits, cancelled=bench.cancelled)
            return _cut(outcome, names.secret, os.read(report, _MOST_BYTES))
        finally:
            os.close(report)


@dataclass(frozen=True)
class _Names:
    """The secret of one run, and the files named after it."""

    secret: str

    @property
    def child(self) -> str:
        return f"child-{self.secret[:8]}.py"

    @property
    def request(self) -> str:
        return f"request-{self.secret[:8]}.json"

    @property
    def report(self) -> str:
        return f"report-{self.secret[:8]}.json"


def _request(test: Test, names: _Names) -> str:
    call = test.call
    assert call is not None
    return json.dumps(
        {
            "program": test.program,
            "cards": vars(call.cards) if call.cards else None,
            "given": dict(call.given),
            "setup": call.setup,
            "expression": call.expression,
            "secret": names.secret,
            "report": names.report,
        }
    )


def _cut(outcome: Outcome, secret: str, report: bytes) -> Outcome:
    """The outcome with what was printed during the call as its transcript; all of it when the call was not reached."""
    before, begun, after = outcome.transcript.partition(secret)
    if not begun:
        return replace(outcome, call=Called(reached=False, asked=bool(outcome.typed), returned=None, given=None))
    printed, _, _ = after.partition(secret)
    start = len(before) + len(secret)
    typed = tuple(Typed(one.offset - start, one.text) for one in outcome.typed if one.offset >= start)
    asked = len(typed) < len(outcome.typed)
    returned, given = _read(report, secret)
    called = Called(reached=True, asked=asked, returned=returned, given=given)
    return replace(outcome, transcript=printed, typed=typed, call=called)


def _read(report: bytes, secret: str) -> tuple[object, Mapping[str, object] | None]:
    """The returned value and the given ones after the call, in plain form; None for these when there is no report."""
    try:
        content = json.loads(report)
        if secrets.compare_digest(content["secret"], secret) and isinstance(content["given"], dict):
            return content["returned"], content["given"]
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None, None
