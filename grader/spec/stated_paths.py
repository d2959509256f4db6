"""Rejects tests whose stated output contains a path that transcripts never show."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from grader.errors import Problem
from grader.model.expectation import (
    Contains,
    FromReference,
    GivenTranscript,
    HasJson,
    HasLines,
    HasNumbers,
    HasUnordered,
    Lacks,
    Matches,
    OutputCheck,
    OutputChecks,
    PluginCheck,
)
from grader.model.expected_call import read_expected_call
from grader.model.interaction import FunctionCall
from grader.model.test import Test
from grader.run.transcript import names_sandbox_folder
from grader.spec.cross_checks import PlacedTest


def path_problems(placed: Iterable[PlacedTest]) -> Iterator[Problem]:
    """Yield a problem for each test that no program can pass, because output never shows the working folder."""
    for item in placed:
        if any(map(names_sandbox_folder, _stated(item.test))):
            yield item.problem(
                "id",
                "found a path that begins with `/work` in what is expected; expected another one, such as `/home/ann`: "
                "programs run in the folder `/work`, which is left out of what they print",
            )


def _stated(test: Test) -> Iterator[str]:
    match test.expectation:
        case FromReference():
            return
        case GivenTranscript(text=text):
            yield read_expected_call(text).printed if isinstance(test.interaction, FunctionCall) else text
        case OutputChecks(checks=checks):
            for check in checks:
                yield from _in_check(check)
        case _:
            assert_never(test.expectation)


def _in_check(check: OutputCheck) -> Iterator[str]:
    match check.kind:
        case Contains(texts=texts) | Lacks(texts=texts):
            yield from texts
        case Matches(patterns=patterns):
            yield from patterns
        case HasLines(lines=lines) | HasUnordered(lines=lines):
            yield from lines or ()
        case HasJson(text=text):
            yield text or ""
        case PluginCheck(options=options):
            yield options
        case HasNumbers():
            return
        case _:
            assert_never(check.kind)
