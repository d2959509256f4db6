"""Runs a function test in a language other than Python, with calls from a main program built for the test.

One main program makes the calls of all public tests, and another those of the hidden tests, so nothing about a hidden
test is present while a public test runs. Like `child.py` for Python, the main program reports the result of each call.
The report can be forged just like the child's, because the student's code runs in the same process. However, it does
not know the expected values.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.errors import SessionError
from grader.files.unnamed_file import unnamed_file
from grader.model.interaction import FunctionCall
from grader.model.outcome import Outcome, StepResult
from grader.model.program import BuildCommands, LanguageBuild, NotWatched
from grader.run.function.call import MAX_BYTES, Marks, cut_outcome, new_marks
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter
from grader.run.language import CallableLanguage, language_at, watch_of

_BYTES = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True)
class CallMain:
    """A main program in the language of `build` that makes the calls of some tests, or of none."""

    build: LanguageBuild
    calls: tuple[FunctionCall, ...]

    @property
    def files(self) -> Mapping[str, str]:
        """Return the files that the build needs in addition to the submission, as text by name."""
        return self._language.main_sources(self.build, self.calls)

    @property
    def command(self) -> tuple[str, ...]:
        """Return the command that builds the main program."""
        return self._language.main_build(self.build, self.calls)

    def run(self, call: FunctionCall, recipe: BuildCommands) -> tuple[str, ...]:
        """Return the command that makes the calls of a test."""
        number = [_texts(candidate) for candidate in self.calls].index(_texts(call))
        return self._language.main_run(number, recipe.run)

    def without_faulty(self, output: str) -> tuple[FunctionCall, ...]:
        """Return the tests for which the compiler does not report an error."""
        faulty = self._language.faulty_tests(output)
        return tuple(call for number, call in enumerate(self.calls) if number not in faulty)

    def plain_output(self, output: str) -> str:
        """Return the compiler's output about a main program with at most one test, labelling generated lines."""
        return self._language.plain_output(output, self.calls)

    @property
    def _language(self) -> CallableLanguage:
        return callable_language(self.build)


def callable_language(build: LanguageBuild | None) -> CallableLanguage:
    """Return the language of a program whose functions are called. Raises SessionError."""
    language = language_at(build.place) if build else None
    if not isinstance(language, CallableLanguage):
        raise SessionError("functions of this program cannot be called")
    return language


@dataclass(frozen=True)
class MainReport:
    """A run of a main program for `call`, built with `recipe`. Its report goes to `descriptor`."""

    recipe: BuildCommands
    call: FunctionCall
    marks: Marks
    descriptor: int

    @property
    def files(self) -> Mapping[str, str]:
        """The files to add to the working folder, as text by name."""
        marks = self.marks
        lines = (marks.begin, marks.end, marks.raised, marks.report, str(self._number))
        return {self._request_name: "".join(f"{line}\n" for line in lines)}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        launch = interpreter.command(
            (*watch_of(self.recipe).run_command(self.recipe.run), self._request_name), workdir, variables
        )
        return replace(launch, descriptors={self._number: self.descriptor})

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome of the test, given the outcome of the main program."""
        report = os.pread(self.descriptor, MAX_BYTES, 0)
        outcome = cut_outcome(session, self.marks, report, len(self.call.calls))
        called = outcome.call
        if called is None:
            raise SessionError("there is no result of a call")
        steps = tuple(map(_with_own_characters, called.steps))
        report_text = callable_language(self.recipe.language).plain_report(outcome.error_report)
        return replace(outcome, call=replace(called, steps=steps), error_report=report_text)

    @property
    def _request_name(self) -> str:
        return f"request-{self.marks.begin[1:9]}"

    @property
    def _number(self) -> int:
        """The descriptor on which the main program writes its report. An error finder uses the first number."""
        return 3 if self.recipe.finder == NotWatched() else 4


@contextmanager
def reported_main(recipe: BuildCommands, call: FunctionCall) -> Iterator[MainReport]:
    """Yield a report, with new secrets, for a run of a main program."""
    with unnamed_file() as report:
        yield MainReport(recipe, call, new_marks(), report.fileno())


def _with_own_characters(step: StepResult) -> StepResult:
    raised = step.raised
    if raised is not None:
        raised = replace(raised, message=_with_characters(raised.message))
    return StepResult(_with_characters(step.returned), raised)


def _with_characters(value: Any) -> Any:
    """Decode the strings in a value, because C writes bytes. Bytes that are not UTF-8 stay as they are."""
    match value:
        case str():
            return _BYTES.sub(_characters, value)
        case list():
            return [_with_characters(item) for item in value]
        case dict():
            return {key: _with_characters(item) for key, item in value.items()}
    return value


def _characters(match: re.Match[str]) -> str:
    return match[0].encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def together(call: FunctionCall, others: Sequence[FunctionCall]) -> tuple[FunctionCall, ...]:
    """Return the tests that share a main program with `call`, which are tests that only differ in their calls."""
    return tuple({_texts(candidate): candidate for candidate in (*others, call)}.values())


def _texts(call: FunctionCall) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return call.setup, call.calls
