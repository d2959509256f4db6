"""Causes visible in a program's prompts and in when it asks for input."""

from grader.judge.evidence import FailureEvidence, finds
from grader.judge.traceback import Traceback
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import Dialogue, FunctionCall, Interaction, is_game, shows_typing
from grader.model.judgement import Diagnosis
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.test import Test
from grader.text.escape import quote
from grader.text.sentence import Sentence, say

READS_PAST_INPUT = Cause("reads-past-input", CauseSubject.CONTENT)
"""The program asks for more input after the last line that the test types.

> The program asks for input again after the test's last line was typed (line 41: `again = input("Play again? ")`).

Check when the program should end, and whether it calls `input` once too often.
"""
UNREAD_INPUT = Cause("unread-input", CauseSubject.CONTENT)
"""The program ended before the test had typed all its lines.

> The program ends after the input `Q`, before it asks for the input `q`.

> After the input `b`: line 4, `You won!`, comes one input too early; expected `Two`.

> The transcript is right, but the program never asks for the input `q`: it prints it itself.

Check which input ends the program, and whether it asks again after invalid input.
"""
_END_FOR_SCANNER = "NoSuchElementException"
# The exceptions of Python's `input` and Java's `Scanner`.
_AT_END_OF_INPUT = ("EOFError", _END_FOR_SCANNER)


@finds(READS_PAST_INPUT)
def reads_past_the_end(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that asked for more input than the test types and stopped with an exception."""
    traceback = evidence.uncaught
    if traceback is None or not is_out_of_input(evidence):
        return None
    code = say(" (line {line}: {code})", line=traceback.line, code=quote(traceback.code))
    scanners = (
        say("; does it make several Scanners? The first one takes all input: make one for the whole program")
        if traceback.error == _END_FOR_SCANNER and not isinstance(evidence.test.interaction, Dialogue)
        else ""
    )
    values = {"when": _when_over(evidence), "where": code if traceback.line and traceback.code else ""}
    hint = scanners or _expected_in_place(evidence, traceback.offset)
    if _types_nothing(evidence.test.interaction):
        return Diagnosis(
            READS_PAST_INPUT, say("The program asks for input, but this test types nothing{where}.", **values)
        )
    return Diagnosis(
        READS_PAST_INPUT, say("The program asks for input again {when}{where}{hint}.", hint=hint, **values)
    )


def _types_nothing(interaction: Interaction) -> bool:
    """Return whether the test provides no input except perhaps arguments."""
    return isinstance(interaction, Dialogue) and interaction.stdin is None and not interaction.lines


def _expected_in_place(evidence: FailureEvidence, end: int) -> str:
    """Describe the output that is expected instead of the next input request, if all output so far is correct."""
    if not shows_typing(evidence.test.interaction) or evidence.divergence is None:
        return ""
    if "\n" in evidence.actual[evidence.start : end].strip():
        return ""
    wanted = next_line(evidence)
    return say("; expected in place of that: {wanted}", wanted=quote(wanted)) if wanted else ""


def went_astray_before(evidence: FailureEvidence) -> bool:
    """Return whether the program printed a complete wrong line, or read input, before it ran out of input."""
    traceback, end = evidence.uncaught, evidence.actual.find("\n", evidence.start)
    if evidence.went_on_with_input or asked_in(evidence) is not None:
        return True
    printed_a_line = traceback is not None and evidence.start < end < traceback.offset
    return evidence.pair is not None and printed_a_line and bool(evidence.pair.actual.strip())


def takes_input_of_another_prompt(evidence: FailureEvidence) -> bool:
    """Return whether the first differing line is a prompt from elsewhere that receives its own input."""
    asked, pair = asked_in(evidence), evidence.pair
    if asked is None or pair is None or evidence.uncaught is None:
        return False
    prompt = evidence.actual[evidence.start : asked.offset]
    return bool(prompt.strip()) and not pair.expected.startswith(prompt) and f"\n{prompt}" in f"\n{evidence.expected}"


def is_out_of_input(evidence: FailureEvidence) -> bool:
    """Return whether the program stopped at the end of input after reading all the input of the test."""
    return evidence.uncaught is not None and is_end_of_input(evidence.uncaught, evidence.outcome)


def is_end_of_input(traceback: Traceback, outcome: Outcome) -> bool:
    """Return whether a traceback reports the end of input after all the input of the test was read."""
    return traceback.error in _AT_END_OF_INPUT and not outcome.unsent


@finds(READS_PAST_INPUT)
def keeps_asking(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that keeps asking after the last input."""
    if evidence.outcome.ending is not Termination.KEEPS_READING:
        return None
    return Diagnosis(READS_PAST_INPUT, say("The program keeps asking for input {when}.", when=_when_over(evidence)))


def _when_over(evidence: FailureEvidence) -> Sentence:
    """Describe the point where the input ends."""
    if is_game(evidence.test.interaction):
        return say("when the interactor has nothing more to say")
    return say("after the test's last line was typed")


def next_line(evidence: FailureEvidence) -> str:
    """Return the first non-blank expected line from the first difference onwards."""
    return next(filter(str.strip, evidence.expected[evidence.start :].split("\n")), "")


@finds(UNREAD_INPUT)
def prints_input(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a transcript that is correct except that the program prints the input itself."""
    unread = unread_lines(evidence.test, evidence.outcome)
    if evidence.divergence is not None or not unread or not evidence.test.ending.fits(evidence.outcome):
        return None
    sentence = say(
        "The transcript is right, but the program never asks for the input {text}: it prints it itself.",
        text=quote(unread[0]),
    )
    return Diagnosis(UNREAD_INPUT, sentence)


def unread_lines(test: Test, outcome: Outcome) -> list[str]:
    """Return the lines that a program never read although it should have, if the transcript shows typed text."""
    interaction = test.interaction
    if test.may_leave_input or not isinstance(interaction, Dialogue | FunctionCall) or not interaction.echo:
        return []
    return list(filter(None, interaction.lines[len(interaction.lines) - outcome.unsent :]))


def asked_in(evidence: FailureEvidence) -> TypedLine | None:
    """Return the input typed in the first differing line."""
    if evidence.divergence is None or not shows_typing(evidence.test.interaction):
        return None
    end = evidence.actual.find("\n", evidence.start)
    end = len(evidence.actual) if end < 0 else end
    for typed in evidence.outcome.typed:
        if evidence.start <= typed.offset <= end:
            return typed
    return None
