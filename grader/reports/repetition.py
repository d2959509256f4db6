"""Describes how to repeat a test: the command or call, and the input."""

import shlex
from collections.abc import Sequence

from grader.model.interaction import (
    Dialogue,
    FunctionCall,
    PluginInteraction,
    ReplSession,
    StdinRun,
    is_repl,
    typed_lines,
)
from grader.model.plain_values import words
from grader.model.program import UnderValgrind
from grader.model.results import TestResult
from grader.model.test import Test, Visibility
from grader.text.sentence import Sentence, joined, say

_MAX_TYPED = 6


def repetition(result: TestResult, most: int | None = _MAX_TYPED) -> str:
    """Return a line that explains how to repeat a test; empty for a hidden test without an outcome.

    It contains the first `most` lines of the input, or all of them.
    """
    is_shown = result.test.visibility is Visibility.PUBLIC or result.outcome is not None
    return how_to_repeat(result.test, most) if is_shown else ""


def how_to_repeat(test: Test, most: int | None = _MAX_TYPED) -> Sentence:
    """Return the command or call for a test, and the first lines of its input, on one line; see `repetition`."""
    match test.interaction:
        case StdinRun(name=str(name)):
            return _run_words(test, f" < inputs/{name}")
        case Dialogue(lines=lines, stdin=StdinRun(name=name, text=text)):
            source = _reads_words(text, most) if name is None else f" < inputs/{name}"
            return _run_words(test, source, _typed_words(lines, most))
        case StdinRun(text=text):
            return _run_words(test, _reads_words(text, most))
        case FunctionCall() as call:
            return joined("", (_call_words(call), _typed_words(typed_lines(call), most)))
        case PluginInteraction() as other:
            return other.how_to_repeat(test, _started(test))
        case Dialogue(lines=lines) as dialogue:
            return _run_words(test, _typed_words(lines, most, dialogue.between))
        case ReplSession(lines=lines):
            return _run_words(test, _typed_words(lines, most))


def _run_words(test: Test, *further: str) -> Sentence:
    return say("run: {command}{further}", command=_started(test), further=joined("", further))


def _started(test: Test) -> str:
    variables = "".join(f"{name}={shlex.quote(value)} " for name, value in test.environment.items())
    return f"{variables}{_command(test)}"


def _typed_words(lines: Sequence[str], most: int | None, between: str = Dialogue.between) -> str:
    return say("   type: {lines}", lines=_shown_lines(lines, most, between)) if lines else ""


def _reads_words(text: str, most: int | None) -> str:
    lines = text.splitlines()
    return say("   it reads: {lines}", lines=_shown_lines(lines, most)) if lines else ""


def _shown_lines(lines: Sequence[str], most: int | None, between: str = Dialogue.between) -> Sentence:
    typed = [repr(line) if line != line.strip() or not line else line for line in lines]
    left_out = len(typed[most:]) if most else 0
    more = say(" … ({more} more)", more=left_out) if left_out else ""
    return joined("", (between.join(typed[:most]), more))


def _call_words(call: FunctionCall) -> Sentence:
    variables = ", ".join(f"{name} = {words(value)}" for name, value in call.variables.items())
    steps = "; ".join(step.rstrip("; ") for step in (*call.setup, *call.calls))
    if not variables:
        return say("call: {steps}", steps=steps)
    return say("call: {steps}   with {variables}", steps=steps, variables=variables)


def _command(test: Test) -> str:
    arguments = test.start.arguments
    if test.recipe is not None:
        watched = ("valgrind",) if isinstance(test.recipe.finder, UnderValgrind) else ()
        steps = [test.recipe.build, (*watched, *test.recipe.run, *arguments)]
        return " && ".join(shlex.join(step) for step in steps if step)
    return "python3" if is_repl(test.interaction) else f"python3 {shlex.join((test.program, *arguments))}"
