"""Causes visible before the test itself begins: a failed build, or an import that does too much."""

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
from grader.text.sentence import Sentence, say

BUILD_ERROR = Cause("build-error", CauseSubject.PROGRAM)
"""The command that builds the program failed, so the program could not be run.

> The program cannot be built: `g++ -O2 -o game game.cpp` ended with exit status 1; it says `game.cpp:3:14: error:
> expected ';' before '}' token`.

Run the same command yourself and fix the first error. Later errors are often consequences of it.
"""
IMPORT_ASKS_FOR_INPUT = Cause("import-asks-for-input", CauseSubject.PROGRAM)
"""The test imports the program and calls a function, but the import already runs the program.

> Importing solitaire_1.py already asks for input: put the code that runs the program under `if __name__ ==
> '__main__':`.

Only leave definitions at the top level, and put the call of the main function under `if __name__ == '__main__':`.
"""
IMPORT_PRINTS = Cause("import-prints", CauseSubject.PROGRAM)
"""The test imports the program and calls a function, but the import already prints something.

> Importing solitaire_1.py already prints `Welcome to solitaire`: put the code that runs the program under `if
> __name__ == '__main__':`.

Put the call of the main function under `if __name__ == '__main__':`, and remove any `print` calls that you used for
debugging.
"""

_IMPORT_ADVICE = say("put the code that runs the program under `if __name__ == '__main__':`")


@finds(BUILD_ERROR)
def build_error(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a build that failed."""
    recipe = evidence.test.recipe
    if not evidence.outcome.in_build or recipe is None or recipe.build is None:
        return None
    first = _first_error(evidence.actual_lines)
    sentence = say("; it says {text}", text=quote(first)) if first else ""
    command, ended = quote(shlex.join(recipe.build)), _how_it_ended(evidence.outcome)
    return Diagnosis(
        BUILD_ERROR,
        say("The program cannot be built: {command} {ended}{said}.", command=command, ended=ended, said=sentence),
    )


def _how_it_ended(outcome: Outcome) -> Sentence:
    match outcome.ending:
        case Termination.TIMED_OUT:
            return say("was still running after {seconds:.3g} seconds", seconds=outcome.wall_seconds)
        case Termination.OUTPUT_LIMIT:
            return say("printed too much")
        case Termination.MEMORY_LIMIT:
            return say("stopped when it used too much memory")
        case Termination.KEEPS_READING:
            return say("asked for input")
        case Termination.SIGNALLED if outcome.signal is not None:
            return say("was ended by {signal}", signal=signal_name(outcome.signal))
    return say("ended with exit status {status}", status=outcome.exit_code)


def _first_error(lines: Sequence[str]) -> str:
    """Return the first line with an error, or else the first line with text."""
    spoken = [line.strip() for line in lines if line.strip()]
    return next((line for line in spoken if "error" in line.lower()), spoken[0] if spoken else "")


@finds(IMPORT_ASKS_FOR_INPUT)
def import_asks_for_input(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose an import that asked for input instead of returning to Python's prompt."""
    typed = evidence.outcome.typed
    if not _imports(evidence) or len(typed) < 2 or PYTHON_PROMPT in evidence.actual[typed[0].offset : typed[1].offset]:
        return None
    return asks_on_import(evidence.test.program)


def asks_on_import(program: str) -> Diagnosis:
    """Diagnose an import that reads input meant for the function."""
    sentence = say("Importing {file} already asks for input: {advice}.", file=program, advice=_IMPORT_ADVICE)
    return Diagnosis(IMPORT_ASKS_FOR_INPUT, sentence)


@finds(IMPORT_PRINTS)
def import_prints(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose an import that printed something before Python's prompt returned."""
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
    sentence = say(
        "Importing {file} already prints {text}: {advice}.",
        file=evidence.test.program,
        text=quote(divergence.actual),
        advice=_IMPORT_ADVICE,
    )
    return Diagnosis(IMPORT_PRINTS, sentence)


def _imports(evidence: FailureEvidence) -> bool:
    """Return whether the first line typed at Python's prompt imports the program."""
    typed: tuple[TypedLine, ...] = evidence.outcome.typed
    module = re.escape(evidence.test.program.removesuffix(".py"))
    return (
        is_repl(evidence.test.interaction)
        and len(typed) > 0
        and re.match(rf"(from|import)\s+{module}\b", typed[0].text) is not None
    )
