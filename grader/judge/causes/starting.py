"""Causes that show before the test itself begins: the program cannot be built, or its import already does too much."""

import re
import shlex
from collections.abc import Sequence

from grader.judge.causes.ending import PYTHON_PROMPT, signal_name
from grader.judge.evidence import FailureEvidence, finds
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import is_repl
from grader.model.judgement import Diagnosis
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.text.escape import quote

BUILD_ERROR = Cause("build-error", CauseSubject.PROGRAM)
IMPORT_ASKS_FOR_INPUT = Cause("import-asks-for-input", CauseSubject.PROGRAM)
IMPORT_PRINTS = Cause("import-prints", CauseSubject.PROGRAM)

IMPORT_ADVICE = "put the code that runs the program under `if __name__ == '__main__':`"


@finds(BUILD_ERROR)
def build_error(evidence: FailureEvidence) -> Diagnosis | None:
    """The command that builds the program failed."""
    recipe = evidence.test.recipe
    if not evidence.outcome.in_build or recipe is None or recipe.build is None:
        return None
    first = _first_error(evidence.actual_lines)
    said = f"; it says {quote(first)}" if first else ""
    return Diagnosis(
        BUILD_ERROR,
        f"The program cannot be built: {quote(shlex.join(recipe.build))} {_how_it_ended(evidence.outcome)}{said}.",
    )


def _how_it_ended(outcome: Outcome) -> str:
    match outcome.ending:
        case Termination.TIMED_OUT:
            return f"was still running after {outcome.wall_seconds:.3g} seconds"
        case Termination.OUTPUT_LIMIT:
            return "printed too much"
        case Termination.KEEPS_READING:
            return "asked for input"
        case Termination.SIGNALLED if outcome.signal is not None:
            return f"was ended by {signal_name(outcome.signal)}"
    return f"ended with exit status {outcome.exit_code}"


def _first_error(lines: Sequence[str]) -> str:
    """The first line that speaks of an error, or else the first that says something."""
    spoken = [line.strip() for line in lines if line.strip()]
    return next((line for line in spoken if "error" in line.lower()), spoken[0] if spoken else "")


@finds(IMPORT_ASKS_FOR_INPUT)
def import_asks_for_input(evidence: FailureEvidence) -> Diagnosis | None:
    """The import asked for input instead of giving Python's prompt back."""
    typed = evidence.outcome.typed
    if not _imports(evidence) or len(typed) < 2 or PYTHON_PROMPT in evidence.actual[typed[0].offset : typed[1].offset]:
        return None
    return Diagnosis(
        IMPORT_ASKS_FOR_INPUT, f"Importing {evidence.test.program} already asks for input: {IMPORT_ADVICE}."
    )


@finds(IMPORT_PRINTS)
def import_prints(evidence: FailureEvidence) -> Diagnosis | None:
    """The import printed something before Python's prompt came back."""
    divergence, typed = evidence.divergence, evidence.outcome.typed
    if not _imports(evidence) or divergence is None or divergence.expected is None or not divergence.actual:
        return None
    ends = typed[1].offset if len(typed) > 1 else len(evidence.actual)
    is_import = typed[0].offset <= evidence.start <= ends and evidence.actual.count("\n", 0, evidence.start) == 1
    if (
        not is_import
        or not divergence.expected.startswith(PYTHON_PROMPT)
        or divergence.actual.startswith(PYTHON_PROMPT)
    ):
        return None
    said = f"Importing {evidence.test.program} already prints {quote(divergence.actual)}"
    return Diagnosis(IMPORT_PRINTS, f"{said}: {IMPORT_ADVICE}.")


def _imports(evidence: FailureEvidence) -> bool:
    """Whether the first line typed at Python's prompt imports the program."""
    typed: tuple[TypedLine, ...] = evidence.outcome.typed
    module = re.escape(evidence.test.program.removesuffix(".py"))
    return (
        is_repl(evidence.test.interaction)
        and len(typed) > 0
        and re.match(rf"(from|import)\s+{module}\b", typed[0].text) is not None
    )
