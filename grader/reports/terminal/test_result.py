"""One submission's results in lines of text: tests, rules about the code, items marked by hand."""

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from grader.judge.diff import DiffSide
from grader.model.amount import as_decimal, total
from grader.model.assignment import Assignment, Part
from grader.model.counting import GroupCount, GroupResult
from grader.model.interaction import (
    Dialogue,
    FunctionCall,
    PluginInteraction,
    ReplSession,
    StdinRun,
    is_game,
    is_repl,
    shows_typing,
    typed_lines,
)
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.plain_values import words
from grader.model.program import UnderValgrind
from grader.model.results import ComparedTranscript, GradedSubmission, TestResult
from grader.model.rule import RuleResult
from grader.model.test import Test, Visibility
from grader.reports.shown_output import crash_text, shown_difference
from grader.reports.terminal.diff import DIFF_STYLES, DiffText, first_screenful
from grader.reports.theme import TerminalStyle
from grader.text.escape import escape_controls
from grader.text.language import in_language, told, told_plural
from grader.text.sentence import Sentence, joined, say
from grader.text.words import format_decimal, some_of

if TYPE_CHECKING:
    from grader.model.results import StudentResult

MOST_SINGLE = 3
"""More neighbouring tests with the same verdict share a line."""
_LABEL_CELLS = 15
_MOST_FINDINGS = 10
_HOW_GROUPS_COUNT = {
    GroupCount.ALL: say("all of its tests must pass"),
    GroupCount.SUM: say("its tests add up"),
    GroupCount.LEAST: say("its worst test counts"),
    GroupCount.BEST: say("its best test counts"),
}
_MOST_TYPED = 6
_MOST_LINES = 20


def variant_words(assignment: Assignment, graded: GradedSubmission) -> Iterator[str]:
    """`read as: VARIANT` for programs read as another variant than the preferred one, named unless they are all."""
    for programs in assignment.variant_groups:
        variant = graded.variants.get(programs[0].file)
        if variant is not None and variant != programs[0].variants[0]:
            files = ", ".join(program.file for program in programs)
            everything = len(programs) == len(assignment.programs)
            if everything:
                yield told("read as: {variant}", variant=variant)
            else:
                yield told("{files} read as: {variant}", files=files, variant=variant)


def accepted_variant(words: str) -> str:
    """Return the words of `variant_words`, and that there is nothing wrong with it."""
    return told("{words} (an accepted variant)", words=words)


def in_column(words: str, cells: int = _LABEL_CELLS) -> str:
    """`words` in a column of this width; a Chinese character takes two cells."""
    return words + " " * max(cells - cell_len(words), 0)


def rule_lines(result: RuleResult, *, points: bool = True) -> Iterator[Text]:
    """Yield whether a rule is kept, then every place where it is not."""
    word, style = (told("kept"), TerminalStyle.PASSED) if result.kept else (told("broken"), TerminalStyle.FAILED)
    if not result.judged:
        word, style = told("not judged"), TerminalStyle.NOT_JUDGED
    text = Text("  ").append(in_column(word), style).append(f"{result.rule.id}: {result.rule.title}")
    if points and result.rule.points:
        earned, whole = format_decimal(result.points), format_decimal(result.rule.points)
        text.append(told(" ({points} of {full})", points=earned, full=whole))
    yield text
    for finding in result.findings[:_MOST_FINDINGS]:
        yield Text(f"    {escape_controls(str(finding))}")
    more = len(result.findings) - _MOST_FINDINGS
    if more > 0:
        yield Text(told("    and {more} more", more=more))


def rules_section(rules: Sequence[RuleResult], *, costs: bool = False) -> Iterator[Text]:
    """Yield a heading and the rules that earn nothing, with the `costs` of broken ones if asked for."""
    if rules:
        yield Text()
        yield Text(told("Rules about the code"), TerminalStyle.HEADING)
    yield from rules_lines(rules, costs=costs)


def rules_lines(rules: Sequence[RuleResult], *, points: bool = False, costs: bool = False) -> Iterator[Text]:
    """Yield the rules about the code: first those that are not kept, then the kept ones, many of them in one line."""
    kept = [result for result in rules if result.judged and result.kept and not (points and result.rule.points)]
    for result in rules:
        if result not in kept:
            yield from rule_lines(result, points=points)
            if costs and result.rule.asks:
                yield Text(told("    costs {cost}", cost=cost_words(result)), TerminalStyle.FAILED)
    if len(kept) <= MOST_SINGLE:
        for result in kept:
            yield from rule_lines(result, points=points)
        return
    names = ", ".join(result.rule.id for result in kept)
    words = told_plural(len(kept), "{count} rule: {names}", "{count} rules: {names}", names=names)
    yield Text("  ").append(in_column(told("kept")), TerminalStyle.PASSED).append(words)


def manual_lines(row: "StudentResult", part: Part) -> Iterator[Text]:
    """Yield the items of a part that a person marks; one that is not yet marked says so."""
    for item in part.manual:
        points = row.manual.points.get(item.id)
        if points is None:
            state, worth = told("not yet marked"), told("(of {full})", full=format_decimal(item.marks))
        else:
            both = {"points": format_decimal(points), "full": format_decimal(item.marks)}
            state, worth = told("by hand"), told("({points} of {full})", **both)
        yield (
            Text("  ")
            .append(in_column(state), "" if points is not None else TerminalStyle.WARNING)
            .append(f"{item.id}: {item.title} {worth}")
        )


def cost_words(result: RuleResult) -> str:
    """Word the cost of breaking a rule."""
    if result.rule.zero_mark:
        return told("the whole mark")
    points = format_decimal(result.rule.deduct)
    return told("{points} point", points=points) if result.rule.deduct == 1 else told("{points} points", points=points)


def verdict_style(verdict: Verdict) -> str:
    """Return the colour of a verdict."""
    return {Verdict.PASSED: TerminalStyle.PASSED, Verdict.INTERNAL_ERROR: TerminalStyle.NOT_JUDGED}.get(
        verdict, TerminalStyle.FAILED
    )


def verdict_words(verdict: Verdict) -> str:
    """Return a verdict as it is told to students."""
    return in_language(Sentence((verdict.value,), {}))


def verdict_line(verdict: Verdict, heading: str) -> Text:
    """Return a verdict, and what it is about, in one line."""
    return Text("  ").append(in_column(verdict_words(verdict)), verdict_style(verdict)).append(heading)


def verdict_lines(verdict: Verdict, tests: Sequence[Test], worth: str = "") -> Iterator[Text]:
    """Yield a line for each of some tests with a verdict, or one for all if they are many; `worth` comes after it."""
    if len(tests) <= MOST_SINGLE:
        yield from (verdict_line(verdict, test_heading(test)) for test in tests)
        return
    names = some_of([escape_controls(test.id) for test in tests], MOST_SINGLE + 1)
    words = told_plural(len(tests), "{count} test: {names}", "{count} tests: {names}", names=names)
    yield verdict_line(verdict, f"{words}{worth}")


def test_heading(test: Test) -> str:
    """Id and title of a test."""
    return escape_controls(f"{test.id}: {test.title}" if test.title else test.id)


def points_words(result: TestResult) -> str:
    """Return the points earned in a test, in brackets: `1 of 2`; for a test of a group the name of that."""
    counting = result.test.counting
    barred = told(", does not count") if result.barred_by else ""
    if counting.group is not None:
        return told("(in the group {group}{barred})", group=counting.group, barred=barred)
    return told(
        "({points} of {full}{bonus}{barred})",
        points=format_decimal(result.points),
        full=format_decimal(result.test.points),
        bonus=told(", bonus") if counting.bonus else "",
        barred=barred,
    )


def points_together(results: Sequence[TestResult]) -> str:
    """Return the points of several tests, in brackets after a space; nothing where a group of tests earns them."""
    if any(result.test.counting.group for result in results):
        return ""
    earned = as_decimal(total(result.earned for result in results))
    full = total(result.test.points for result in results)
    return told(" ({points} of {full})", points=format_decimal(earned), full=format_decimal(full))


def group_words(result: GroupResult) -> str:
    """Return the points that a group earned, in brackets, and how many of its tests passed."""
    return told(
        "({points} of {full}{bonus}; {how}, {passed} of {tests} passed)",
        points=format_decimal(result.points),
        full=format_decimal(result.group.points),
        bonus=told(", bonus") if result.group.bonus else "",
        how=_HOW_GROUPS_COUNT[result.group.count],
        passed=result.passed,
        tests=len(result.tests),
    )


def group_line(result: GroupResult) -> Text:
    """Write the line of a group of tests."""
    style = TerminalStyle.PASSED if result.share == 1 else TerminalStyle.FAILED
    heading = escape_controls(f"{result.group.id}: {result.group.title}" if result.group.title else result.group.id)
    return Text("  ").append(in_column(told("group")), style).append(f"{heading} {group_words(result)}")


def note_lines(result: TestResult, results: Sequence[TestResult]) -> Iterator[Text]:
    """Yield the reasons that a test does not count, and the differences let pass, a line each.

    A note that several of `results` share appears with the first of them.
    """
    if result.why_not_counted is not None:
        barred = [peer.test.id for peer in results if peer.why_not_counted == result.why_not_counted]
        if barred[0] == result.test.id:
            yield _note_line(result.why_not_counted, len(barred))
    for note in result.judgement.notes:
        same = [peer.test.id for peer in results if note in peer.judgement.notes]
        if same[0] == result.test.id:
            yield _note_line(note.sentence, len(same))


def _note_line(sentence: str, tests: int) -> Text:
    count = told(" (so in {tests} tests)", tests=tests) if tests > 1 else ""
    return Text(f"    {escape_controls(in_language(sentence))}{count}", TerminalStyle.WARNING)


def failure_text(
    result: TestResult, width: int | None = None, diff_text: DiffText = first_screenful, alike: str = "", more: str = ""
) -> Iterator[Text]:
    """Describe a failed test: how to repeat it, the diagnosis, the rule behind it, and a diff.

    The lines of the diff are folded to `width` columns, if given. `alike` says which other tests fail so, `more` names
    a command that explains causes.
    """
    yield Text(test_heading(result.test), TerminalStyle.HEADING).append(
        f"  [{verdict_words(result.verdict)}]", verdict_style(result.verdict)
    )
    repeated = repetition(result)
    if repeated:
        yield Text(f"  {escape_controls(in_language(repeated))}", TerminalStyle.MUTED)
    diagnosis = result.judgement.diagnosis
    if diagnosis:
        yield Text(f"  {escape_controls(in_language(diagnosis.sentence))}")
        if more:
            yield Text(told("  more: {command} {cause}", command=more, cause=diagnosis.cause.id), TerminalStyle.MUTED)
    if result.because:
        yield Text(told("  The rule here: {rule}", rule=escape_controls(result.because)))
    for hint in result.hints:
        yield Text(told("  Hint: {hint}", hint=escape_controls(hint)))
    if alike:
        yield Text(f"  {escape_controls(in_language(alike))}")
    for difference in result.judgement.differences:
        yield Text(f"    {escape_controls(in_language(difference))}", TerminalStyle.FAILED)
    compared = shown_difference(result)
    if compared:
        yield _diff_legend(compared)
        yield from diff_text(compared, width)
    if result.outcome:
        yield from _output_lines(result, result.outcome)


def short_failure(result: TestResult, alike: str) -> Iterator[Text]:
    """Describe a failed test without its output; `alike` says which other tests fail so."""
    yield from islice(failure_text(result), 1)
    if result.judgement.diagnosis:
        yield Text(f"  {escape_controls(in_language(result.judgement.diagnosis.sentence))}")
    if alike:
        yield Text(f"  {escape_controls(in_language(alike))}")


def _diff_legend(compared: ComparedTranscript) -> Text:
    """Say whose lines a diff shows, in the colours of these lines."""
    text = Text("  ").append(told("- expected, "), DIFF_STYLES[DiffSide.EXPECTED])
    text.append(told("+ your program"), DIFF_STYLES[DiffSide.ACTUAL])
    return text.append(told(", > where something was typed") if compared.typed else "", TerminalStyle.MUTED)


def _output_lines(result: TestResult, outcome: Outcome) -> Iterator[Text]:
    """Yield what no diff shows: the words of a compiler, a session against an interactor, and standard error."""
    if result.verdict is Verdict.BUILD_ERROR:
        yield from _beginning(outcome.transcript)
    if is_game(result.test.interaction) and not outcome.in_build:
        yield from _game_lines(outcome, shows_typing=shows_typing(result.test.interaction))
    if report := crash_text(result):
        yield Text(told("  what the program printed at the end"), TerminalStyle.MUTED)
        yield from _end(report)
    if outcome.errors.strip():
        yield Text(told("  on standard error"), TerminalStyle.MUTED)
        yield from _end(outcome.errors)


def _beginning(sentence: str) -> Iterator[Text]:
    """Yield the first lines that a compiler printed."""
    lines = sentence.rstrip().split("\n")
    for line in lines[:_MOST_LINES]:
        yield Text(f"  | {escape_controls(line)}", TerminalStyle.MUTED)
    if len(lines) > _MOST_LINES:
        yield Text(told("  … ({more} more lines)", more=len(lines) - _MOST_LINES), TerminalStyle.MUTED)


def _game_lines(outcome: Outcome, *, shows_typing: bool) -> Iterator[Text]:
    """Yield the end of a session against an interactor, always with the lines typed."""
    game, place = "", 0
    for typed in () if shows_typing else outcome.typed:
        game += f"{outcome.transcript[place : typed.offset]}> {typed.text}\n"
        place = typed.offset
    how = say("as it was shown") if shows_typing else say("> where something was typed")
    yield Text(told("  the end of the session, {how}", how=how), TerminalStyle.MUTED)
    yield from _end(game + outcome.transcript[place:])


def _end(text: str) -> Iterator[Text]:
    """Yield the last lines of a text."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) > _MOST_LINES:
        yield Text(told("  … ({more} more lines)", more=len(lines) - _MOST_LINES), TerminalStyle.MUTED)
    for line in lines[-_MOST_LINES:]:
        yield Text(f"  | {escape_controls(line)}", TerminalStyle.MUTED)


def repetition(result: TestResult) -> str:
    """Return the line that says how to repeat a test, empty for a hidden test of which nothing is shown."""
    is_shown = result.test.visibility is Visibility.PUBLIC or result.outcome is not None
    return how_to_repeat(result.test) if is_shown else ""


def how_to_repeat(test: Test) -> Sentence:
    """Return the command or call of a test, and what is typed then, in one line."""
    match test.interaction:
        case StdinRun(name=str(name)):
            return _run_words(test, f" < inputs/{name}")
        case Dialogue(lines=lines, stdin=StdinRun(name=name, text=text)):
            source = _reads_words(text) if name is None else f" < inputs/{name}"
            return _run_words(test, source, _typed_words(lines))
        case StdinRun(text=text):
            return _run_words(test, _reads_words(text))
        case FunctionCall() as call:
            return joined("", (_call_words(call), _typed_words(typed_lines(call))))
        case PluginInteraction() as other:
            return other.how_to_repeat(test, _started(test))
        case Dialogue(lines=lines) | ReplSession(lines=lines):
            return _run_words(test, _typed_words(lines))


def _run_words(test: Test, *further: str) -> Sentence:
    return say("run: {command}{further}", command=_started(test), further=joined("", further))


def _started(test: Test) -> str:
    variables = "".join(f"{name}={shlex.quote(value)} " for name, value in test.environment.items())
    return f"{variables}{_command(test)}"


def _typed_words(lines: Sequence[str]) -> str:
    return say("   type: {lines}", lines=_shown_lines(lines)) if lines else ""


def _reads_words(text: str) -> str:
    lines = text.splitlines()
    return say("   it reads: {lines}", lines=_shown_lines(lines)) if lines else ""


def _shown_lines(lines: Sequence[str]) -> Sentence:
    typed = [repr(line) if line != line.strip() or not line else line for line in lines]
    more = say(" … ({more} more)", more=len(typed) - _MOST_TYPED) if len(typed) > _MOST_TYPED else ""
    return joined("", (" ⏎ ".join(typed[:_MOST_TYPED]), more))


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
