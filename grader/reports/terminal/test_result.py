"""One submission's results in lines of text: tests, rules about the code, items marked by hand."""

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, assert_never

from rich.text import Text

from grader.model.assignment import Assignment, Part
from grader.model.codec import words
from grader.model.counting import GroupCount, GroupResult
from grader.model.interaction import (
    Channel,
    Dialogue,
    FunctionCall,
    InteractorRun,
    OwnTests,
    ReplSession,
    StdinRun,
    is_repl,
    shows_typing,
    typed_lines,
)
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.program import UnderValgrind
from grader.model.results import GradedSubmission, TestResult
from grader.model.rule import RuleResult
from grader.model.test import Test
from grader.reports.terminal.diff import DiffText, first_screenful
from grader.reports.theme import TERMINAL
from grader.text.escape import escape_controls
from grader.text.words import format_decimal

if TYPE_CHECKING:
    from grader.model.results import StudentResult


def variant_words(assignment: Assignment, graded: GradedSubmission) -> Iterator[str]:
    """`read as: VARIANT` for programs read as another variant than the preferred one, named unless they are all."""
    for programs in assignment.variant_groups:
        variant = graded.variants.get(programs[0].file)
        if variant is not None and variant != programs[0].variants[0]:
            files = ", ".join(program.file for program in programs)
            everything = len(programs) == len(assignment.programs)
            yield f"read as: {variant}" if everything else f"{files} read as: {variant}"


_MOST_FINDINGS = 10


def rule_lines(result: RuleResult, *, points: bool = True) -> Iterator[Text]:
    """Whether a rule is kept, then every place where it is not."""
    word, style = ("kept", TERMINAL.passed) if result.kept else ("broken", TERMINAL.failed)
    if not result.judged:
        word, style = "not judged", TERMINAL.not_judged
    text = Text("  ").append(f"{word:<15}", style).append(f"{result.rule.id}: {result.rule.title}")
    if points and result.rule.points:
        text.append(f" ({format_decimal(result.points)} of {format_decimal(result.rule.points)})")
    yield text
    for finding in result.findings[:_MOST_FINDINGS]:
        yield Text(f"    {escape_controls(str(finding))}")
    more = len(result.findings) - _MOST_FINDINGS
    if more > 0:
        yield Text(f"    and {more} more")


def manual_lines(row: "StudentResult", part: Part) -> Iterator[Text]:
    """The items of a part that a person marks; one that is not yet marked says so."""
    for item in part.manual:
        points = row.manual.points.get(item.id)
        said = f"{'by hand':<15}" if points is not None else f"{'not yet marked':<15}"
        worth = (
            f"({format_decimal(points)} of {format_decimal(item.marks)})"
            if points is not None
            else f"(of {format_decimal(item.marks)})"
        )
        yield (
            Text("  ")
            .append(said, "" if points is not None else TERMINAL.warning)
            .append(f"{item.id}: {item.title} {worth}")
        )


def cost_words(result: RuleResult) -> str:
    """What breaking a rule costs."""
    if result.rule.zero_mark:
        return "the whole mark"
    return f"{format_decimal(result.rule.deduct)} point{'' if result.rule.deduct == 1 else 's'}"


def decision_words(row: "StudentResult", result: RuleResult) -> str:
    """What a person decided about the cost of a rule that asks."""
    if result.rule.id in row.manual.confirmed:
        return "costs"
    return "waived" if result.rule.id in row.manual.waived else "to confirm"


_HOW_GROUPS_COUNT = {
    GroupCount.ALL: "all of its tests must pass",
    GroupCount.SUM: "its tests add up",
    GroupCount.LEAST: "its worst test counts",
    GroupCount.BEST: "its best test counts",
}


_MOST_TYPED = 6


_MOST_LINES = 20


def verdict_style(verdict: Verdict) -> str:
    """The colour of a verdict."""
    return {Verdict.PASSED: TERMINAL.passed, Verdict.INTERNAL_ERROR: TERMINAL.not_judged}.get(verdict, TERMINAL.failed)


def verdict_line(verdict: Verdict, heading: str) -> Text:
    """A verdict, and what it is about, in one line."""
    return Text("  ").append(f"{verdict:<15}", verdict_style(verdict)).append(heading)


def test_heading(test: Test) -> str:
    """Id and title of a test."""
    return escape_controls(f"{test.id}: {test.title}" if test.title else test.id)


def points_words(result: TestResult) -> str:
    """The points earned in a test, in brackets: `1 of 2`; for a test of a group the name of that."""
    counting = result.test.counting
    barred = ", does not count" if result.barred_by else ""
    if counting.group is not None:
        return f"(in the group {counting.group}{barred})"
    bonus = ", bonus" if counting.bonus else ""
    return f"({format_decimal(result.points)} of {format_decimal(result.test.points)}{bonus}{barred})"


def group_words(result: GroupResult) -> str:
    """The points that a group earned, in brackets, and how many of its tests passed."""
    bonus = ", bonus" if result.group.bonus else ""
    points = f"{format_decimal(result.points)} of {format_decimal(result.group.points)}{bonus}"
    return f"({points}; {_HOW_GROUPS_COUNT[result.group.count]}, {result.passed} of {len(result.tests)} passed)"


def group_line(result: GroupResult) -> Text:
    """What a group of tests earned."""
    style = TERMINAL.passed if result.share == 1 else TERMINAL.failed
    heading = escape_controls(f"{result.group.id}: {result.group.title}" if result.group.title else result.group.id)
    return Text("  ").append(f"{'group':<15}", style).append(f"{heading} {group_words(result)}")


def note_lines(result: TestResult, results: Sequence[TestResult]) -> Iterator[Text]:
    """Why a test does not count, and what was let pass in it, a line each.

    What several of `results` share stands with the first of them.
    """
    barred = [other for other in results if other.why_not_counted == result.why_not_counted]
    if result.why_not_counted is not None and barred[0] is result:
        yield _note_line(result.why_not_counted, len(barred))
    for note in result.judgement.notes:
        same = [other for other in results if note in other.judgement.notes]
        if same[0] is result:
            yield _note_line(note.sentence, len(same))


def _note_line(sentence: str, tests: int) -> Text:
    count = f" (so in {tests} tests)" if tests > 1 else ""
    return Text(f"    {escape_controls(sentence)}{count}", TERMINAL.warning)


def failure_text(result: TestResult, width: int | None = None, diff_text: DiffText = first_screenful) -> Iterator[Text]:
    """What went wrong in one test: how to repeat it, the diagnosis, the rule behind it, and a diff.

    The lines of the diff are folded to `width` columns, if given.
    """
    yield Text(test_heading(result.test), TERMINAL.heading).append(
        f"  [{result.verdict}]", verdict_style(result.verdict)
    )
    yield Text(f"  {escape_controls(how_to_repeat(result.test))}", TERMINAL.muted)
    if result.judgement.diagnosis:
        yield Text(f"  {escape_controls(result.judgement.diagnosis.sentence)}")
    if result.because:
        yield Text(f"  The rule here: {escape_controls(result.because)}")
    for hint in result.hints:
        yield Text(f"  Hint: {escape_controls(hint)}")
    for difference in result.judgement.differences:
        yield Text(f"    {escape_controls(difference)}", TERMINAL.failed)
    if result.verdict is Verdict.BUILD_ERROR and result.outcome:
        yield from _beginning(result.outcome.transcript)
    if isinstance(result.test.interaction, InteractorRun) and result.outcome and not result.outcome.in_build:
        yield from _game_lines(result.outcome, shows_typing=shows_typing(result.test.interaction))
    compared = result.compared
    if compared:
        typed = ", > where something was typed" if compared.typed else ""
        yield Text(f"  - expected, + your program{typed}", TERMINAL.muted)
        yield from diff_text(compared, width)


def _beginning(said: str) -> Iterator[Text]:
    """The first lines that a compiler printed."""
    lines = said.rstrip().split("\n")
    for line in lines[:_MOST_LINES]:
        yield Text(f"  | {escape_controls(line)}", TERMINAL.muted)
    if len(lines) > _MOST_LINES:
        yield Text(f"  … ({len(lines) - _MOST_LINES} more lines)", TERMINAL.muted)


def _game_lines(outcome: Outcome, *, shows_typing: bool) -> Iterator[Text]:
    """How the session against an interactor came to its end; what was typed stands there in any case."""
    game, place = "", 0
    for typed in () if shows_typing else outcome.typed:
        game += f"{outcome.transcript[place : typed.offset]}> {typed.text}\n"
        place = typed.offset
    lines = (game + outcome.transcript[place:]).removesuffix("\n").split("\n")
    how = "as it was shown" if shows_typing else "> where something was typed"
    yield Text(f"  the end of the session, {how}", TERMINAL.muted)
    if len(lines) > _MOST_LINES:
        yield Text(f"  … ({len(lines) - _MOST_LINES} more lines)", TERMINAL.muted)
    for line in lines[-_MOST_LINES:]:
        yield Text(f"  | {escape_controls(line)}", TERMINAL.muted)


def how_to_repeat(test: Test) -> str:
    """The command or call of a test, and what is typed then, in one line."""
    match test.interaction:
        case StdinRun(name=str(name)):
            return f"run: {_variables(test)}{_command(test)} < inputs/{name}"
        case Dialogue(lines=lines, stdin=StdinRun(name=name, text=text)):
            source = "" if name is None else f" < inputs/{name}"
            reads = "" if name is not None else _typed_words(text.splitlines(), "it reads")
            return f"run: {_variables(test)}{_command(test)}{source}{reads}{_typed_words(lines, 'type')}"
        case StdinRun(text=text):
            return f"run: {_variables(test)}{_command(test)}{_typed_words(text.splitlines(), 'it reads')}"
        case FunctionCall() as call:
            return f"{_call_words(call)}{_typed_words(typed_lines(call), 'type')}"
        case OwnTests(module=module):
            return f"try the tests in {test.program} on programs in place of {module}"
        case InteractorRun(interactor=interactor, channel=channel):
            way = "without a terminal, " if channel is Channel.PIPES else ""
            return f"run: {_variables(test)}{_command(test)}   {way}against the interactor {interactor.name}"
        case Dialogue(lines=lines) | ReplSession(lines=lines):
            return f"run: {_variables(test)}{_command(test)}{_typed_words(lines, 'type')}"
        case _:
            assert_never(test.interaction)


def _variables(test: Test) -> str:
    return "".join(f"{name}={shlex.quote(value)} " for name, value in test.environment.items())


def _typed_words(lines: Sequence[str], what: str) -> str:
    typed = [repr(line) if line != line.strip() or not line else line for line in lines]
    shown = " ⏎ ".join(typed[:_MOST_TYPED])
    more = f" … ({len(typed) - _MOST_TYPED} more)" if len(typed) > _MOST_TYPED else ""
    return f"   {what}: {shown}{more}" if typed else ""


def _call_words(call: FunctionCall) -> str:
    variables = ", ".join(f"{name} = {words(value)}" for name, value in call.variables.items())
    steps = "; ".join(step.rstrip("; ") for step in (*call.setup, *call.calls))
    return f"call: {steps}   with {variables}" if variables else f"call: {steps}"


def _command(test: Test) -> str:
    arguments = test.start.arguments
    if test.recipe is not None:
        watched = ("valgrind",) if isinstance(test.recipe.finder, UnderValgrind) else ()
        steps = [test.recipe.build, (*watched, *test.recipe.run, *arguments)]
        return " && ".join(shlex.join(step) for step in steps if step)
    return "python3" if is_repl(test.interaction) else f"python3 {shlex.join((test.program, *arguments))}"
