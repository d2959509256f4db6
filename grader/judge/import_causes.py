"""Causes that show when a program is imported at Python's prompt."""

import re

from grader.judge.diagnosis import Cause, Diagnosis
from grader.judge.evidence import Evidence
from grader.judge.quote import quote
from grader.run.outcome import Typed
from grader.spec.assignment import Start

PROMPT = ">>> "
ADVICE = "put the code that runs the program under `if __name__ == '__main__':`"


def asks_for_input(evidence: Evidence) -> Diagnosis | None:
    """The import asked for input instead of giving Python's prompt back."""
    typed = evidence.outcome.typed
    if not _imports(evidence) or len(typed) < 2 or PROMPT in evidence.actual[typed[0].offset : typed[1].offset]:
        return None
    return Diagnosis(
        Cause.IMPORT_ASKS_FOR_INPUT, f"Importing {evidence.test.program} already asks for input: {ADVICE}."
    )


def prints(evidence: Evidence) -> Diagnosis | None:
    """The import printed something before Python's prompt came back."""
    divergence, typed = evidence.divergence, evidence.outcome.typed
    if not _imports(evidence) or divergence is None or divergence.expected is None or not divergence.actual:
        return None
    ends = typed[1].offset if len(typed) > 1 else len(evidence.actual)
    is_import = typed[0].offset <= evidence.start <= ends and evidence.actual.count("\n", 0, evidence.start) == 1
    if not is_import or not divergence.expected.startswith(PROMPT) or divergence.actual.startswith(PROMPT):
        return None
    said = f"Importing {evidence.test.program} already prints {quote(divergence.actual)}"
    return Diagnosis(Cause.IMPORT_PRINTS, f"{said}: {ADVICE}.")


def _imports(evidence: Evidence) -> bool:
    """Whether the first line typed at Python's prompt imports the program."""
    typed: tuple[Typed, ...] = evidence.outcome.typed
    module = re.escape(evidence.test.program.removesuffix(".py"))
    return (
        evidence.test.start is Start.PROMPT
        and len(typed) > 0
        and re.match(rf"(from|import)\s+{module}\b", typed[0].text) is not None
    )
