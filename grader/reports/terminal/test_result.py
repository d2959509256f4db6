"""A submission's results as lines of text: tests, rules about the code, and manually marked items."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from grader.judge.diff import DiffSide
from grader.model.assignment import Part
from grader.model.counting import GroupResult
from grader.model.interaction import PluginInteraction, shows_typing
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.results import ComparedTranscript, TestResult
from grader.model.rule import RuleResult
from grader.model.test import Test
from grader.reports.repetition import repetition
from grader.reports.shown_output import crash_text, shown_difference
from grader.reports.terminal.diff import DIFF_STYLES, DiffText, first_screenful
from grader.reports.theme import TerminalStyle
from grader.reports.words import cost_words, group_words, verdict_words
from grader.run.plugin_session import PluginDialogue
from grader.text.escape import escape_controls
from grader.text.language import in_language, told, told_plural
from grader.text.sentence import say
from grader.text.words import format_decimal, some_of

if TYPE_CHECKING:
    from grader.model.results import StudentResult

MAX_SINGLE = 3
"""The maximum number of consecutive tests with the same verdict that get a line each; more tests share a line."""
_LABEL_CELLS = 15
_MAX_FINDINGS = 10
_MAX_LINES = 20


def accepted_variant(words: str) -> str:
    """Return the text of `variant_words`, with a remark that the variant is accepted."""
    return told("{words} (an accepted variant)", words=words)


def in_column(words: str, cells: int = _LABEL_CELLS) -> str:
    """Return `words` padded to this width; a Chinese character takes two cells."""
    return words + " " * max(cells - cell_len(words), 0)


def rule_lines(result: RuleResult, *, points: bool = True) -> Iterator[Text]:
    """Yield a line for a rule, then every place that breaks it."""
    word, style = (told("kept"), TerminalStyle.PASSED) if result.kept else (told("broken"), TerminalStyle.FAILED)
    if result.unread or not result.judged:
        word, style = told("not read") if result.unread else told("not judged"), TerminalStyle.NOT_JUDGED
    text = Text("  ").append(in_column(word), style).append(f"{result.rule.id}: {result.rule.title}")
    if points and result.rule.points:
        earned, whole = format_decimal(result.points), format_decimal(result.rule.points)
        text.append(told(" ({points} of {full})", points=earned, full=whole))
    yield text
    for finding in result.findings[:_MAX_FINDINGS]:
        yield Text(f"    {escape_controls(str(replace(finding, message=in_language(finding.message))))}")
    more = len(result.findings) - _MAX_FINDINGS
    if more > 0:
        yield Text(told("    and {more} more", more=more))


def rules_section(rules: Sequence[RuleResult], *, costs: bool = False) -> Iterator[Text]:
    """Yield a heading and the rules that do not earn points, with the `costs` of broken rules if requested."""
    if rules:
        yield Text()
        yield Text(told("Rules about the code"), TerminalStyle.HEADING)
    yield from rules_lines(rules, costs=costs)


def rules_lines(rules: Sequence[RuleResult], *, points: bool = False, costs: bool = False) -> Iterator[Text]:
    """Yield the rules about the code, first the broken ones, then the others, many of them on one line."""
    kept_rules = [result for result in rules if result.kept and not (result.unread or (points and result.rule.points))]
    alike = [
        result
        for result in rules
        if result.findings and not _is_first(result, rules)
        if not (points and result.rule.points) and not (costs and result.rule.asks)
    ]
    for result in rules:
        if result not in kept_rules and result not in alike:
            yield from rule_lines(result, points=points)
            if others := [equal.rule.id for equal in alike if equal.findings == result.findings]:
                yield Text(told("    and so the rules {names}", names=", ".join(others)))
            if costs and result.rule.asks and not result.kept:
                yield Text(told("    costs {cost}", cost=cost_words(result)), TerminalStyle.FAILED)
    if len(kept_rules) <= MAX_SINGLE:
        for result in kept_rules:
            yield from rule_lines(result, points=points)
        return
    names = ", ".join(result.rule.id for result in kept_rules)
    words = told_plural(len(kept_rules), "{count} rule: {names}", "{count} rules: {names}", names=names)
    yield Text("  ").append(in_column(told("kept")), TerminalStyle.PASSED).append(words)


def _is_first(result: RuleResult, rules: Sequence[RuleResult]) -> bool:
    """Return whether no earlier rule is broken in the same places."""
    return next(earlier for earlier in rules if earlier.findings == result.findings) is result


def manual_lines(row: "StudentResult", part: Part) -> Iterator[Text]:
    """Yield the manual items of a part, including unmarked ones."""
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


def verdict_style(verdict: Verdict) -> str:
    """Return the colour of a verdict."""
    if verdict in (Verdict.INTERNAL_ERROR, Verdict.NOT_RUN):
        return TerminalStyle.NOT_JUDGED
    return TerminalStyle.PASSED if verdict is Verdict.PASSED else TerminalStyle.FAILED


def verdict_line(verdict: Verdict, heading: str) -> Text:
    """Return a line with a verdict and its subject."""
    return Text("  ").append(in_column(verdict_words(verdict)), verdict_style(verdict)).append(heading)


def verdict_lines(verdict: Verdict, tests: Sequence[Test], worth: str = "") -> Iterator[Text]:
    """Yield a line for each of some tests with a verdict, or one for all if they are many, followed by `worth`."""
    yield from (verdict_line(verdict, heading) for heading in heading_lines(tests, worth))


def heading_lines(tests: Sequence[Test], worth: str = "") -> Iterator[str]:
    """Yield the heading of each test, or words for all of them if they are many, followed by `worth`."""
    if len(tests) <= MAX_SINGLE:
        yield from map(test_heading, tests)
        return
    names = some_of([escape_controls(test.id) for test in tests], MAX_SINGLE + 1)
    words = told_plural(len(tests), "{count} test: {names}", "{count} tests: {names}", names=names)
    yield f"{words}{worth}"


def test_heading(test: Test) -> str:
    """Return the id and title of a test."""
    return escape_controls(f"{test.id}: {test.title}" if test.title else test.id)


def group_line(result: GroupResult) -> Text:
    """Return the line for a group of tests."""
    style = TerminalStyle.PASSED if result.share == 1 else TerminalStyle.FAILED
    heading = escape_controls(f"{result.group.id}: {result.group.title}" if result.group.title else result.group.id)
    return Text("  ").append(in_column(told("group")), style).append(f"{heading} {group_words(result)}")


def note_lines(result: TestResult, results: Sequence[TestResult]) -> Iterator[Text]:
    """Yield a line for each reason why a test does not count, and for each ignored difference.

    A note shared by several of `results` is only shown with the first.
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
    """Return the description of a failed test: how to repeat it, the diagnosis, the rule behind it, and a diff.

    The lines of the diff are folded to `width` columns, if given. `alike` describes other tests that fail in the same
    way, and `more` is a command that explains causes.
    """
    yield Text(test_heading(result.test), TerminalStyle.HEADING).append(
        f"  [{verdict_words(result.verdict)}]", verdict_style(result.verdict)
    )
    repeated = repetition(result) if diff_text is first_screenful else repetition(result, most=None)
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
        first, *code = in_language(hint).split("\n")
        yield Text(told("  Hint: {hint}", hint=escape_controls(first)))
        yield from (Text(f"    {escape_controls(line)}") for line in code)
    if alike:
        yield Text(f"  {escape_controls(in_language(alike))}")
    for difference in result.judgement.differences:
        yield Text(f"    {escape_controls(in_language(difference))}", TerminalStyle.FAILED)
    yield from _difference_lines(result, width, diff_text)
    if result.outcome:
        yield from _output_lines(result, result.outcome)


def _difference_lines(result: TestResult, width: int | None, diff_text: DiffText) -> Iterator[Text]:
    compared, interaction = shown_difference(result), result.test.interaction
    if compared and isinstance(interaction, PluginDialogue) and diff_text is first_screenful:
        yield from interaction.difference_text(result, width)
    elif compared:
        yield _diff_legend(compared)
        yield from diff_text(compared, width)


def short_failure(result: TestResult, alike: str) -> Iterator[Text]:
    """Yield the description of a failed test without its output; `alike` describes tests that fail in the same way."""
    yield from islice(failure_text(result), 1)
    if result.judgement.diagnosis:
        yield Text(f"  {escape_controls(in_language(result.judgement.diagnosis.sentence))}")
    if alike:
        yield Text(f"  {escape_controls(in_language(alike))}")


def _diff_legend(compared: ComparedTranscript) -> Text:
    """Return the legend of a diff, in the colours of its lines."""
    text = Text("  ").append(told("- expected, "), DIFF_STYLES[DiffSide.EXPECTED])
    text.append(told("+ your program"), DIFF_STYLES[DiffSide.ACTUAL])
    return text.append(told(", > where something was typed") if compared.typed else "", TerminalStyle.MUTED)


def _output_lines(result: TestResult, outcome: Outcome) -> Iterator[Text]:
    """Yield output that the diff does not show: compiler messages, a plugin's session, and standard error."""
    if result.verdict is Verdict.BUILD_ERROR:
        yield from _beginning(outcome.transcript)
    if isinstance(result.test.interaction, PluginInteraction) and outcome.transcript and not outcome.in_build:
        yield from _session_lines(outcome, shows_typing=shows_typing(result.test.interaction))
    if report := crash_text(result):
        yield Text(told("  what the program printed at the end"), TerminalStyle.MUTED)
        yield from _end(report)
    if outcome.errors.strip():
        yield Text(told("  on standard error"), TerminalStyle.MUTED)
        yield from _end(outcome.errors)


def _beginning(sentence: str) -> Iterator[Text]:
    """Yield the first lines of a compiler's output."""
    lines = sentence.rstrip().split("\n")
    for line in lines[:_MAX_LINES]:
        yield Text(f"  | {escape_controls(line)}", TerminalStyle.MUTED)
    if len(lines) > _MAX_LINES:
        yield Text(told("  … ({more} more lines)", more=len(lines) - _MAX_LINES), TerminalStyle.MUTED)


def _session_lines(outcome: Outcome, *, shows_typing: bool) -> Iterator[Text]:
    """Yield the end of a plugin's session, including all typed lines."""
    game, place = "", 0
    for typed in () if shows_typing else outcome.typed:
        game += f"{outcome.transcript[place : typed.offset]}> {typed.text}\n"
        place = typed.offset
    how = say("as it was shown") if shows_typing or not outcome.typed else say("> where something was typed")
    yield Text(told("  the end of the session, {how}", how=how), TerminalStyle.MUTED)
    yield from _end(game + outcome.transcript[place:])


def _end(text: str) -> Iterator[Text]:
    """Yield the last lines of a string."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) > _MAX_LINES:
        yield Text(told("  … ({more} more lines)", more=len(lines) - _MAX_LINES), TerminalStyle.MUTED)
    for line in lines[-_MAX_LINES:]:
        yield Text(f"  | {escape_controls(line)}", TerminalStyle.MUTED)
