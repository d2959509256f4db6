"""Causes that show in how the program ended."""

import signal as signals

from grader.judge.diagnosis import Diagnosis
from grader.judge.evidence import Evidence
from grader.run.outcome import Ending
from grader.spec.assignment import Start

_PROMPT = ">>> "


def import_asks_for_input(evidence: Evidence) -> Diagnosis | None:
    """At Python's prompt the import itself printed or asked something, instead of giving the prompt back."""
    typed = evidence.outcome.typed
    if evidence.test.start is not Start.PROMPT or len(typed) < 2 or not typed[0].text.startswith(("from", "import")):
        return None
    between = evidence.actual[typed[0].offset : typed[1].offset]
    if _PROMPT in between or "Traceback" in between:
        return None
    return Diagnosis(
        "import-asks-for-input",
        f"Importing {evidence.test.program} runs the game and asks for input: put that code under "
        "`if __name__ == '__main__':`.",
    )


def traceback(evidence: Evidence) -> Diagnosis | None:
    """The program ended with an uncaught exception."""
    found = evidence.traceback
    return Diagnosis("crash", f"The program stops with {found}") if found else None


def limits(evidence: Evidence) -> Diagnosis | None:
    """A limit was reached, or grading was cancelled."""
    match evidence.outcome.ending:
        case Ending.TIMED_OUT:
            waited = f"The program was still running after {evidence.outcome.wall_seconds:.0f} seconds"
            return Diagnosis("timeout", f"{waited}: look for a loop that never ends{_after_line(evidence)}.")
        case Ending.OUTPUT_LIMIT:
            size = f"{len(evidence.actual):,} characters"
            return Diagnosis("output-limit", f"The program was stopped after printing {size}: a loop prints for ever.")
        case Ending.CANCELLED:
            return Diagnosis("cancelled", "Grading was interrupted before this test ended; run it again.")
    return None


def _after_line(evidence: Evidence) -> str:
    return f" after line {len(evidence.actual_lines)} of the output" if evidence.actual_lines else ""


def signal(evidence: Evidence) -> Diagnosis | None:
    """The program was killed by a signal."""
    number = evidence.outcome.signal
    if number is None:
        return None
    try:
        name = signals.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return Diagnosis("signal", f"The program was ended by {name}.")


def no_output(evidence: Evidence) -> Diagnosis | None:
    """Nothing was printed at all."""
    if evidence.expected and not evidence.actual:
        return Diagnosis("no-output", "The program prints nothing: is the game called at the end of the file?")
    return None


def keeps_reading(evidence: Evidence) -> Diagnosis | None:
    """The program asks on after the last input."""
    if evidence.outcome.ending is not Ending.KEEPS_READING:
        return None
    return Diagnosis("keeps-reading", "The program keeps asking for input after the test's last line was typed.")


def stops_early(evidence: Evidence) -> Diagnosis | None:
    """The output is right as far as it goes."""
    if not evidence.expected.startswith(evidence.actual) or evidence.expected == evidence.actual:
        return None
    missing = len(evidence.expected_lines) - len(evidence.actual_lines)
    if missing <= 0:
        return Diagnosis("stops-early", "The output is right but its last line is cut short.")
    return Diagnosis(
        "stops-early",
        f"The output is right up to line {len(evidence.actual_lines)} and stops there; {_lines(missing)} missing.",
    )


def goes_on(evidence: Evidence) -> Diagnosis | None:
    """The output is right and then more follows."""
    if not evidence.actual.startswith(evidence.expected) or evidence.expected == evidence.actual:
        return None
    return Diagnosis(
        "goes-on", f"All {len(evidence.expected_lines)} expected lines are right, but more output follows them."
    )


def input_left(evidence: Evidence) -> Diagnosis | None:
    """The program ended without reading all input."""
    outcome = evidence.outcome
    if not outcome.unsent or evidence.divergence is None:
        return None
    next_line = evidence.test.lines[len(outcome.typed)]
    return Diagnosis("input-left", f"The program ended before it asked for the input `{next_line}`.")


def exit_status(evidence: Evidence) -> Diagnosis | None:
    """The output is right, the exit status is not."""
    if evidence.divergence is not None:
        return None
    found, wanted = evidence.outcome.exit_code, evidence.test.exit_status
    return Diagnosis("exit-status", f"The output is right, but the exit status is {found}; expected {wanted}.")


def _lines(count: int) -> str:
    return "one line is" if count == 1 else f"{count} lines are"
