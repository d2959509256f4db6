"""One test result as the page of a student shows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.judge.diff import diff_around
from grader.judge.verdict import Verdict
from grader.pipeline.results import TestResult
from grader.report.html.diff_html import diff_html, named
from grader.report.html.replay import Step, replay
from grader.report.html.text import shown
from grader.report.test_text import how_to_repeat
from grader.run.outcome import Ending, Outcome

_MOST_ERRORS = 4_000
_ENDINGS = {
    Ending.TIMED_OUT: "stopped when its time was up",
    Ending.OUTPUT_LIMIT: "stopped when it had printed too much",
    Ending.MEMORY_LIMIT: "stopped when it used too much memory",
    Ending.KEEPS_READING: "stopped because it kept asking for input after the end",
    Ending.CANCELLED: "interrupted",
}


@dataclass(frozen=True)
class DiffView:
    """The rows of a diff, whether the transcripts go on after it, and what its marks stand for."""

    rows: Markup
    goes_on: bool
    names: Sequence[str]


@dataclass(frozen=True)
class Failure:
    """What there is to see of a test that was not passed."""

    how_to_repeat: str
    sentence: str
    rule: str | None
    differences: Sequence[str]
    diff: DiffView | None
    built: Markup | None
    steps: Sequence[Step]
    errors: Markup | None
    facts: str


@dataclass(frozen=True)
class ResultView:
    """A result; `failure` is None when there is nothing to explain."""

    result: TestResult
    failure: Failure | None

    @property
    def passed(self) -> bool:
        """Whether the test was passed."""
        return self.result.verdict is Verdict.PASSED


def result_view(result: TestResult) -> ResultView:
    """`result` with all that explains a failure, or the points that a checker took off."""
    if result.verdict is Verdict.PASSED and result.judgement.diagnosis is None:
        return ResultView(result, None)
    judgement, outcome = result.judgement, result.outcome
    in_build = outcome is not None and outcome.in_build
    return ResultView(
        result,
        Failure(
            how_to_repeat=how_to_repeat(result.test),
            sentence=judgement.diagnosis.sentence if judgement.diagnosis else "",
            rule=result.because,
            differences=judgement.differences,
            diff=diff_view(result),
            built=_beginning(outcome.transcript) if outcome and in_build else None,
            steps=replay(result),
            errors=_beginning(outcome.errors) if outcome and outcome.errors else None,
            facts=", ".join(_facts(outcome)) if outcome else "",
        ),
    )


def diff_view(result: TestResult) -> DiffView | None:
    """The first difference of `result` with what was expected, None when there is none."""
    found = result.compared
    if found is None:
        return None
    diff = diff_around(found.expected, found.actual, found.divergence, found.typed)
    return DiffView(diff_html(diff), diff.goes_on, named(diff))


def _beginning(said: str) -> Markup:
    more = len(said) - _MOST_ERRORS
    return shown(said[:_MOST_ERRORS]) + (f"\n… {more:,} more characters" if more > 0 else "")


def _facts(outcome: Outcome) -> list[str]:
    ending = _ENDINGS.get(outcome.ending)
    if outcome.exit_code is not None:
        ending = f"ended with exit status {outcome.exit_code}"
    elif outcome.signal is not None:
        ending = f"killed by signal {outcome.signal}"
    facts = [ending] if ending else []
    facts.append(f"{outcome.wall_seconds:.2f} s, of which {outcome.cpu_seconds:.2f} s on the processor")
    if outcome.unsent:
        facts.append(f"{outcome.unsent} line{'' if outcome.unsent == 1 else 's'} of input never asked for")
    return facts
