"""One test result in words for the terminal."""

import shlex
from collections.abc import Iterator, Sequence

from rich.text import Text

from grader.judge.characters import harmless
from grader.judge.verdict import Verdict
from grader.pipeline.results import TestResult
from grader.report.diff_text import DiffText, first_screenful
from grader.spec.assignment import Start, Test
from grader.spec.function_call import FunctionCall
from grader.spec.plain import words

_MOST_TYPED = 6
_MOST_LINES = 20


def verdict_style(verdict: Verdict) -> str:
    """The colour of a verdict."""
    return {Verdict.PASSED: "green", Verdict.INTERNAL_ERROR: "magenta"}.get(verdict, "red")


def verdict_line(result: TestResult) -> Text:
    """Verdict, test and time in one line."""
    text = Text("  ").append(f"{result.verdict:<15}", verdict_style(result.verdict)).append(result.test.id)
    if result.test.title:
        text.append(f": {result.test.title}")
    return text


def note_lines(result: TestResult, results: Sequence[TestResult]) -> Iterator[Text]:
    """What was let pass in one test, a line each; what several of `results` share stands with the first of them."""
    for note in result.judgement.notes:
        same = [other for other in results if note in other.judgement.notes]
        if same[0] is result:
            count = f" (so in {len(same)} tests)" if len(same) > 1 else ""
            yield Text(f"    {harmless(note.sentence)}{count}", "yellow")


def failure_text(result: TestResult, diff_text: DiffText = first_screenful) -> Iterator[Text]:
    """What went wrong in one test: how to repeat it, the diagnosis, the rule behind it, and a diff."""
    heading = f"{result.test.id}: {result.test.title}" if result.test.title else result.test.id
    yield Text(heading, "bold").append(f"  [{result.verdict}]", verdict_style(result.verdict))
    yield Text(f"  {how_to_repeat(result.test)}", "dim")
    if result.judgement.diagnosis:
        yield Text(f"  {harmless(result.judgement.diagnosis.sentence)}")
    if result.because:
        yield Text(f"  The rule here: {harmless(result.because)}")
    for difference in result.judgement.differences:
        yield Text(f"    {difference}", "red")
    if result.verdict is Verdict.BUILD_ERROR and result.outcome:
        yield from _beginning(result.outcome.transcript)
    compared = result.compared
    if compared:
        typed = ", > where something was typed" if compared.typed else ""
        yield Text(f"  - expected, + your program{typed}", "dim")
        yield from diff_text(compared)


def _beginning(said: str) -> Iterator[Text]:
    """The first lines that a compiler printed."""
    lines = said.rstrip().split("\n")
    for line in lines[:_MOST_LINES]:
        yield Text(f"  | {harmless(line)}", "dim")
    if len(lines) > _MOST_LINES:
        yield Text(f"  … ({len(lines) - _MOST_LINES} more lines)", "dim")


def how_to_repeat(test: Test) -> str:
    """The command or call of a test, and what is typed then, in one line."""
    if test.stdin:
        return f"run: {_command(test)} < inputs/{test.stdin.name}"
    typed = [repr(line) if line != line.strip() or not line else line for line in test.lines]
    shown = " ⏎ ".join(typed[:_MOST_TYPED])
    more = f" … ({len(typed) - _MOST_TYPED} more)" if len(typed) > _MOST_TYPED else ""
    told = "".join(f"{name}={shlex.quote(value)} " for name, value in test.provision.environment.items())
    run = _call_words(test.call) if test.call is not None else f"run: {told}{_command(test)}"
    return f"{run}   type: {shown}{more}" if typed else run


def _call_words(call: FunctionCall) -> str:
    given = ", ".join(f"{name} = {words(value)}" for name, value in call.given.items())
    steps = "; ".join((*call.setup, call.expression))
    return f"call: {steps}   with {given}" if given else f"call: {steps}"


def _command(test: Test) -> str:
    if test.recipe is not None:
        steps = [test.recipe.build, test.recipe.run]
        return " && ".join(shlex.join(step) for step in steps if step)
    return "python3" if test.start is Start.PROMPT else f"python3 {test.program}"
