"""One test result on a student's page: the verdict, the difference, and the session step by step.

The steps are built here and not in a template, because a site may have hundreds of thousands of steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from grader.judge.diff import diff_around
from grader.model.interaction import shows_typing
from grader.model.judgement import Verdict
from grader.model.outcome import CodeLine, Outcome, Termination
from grader.model.results import TestResult
from grader.plugins.web.pages.code_view import failure_places
from grader.plugins.web.pages.diff_html import diff_html, named
from grader.reports.html.text import shown, visible_in_page
from grader.reports.repetition import repetition
from grader.reports.shown_output import crash_text, shown_difference
from grader.run.plugin_session import PluginDialogue
from grader.text.difference import start_of_differing_line
from grader.text.language import in_language, told
from grader.text.sentence import Sentence, say, say_plural

_HEAD = 6_000
_BEFORE, _AFTER = 1_500, 4_000
_TAIL = 1_500
_MAX_ERRORS = 4_000
_ENDINGS = {
    Termination.TIMED_OUT: say("stopped when its time was up"),
    Termination.OUTPUT_LIMIT: say("stopped when it had printed too much"),
    Termination.MEMORY_LIMIT: say("stopped when it used too much memory"),
    Termination.KEEPS_READING: say("stopped because it kept asking for input after the end"),
    Termination.STOPPED: say("stopped when the interactor had seen enough"),
    Termination.CANCELLED: say("interrupted"),
}


@dataclass(frozen=True)
class ReplayStep:
    """The output up to the next wait for input, and the text typed then; None at the end of the session.

    `differs` marks the step in which the output first differs from what was expected. `omitted` counts steps left out
    before this one.
    """

    printed: Markup
    typed: str | None
    differs: bool
    omitted: int

    @property
    def html(self) -> Markup:
        """The step as an item of a list."""
        the_end = told("end of the session")
        words = told("the output differs from here on")
        opening = f'<li class="differs" data-words="{escape(words)}">' if self.differs else "<li>"
        left_out = told("… {steps} steps left out …", steps=self.omitted)
        omitted = f'<i class="cut">{left_out}</i>' if self.omitted else ""
        end = (
            f'<i class="cut">{the_end}</i>'
            if self.typed is None
            else f"<kbd>{escape(visible_in_page(self.typed))}</kbd>"
        )
        return Markup(f"{opening}{omitted}<pre>{self.printed}</pre>{end}</li>")


@dataclass(frozen=True)
class PluginStep:
    """A step as a plugin shows it, in place of the step before."""

    content: Markup
    differs: bool

    @property
    def html(self) -> Markup:
        """The step as an item of a list."""
        return Markup('<li class="picture{}">{}</li>').format(" differs" if self.differs else "", self.content)


@dataclass(frozen=True)
class _Turn:
    """The piece of the transcript that was printed, from `start` to `end`, and what was then typed, if anything."""

    start: int
    end: int
    typed: str | None = None


def replay(result: TestResult) -> Sequence[ReplayStep]:
    """Return the steps of a session; for a long transcript, its beginning, its end and the first difference."""
    outcome = result.outcome
    if outcome is None or outcome.in_build:
        return []
    difference = _difference(result, outcome)
    pieces = _pieces(len(outcome.transcript), difference)
    turns = list(_turns(outcome, echo=shows_typing(result.test.interaction)))
    return list(_steps(outcome.transcript, turns, pieces, difference))


def _steps(
    transcript: str, turns: Sequence[_Turn], pieces: Sequence[range], difference: int | None
) -> Iterator[ReplayStep]:
    omitted = 0
    marked = difference is None
    for turn in turns:
        pieces_of_turn = [piece for piece in pieces if piece.start <= turn.end and turn.start <= piece.stop]
        if not pieces_of_turn:
            omitted += 1
            continue
        differs = not marked and difference is not None and difference <= turn.end
        marked = marked or differs
        yield ReplayStep(_printed(transcript, turn, pieces_of_turn), turn.typed, differs, omitted)
        omitted = 0


def _printed(transcript: str, turn: _Turn, pieces: Sequence[range]) -> Markup:
    text = ""
    place = turn.start
    for piece in pieces:
        start, end = max(piece.start, turn.start), min(piece.stop, turn.end)
        text += _left_out(start - place) + str(shown(transcript[start:end]))
        place = end
    return Markup(text + _left_out(turn.end - place))


def _left_out(count: int) -> str:
    words = told("… {count:,} characters left out …", count=count)
    return f'<i class="cut">{words}</i>' if count else ""


def _turns(outcome: Outcome, *, echo: bool) -> Iterator[_Turn]:
    """Yield the turns of the session; an echoed line does not count as printed."""
    place = 0
    for typed in outcome.typed:
        yield _Turn(place, typed.offset, typed.text)
        place = typed.offset
        if echo and outcome.transcript.startswith(typed.text, place):
            place += len(typed.text)
            place += outcome.transcript.startswith("\n", place)
    if place < len(outcome.transcript) or not outcome.typed:
        yield _Turn(place, len(outcome.transcript))


def _difference(result: TestResult, outcome: Outcome) -> int | None:
    """Return where the transcript first differs, or None if it does not, or if a different transcript was compared."""
    if result.judgement.divergence is None or result.judgement.mended is not None:
        return None
    return start_of_differing_line(result.expected, outcome.transcript)


def _pieces(length: int, difference: int | None) -> list[range]:
    """Return the pieces of a transcript to show, in order and without overlaps."""
    ranges = [(0, _HEAD), (length - _TAIL, length)]
    if difference is not None:
        ranges.insert(1, (difference - _BEFORE, difference + _AFTER))
    pieces: list[range] = []
    for start, end in sorted(ranges):
        start, end = max(start, 0), min(end, length)
        if pieces and start <= pieces[-1].stop:
            pieces[-1] = range(pieces[-1].start, max(end, pieces[-1].stop))
        else:
            pieces.append(range(start, end))
    return pieces


@dataclass(frozen=True)
class DiffView:
    """The rows of a diff, whether the transcripts continue after it, and the meaning of its marks."""

    rows: Markup
    goes_on: bool
    names: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class FailureView:
    """The details of a failed test."""

    repetition: str
    sentence: str
    places: Sequence[CodeLine]
    rule: str | None
    hints: Sequence[str]
    differences: Sequence[str]
    diff: DiffView | None
    picture: Markup
    built: Markup | None
    crash: Markup | None
    steps: Sequence[ReplayStep | PluginStep]
    errors: Markup | None
    facts: str


@dataclass(frozen=True)
class ResultView:
    """The view of a result; `failure` is None if there is nothing to explain."""

    result: TestResult
    failure: FailureView | None = None

    @property
    def passed(self) -> bool:
        """Return whether the test was passed."""
        return self.result.verdict is Verdict.PASSED


def result_view(result: TestResult) -> ResultView:
    """Gather everything that explains a failure, or the points that a checker took off."""
    if result.verdict is Verdict.PASSED and result.judgement.diagnosis is None:
        return ResultView(result)
    judgement, outcome = result.judgement, result.outcome
    in_build = outcome is not None and outcome.in_build
    return ResultView(
        result,
        FailureView(
            repetition=repetition(result),
            sentence=judgement.diagnosis.sentence if judgement.diagnosis else "",
            places=list(dict.fromkeys(place for place, _ in failure_places(result))),
            rule=result.because,
            hints=result.hints,
            differences=judgement.differences,
            diff=None if isinstance(result.test.interaction, PluginDialogue) else diff_view(result),
            picture=_plugin_difference(result),
            built=_beginning(outcome.transcript) if outcome and in_build else None,
            crash=shown(crash) if (crash := crash_text(result)) else None,
            steps=_steps_of_any(result),
            errors=_beginning(outcome.errors) if outcome and outcome.errors else None,
            facts=", ".join(map(in_language, _facts(outcome))) if outcome else "",
        ),
    )


def diff_view(result: TestResult) -> DiffView | None:
    """Return the first difference of `result` from the expected transcript, or None if they are equal."""
    compared = shown_difference(result)
    if compared is None:
        return None
    diff = diff_around(compared.expected, compared.actual, compared.shown, compared.typed)
    equal = compared.expected[: start_of_differing_line(compared.expected, compared.actual)]
    return DiffView(diff_html(diff, equal), diff.goes_on, named(diff))


def _plugin_difference(result: TestResult) -> Markup:
    """Return the first difference as a plugin shows it."""
    interaction = result.test.interaction
    if isinstance(interaction, PluginDialogue) and shown_difference(result):
        return Markup(interaction.difference_html(result))
    return Markup("")


def _steps_of_any(result: TestResult) -> Sequence[ReplayStep | PluginStep]:
    """Return the steps of a session, as a plugin shows them if the test is its own."""
    interaction, outcome = result.test.interaction, result.outcome
    if isinstance(interaction, PluginDialogue) and outcome and not outcome.in_build:
        return [PluginStep(Markup(html), differs) for html, differs in interaction.steps_html(result)]
    return replay(result)


def _beginning(text: str) -> Markup:
    more = len(text) - _MAX_ERRORS
    rest = told("… {more:,} more characters", more=more)
    return shown(text[:_MAX_ERRORS]) + (f"\n{rest}" if more > 0 else "")


def _facts(outcome: Outcome) -> list[Sentence]:
    ending = _ENDINGS.get(outcome.ending)
    if outcome.exit_code is not None:
        ending = say("ended with exit status {status}", status=outcome.exit_code)
    elif outcome.signal is not None:
        ending = say("killed by signal {signal}", signal=outcome.signal)
    facts = [ending] if ending else []
    times = {"seconds": outcome.wall_seconds, "cpu": outcome.cpu_seconds}
    facts.append(say("{seconds:.2f} s, of which {cpu:.2f} s on the processor", **times))
    if outcome.unsent:
        facts.append(
            say_plural(
                outcome.unsent, "{count} line of input never asked for", "{count} lines of input never asked for"
            )
        )
    return facts
