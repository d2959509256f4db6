"""Causes visible in the program's prompts and the places where it asks for input."""

from grader.judge.causes.reading import asked_in
from grader.judge.evidence import FailureEvidence, LinePair, finds, finds_in_line
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import shows_typing
from grader.model.judgement import Diagnosis
from grader.model.outcome import TypedLine
from grader.plugins.content_causes.characters import (
    SPACING,
    SUBTLE_DIFFERENCES,
    TRAILING_WHITESPACE,
    all_else_is_right,
    differences_between,
)
from grader.text.escape import quote, quote_both
from grader.text.sentence import Sentence, say

WRONG_PROMPT = Cause("wrong-prompt", CauseSubject.INPUT)
"""The program asks for input in the right place, but with the wrong prompt.

> In the prompt in line 1 one space is missing at the end; all else is right.

Copy the prompt from the handout, including the space at the end.
"""
HIDDEN_INPUT = Cause("hidden-input", CauseSubject.INPUT)
"""The terminal does not show the typed text.

> In line 1 the input `0` does not show as it is typed: is it read with getpass in place of input()?

Read the input with `input`.
"""
SHOWN_INPUT = Cause("shown-input", CauseSubject.INPUT)
"""The terminal shows typed text that should be hidden, such as a password.

> In line 2 the input `xy` shows as it is typed; expected hidden input: is it read with input() in place of getpass?

Read the input with `getpass.getpass`.
"""
ECHOED_INPUT = Cause("echoed-input", CauseSubject.INPUT)
"""The program prints a typed line again. If your course ignores this, a program that repeats every line loses no marks
(see below).

> Line 10 repeats what was typed, `Q`: the terminal shows it already.

Do not `print` the return value of `input`. If the line is meant to be a result, the result is wrong: the output
that follows the input should appear here.
"""
ASKS_AT_ANOTHER_TIME = Cause("asks-at-another-time", CauseSubject.CONTENT)
"""The program waits for input where it should print something.

> In line 4 the program asks `What now? ` (`Q` was typed there); expected at this place: a blank line.

Compare the order of your `input` and `print` calls with the handout.
"""


@finds_in_line(HIDDEN_INPUT)
def hidden_input(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose input that is not echoed, because the program reads it as a password."""
    asked = asked_in(evidence)
    if asked is None or not asked.text or evidence.actual.startswith(asked.text, asked.offset):
        return None
    if pair.expected != evidence.actual[evidence.start : asked.offset] + asked.text:
        return None
    sentence = say(
        "In line {line} the input {text} does not show as it is typed: is it read with getpass in place of input()?",
        line=pair.number,
        text=quote(asked.text),
    )
    return Diagnosis(HIDDEN_INPUT, sentence)


@finds_in_line(SHOWN_INPUT)
def shown_input(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose input that is echoed although it should be hidden."""
    asked = asked_in(evidence)
    if asked is None or not asked.text or not evidence.actual.startswith(asked.text, asked.offset):
        return None
    if not pair.expected or pair.expected != evidence.actual[evidence.start : asked.offset]:
        return None
    sentence = say(
        "In line {line} the input {text} shows as it is typed; expected hidden input: "
        "is it read with input() in place of getpass?",
        line=pair.number,
        text=quote(asked.text),
    )
    return Diagnosis(SHOWN_INPUT, sentence)


@finds_in_line(WRONG_PROMPT, *SUBTLE_DIFFERENCES)
def wrong_prompt(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a program that asks in the right place with a different prompt."""
    asked = asked_in(evidence)
    if asked is None or not pair.expected.endswith(asked.text):
        return None
    expected = pair.expected[: len(pair.expected) - len(asked.text)]
    actual = evidence.actual[evidence.start : asked.offset]
    is_late = not actual and bool(expected.strip()) and _is_printed_later(evidence, expected, asked)
    if expected == actual or not (asked.text or is_late or _is_next_line_right(evidence, pair.number)):
        return None
    is_all = evidence.expected[evidence.start + len(expected) :] == evidence.actual[asked.offset :]
    rest = all_else_is_right(evidence) if is_all else ""
    for kind in differences_between(expected, actual):
        cause = WRONG_PROMPT if kind.cause in (TRAILING_WHITESPACE, SPACING) else kind.cause
        values = {"line": pair.number, "said": kind.say(expected, actual), "rest": rest}
        return Diagnosis(cause, say("In the prompt in line {line} {said}{rest}.", **values))
    return Diagnosis(WRONG_PROMPT, _other_prompt(evidence, asked, pair.number, expected, rest, is_late=is_late))


def _other_prompt(
    evidence: FailureEvidence, asked: TypedLine, line: int, expected: str, rest: str, *, is_late: bool
) -> Sentence:
    """Describe a prompt with more than one kind of difference."""
    actual, prompt = evidence.actual[evidence.start : asked.offset], expected.strip()
    values = {"line": line, "prompt": quote(expected), "rest": rest}
    if prompt and actual.count(prompt) == 2 and not actual.replace(prompt, "").strip():
        return say("The prompt in line {line}, {prompt}, is printed twice{rest}.", **values)
    if is_late:
        if not evidence.test.program.endswith(".py"):
            return say(
                "The prompt {prompt} of line {line} is printed only after the input was read: flush the output first.",
                **values,
            )
        return say(
            "The prompt {prompt} of line {line} is printed only after the input was read: "
            "give it to input(), or flush the output first.",
            **values,
        )
    if not actual:
        return say("In line {line} the program asks for input without the prompt {prompt}{rest}.", **values)
    should, is_now = quote_both(expected, actual)
    return say("The prompt in line {line} is {found}; expected {wanted}{rest}.", found=is_now, wanted=should, **values)


def _is_printed_later(evidence: FailureEvidence, prompt: str, asked: TypedLine) -> bool:
    """Return whether the prompt appears later, where no input is read, because it was buffered."""
    asks = {typed.offset for typed in evidence.outcome.typed}
    place = evidence.actual.find(f"\n{prompt}", asked.offset)
    return place >= 0 and place + 1 + len(prompt) not in asks


def _is_next_line_right(evidence: FailureEvidence, number: int) -> bool:
    """Return whether the line after line `number` is right."""
    return evidence.expected_lines[number : number + 1] == evidence.actual_lines[number : number + 1]


@finds(ECHOED_INPUT)
def echoed_input(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a typed line that the program prints again. If it prints all of them again, the copies are ignored."""
    divergence = evidence.divergence
    if divergence is None or not divergence.actual or not shows_typing(evidence.test.interaction):
        return None
    before = next((typed for typed in reversed(evidence.outcome.typed) if typed.offset < evidence.start), None)
    if before is None or before.offset + len(before.text) + 1 != evidence.start or before.text != divergence.actual:
        return None
    following = evidence.actual[evidence.start + len(divergence.actual) + 1 :].split("\n", 1)[0]
    if following != (divergence.expected or ""):
        return None
    return Diagnosis(
        ECHOED_INPUT,
        say(
            "Line {line} repeats what was typed, {text}: the terminal shows it already.",
            line=divergence.line,
            text=quote(before.text),
        ),
    )


@finds_in_line(ASKS_AT_ANOTHER_TIME)
def asks_at_another_time(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a program that asks for input where other output is expected."""
    asked = asked_in(evidence)
    if asked is None:
        return None
    before = evidence.actual[evidence.start : asked.offset]
    if pair.expected.startswith(before + asked.text):
        return None
    return Diagnosis(
        ASKS_AT_ANOTHER_TIME,
        say(
            "In line {line} the program {asks} ({text} was typed there); expected at this place: {wanted}.",
            line=pair.number,
            asks=_asks(before),
            text=quote(asked.text),
            wanted=quote(pair.expected),
        ),
    )


def _asks(prompt: str) -> Sentence:
    return say("asks {prompt}", prompt=quote(prompt)) if prompt.strip() else say("waits for input")
