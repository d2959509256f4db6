"""Why a program could not be built."""

import shlex
from collections.abc import Sequence

from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.ending_causes import signal_name
from grader.judge.evidence import Evidence
from grader.judge.quote import quote
from grader.run.outcome import Ending, Outcome


def build_error(evidence: Evidence) -> Diagnosis | None:
    """The command that builds the program failed."""
    recipe = evidence.test.recipe
    if not evidence.outcome.in_build or recipe is None or recipe.build is None:
        return None
    first = _first_error(evidence.actual_lines)
    said = f"; it says {quote(first)}" if first else ""
    return Diagnosis(
        Cause.BUILD_ERROR,
        f"The program cannot be built: {quote(shlex.join(recipe.build))} {_how_it_ended(evidence.outcome)}{said}.",
    )


def _how_it_ended(outcome: Outcome) -> str:
    match outcome.ending:
        case Ending.TIMED_OUT:
            return f"was still running after {outcome.wall_seconds:.3g} seconds"
        case Ending.OUTPUT_LIMIT:
            return "printed too much"
        case Ending.KEEPS_READING:
            return "asked for input"
        case Ending.SIGNALLED:
            assert outcome.signal is not None
            return f"was ended by {signal_name(outcome.signal)}"
    return f"ended with exit status {outcome.exit_code}"


def _first_error(lines: Sequence[str]) -> str:
    """The first line that speaks of an error, or else the first that says something."""
    spoken = [line.strip() for line in lines if line.strip()]
    return next((line for line in spoken if "error" in line.lower()), spoken[0] if spoken else "")
