"""Causes that are visible in the program's prompts and the places where it asks for input."""

from dataclasses import replace

from grader.judge.causes import line
from grader.judge.causes.characters import (
    ALL_ELSE_IS_RIGHT,
    SPACING,
    SUBTLE_DIFFERENCES,
    TRAILING_WHITESPACE,
    differences_between,
)
from grader.judge.evidence import FailureEvidence, LinePair, finds, finds_in_line
from grader.judge.traceback import Traceback
from grader.model.cause import Cause, CauseSubject
from grader.model.interaction import Dialogue, FunctionCall, Interaction, is_game, is_repl, shows_typing, typed_lines
from grader.model.judgement import Diagnosis
from grader.model.outcome import Outcome, Termination, TypedLine
from grader.text.escape import quote, quote_both
from grader.text.sentence import Sentence, say, say_plural

WRONG_PROMPT = Cause("wrong-prompt", CauseSubject.INPUT)
"""Input is asked for in the right place, but with another prompt.

> In the prompt in line 1 one space is missing at the end; all else is right.

Copy the prompt from the handout, including the space at its end.
"""
HIDDEN_INPUT = Cause("hidden-input", CauseSubject.INPUT)
"""What is typed does not show in the terminal.

> In line 1 the input `0` does not show as it is typed: is it read with getpass in place of input()?

Read it with `input`.
"""
ECHOED_INPUT = Cause("echoed-input", CauseSubject.INPUT)
"""A line that was typed is printed once more. Where the course ignores that, a program that does so with every
line is not marked down (see below).

> Line 10 repeats what was typed, `Q`: the terminal shows it already.

Remove the `print` of what `input` returns. If it is a result, it is the wrong one: what comes next should stand
there.
"""
ASKS_AT_ANOTHER_TIME = Cause("asks-at-another-time", CauseSubject.CONTENT)
"""The program waits for input where it should print something.

> In line 4 the program asks `What now? ` (`Q` was typed there); expected at this place: a blank line.

Compare the order of your `input` and `print` calls with the handout.
"""
READS_PAST_INPUT = Cause("reads-past-input", CauseSubject.CONTENT)
"""The program asks for more after the last line that the test types.

> The program asks for input again after the test's last line was typed (line 41: `again = input("Play again? ")`).

Check what should end the program, and whether an `input` is called once too often.
"""
UNREAD_INPUT = Cause("unread-input", CauseSubject.CONTENT)
"""The program ended before the test had typed all its lines.

> The program ends after the input `Q`, before it asks for the input `q`.

> After the input `b`: line 4, `You won!`, comes one input too early; expected `Two`.

> The transcript is right, but the program never asks for the input `q`: it prints it itself.

Check which input may end the program, and whether invalid input is asked for again.
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
    """Return whether a program under test gets no input at all, but perhaps arguments."""
    return isinstance(interaction, Dialogue) and interaction.stdin is None and not interaction.lines


def _expected_in_place(evidence: FailureEvidence, end: int) -> str:
    """Describe the output expected where the program asks for more input, if everything up to there is right."""
    if not shows_typing(evidence.test.interaction) or evidence.divergence is None:
        return ""
    if "\n" in evidence.actual[evidence.start : end].strip():
        return ""
    next_line = _next_line(evidence)
    return say("; expected in place of that: {wanted}", wanted=quote(next_line)) if next_line else ""


def typed_before(evidence: FailureEvidence, place: int) -> str | None:
    """Return, in words, the last input before a place in the transcript."""
    if is_repl(evidence.test.interaction) or not shows_typing(evidence.test.interaction):
        return None
    last = next((typed for typed in reversed(evidence.outcome.typed) if typed.offset < place), None)
    if last is None:
        return None
    return quote(last.text) if last.text.strip() else say("of a blank line")


def with_input_before(diagnosis: Diagnosis, evidence: FailureEvidence) -> Diagnosis:
    """Return the diagnosis with the last input before the first differing line, where the test types several."""
    typed = typed_before(evidence, evidence.start) if len(evidence.outcome.typed) > 1 else None
    if typed is None:
        return diagnosis
    sentence = say("After the input {text}: {said:lower clause}.", text=typed, said=diagnosis.sentence)
    return replace(diagnosis, sentence=sentence)


def went_astray_before(evidence: FailureEvidence) -> bool:
    """Return whether the program printed a complete wrong line, or took input, before it ran out of input."""
    traceback, end = evidence.uncaught, evidence.actual.find("\n", evidence.start)
    if evidence.went_on_with_input or asked_in(evidence) is not None:
        return True
    printed_a_line = traceback is not None and evidence.start < end < traceback.offset
    return evidence.pair is not None and printed_a_line and bool(evidence.pair.actual.strip())


def takes_input_of_another_prompt(evidence: FailureEvidence) -> bool:
    """Return whether the first differing line prints the prompt of another place, and takes its input."""
    asked, pair = asked_in(evidence), evidence.pair
    if asked is None or pair is None or evidence.uncaught is None:
        return False
    prompt = evidence.actual[evidence.start : asked.offset]
    return bool(prompt.strip()) and not pair.expected.startswith(prompt) and f"\n{prompt}" in f"\n{evidence.expected}"


def is_out_of_input(evidence: FailureEvidence) -> bool:
    """Return whether the program stopped at the end of input, after all input of the test."""
    return evidence.uncaught is not None and is_end_of_input(evidence.uncaught, evidence.outcome)


def is_end_of_input(traceback: Traceback, outcome: Outcome) -> bool:
    """Return whether a traceback reports the end of input, after all input of the test."""
    return traceback.error in _AT_END_OF_INPUT and not outcome.unsent


@finds(READS_PAST_INPUT)
def keeps_asking(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that keeps asking after the last input."""
    if evidence.outcome.ending is not Termination.KEEPS_READING:
        return None
    return Diagnosis(READS_PAST_INPUT, say("The program keeps asking for input {when}.", when=_when_over(evidence)))


def _when_over(evidence: FailureEvidence) -> Sentence:
    """Describe the moment when there is no more input."""
    if is_game(evidence.test.interaction):
        return say("when the interactor has nothing more to say")
    return say("after the test's last line was typed")


@finds_in_line(WRONG_PROMPT, *SUBTLE_DIFFERENCES)
def wrong_prompt(evidence: FailureEvidence, pair: LinePair) -> Diagnosis | None:
    """Diagnose a program that asks at the right place with another prompt."""
    asked = asked_in(evidence)
    if asked is None or not pair.expected.endswith(asked.text):
        return None
    expected = pair.expected[: len(pair.expected) - len(asked.text)]
    actual = evidence.actual[evidence.start : asked.offset]
    if expected == actual or not (asked.text or _is_next_line_right(evidence, pair.number)):
        return None
    is_all = evidence.expected[evidence.start + len(expected) :] == evidence.actual[asked.offset :]
    rest = ALL_ELSE_IS_RIGHT if is_all else ""
    for kind in differences_between(expected, actual):
        cause = WRONG_PROMPT if kind.cause in (TRAILING_WHITESPACE, SPACING) else kind.cause
        values = {"line": pair.number, "said": kind.say(expected, actual), "rest": rest}
        return Diagnosis(cause, say("In the prompt in line {line} {said}{rest}.", **values))
    return Diagnosis(WRONG_PROMPT, _other_prompt(evidence, asked, pair.number, expected, rest))


def _other_prompt(evidence: FailureEvidence, asked: TypedLine, line: int, expected: str, rest: str) -> Sentence:
    """Describe a prompt with more than one kind of difference."""
    actual, prompt = evidence.actual[evidence.start : asked.offset], expected.strip()
    values = {"line": line, "prompt": quote(expected), "rest": rest}
    if prompt and actual.count(prompt) == 2 and not actual.replace(prompt, "").strip():
        return say("The prompt in line {line}, {prompt}, is printed twice{rest}.", **values)
    if not actual and prompt and _is_printed_later(evidence, expected, asked):
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


@finds(ECHOED_INPUT)
def echoed_input(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a typed line that the program prints again; if it prints all again, they are ignored."""
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
    """Diagnose a program that asks for input where something else is expected."""
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


@finds(UNREAD_INPUT, line.TEXT)
def ends_before_asking(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose output that is right until the program ends without asking for input."""
    return unread_input(evidence) if evidence.expected.startswith(evidence.actual) else None


@finds(UNREAD_INPUT, line.TEXT)
def unread_input(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that left input unread; if a line before that is wrong, report the line first."""
    unsent, lines = evidence.outcome.unsent, typed_lines(evidence.test.interaction)
    if evidence.divergence is None or evidence.test.may_leave_input or not 0 < unsent <= len(lines):
        return None
    following = quote(lines[-unsent])
    if is_repl(evidence.test.interaction):
        sentence = say(
            "Python's prompt is closed before {text} can be typed: does the program call exit() or quit()?",
            text=following,
        )
        return Diagnosis(UNREAD_INPUT, sentence)
    before = line.text(evidence)
    last = typed_before(evidence, len(evidence.actual))
    after = say(" after the input {text},", text=last) if last else ""
    if lines[-unsent]:
        sentence = say("The program ends{after} before it asks for the input {text}.", after=after, text=following)
    else:
        sentence = say("The program ends{after} before it asks for the input, {text}.", after=after, text=following)
    return (
        before.followed_by(say("{said:lower clause}", said=sentence)) if before else Diagnosis(UNREAD_INPUT, sentence)
    )


@finds(UNREAD_INPUT)
def ends_too_early(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a program that ends as it should, but some inputs too early."""
    pair, rest = evidence.pair, evidence.actual[evidence.start :]
    asked_later = _asked_from(evidence, len(rest)) if evidence.test.may_leave_input else evidence.outcome.unsent
    unsent = min(asked_later, evidence.outcome.unsent)
    if pair is None or not unsent or not rest.strip() or not evidence.expected.endswith(f"\n{rest}"):
        return None
    if not shows_typing(evidence.test.interaction) or asked_in(evidence) is not None or evidence.went_on_with_input:
        return None
    skipped, line_text = next((number, text) for number, text in enumerate(rest.split("\n")) if text.strip())
    values = {"line": pair.number + skipped, "text": quote(line_text), "wanted": quote(_next_line(evidence))}
    sentence = say_plural(
        unsent,
        "Line {line}, {text}, comes one input too early; expected {wanted}.",
        "Line {line}, {text}, comes {count} inputs too early; expected {wanted}.",
        **values,
    )
    return with_input_before(Diagnosis(UNREAD_INPUT, sentence), evidence)


def _asked_from(evidence: FailureEvidence, rest: int) -> int:
    """Count how often the last prompt comes again in what is expected after it, but for the last `rest` characters."""
    prompts = [evidence.actual[: typed.offset].rpartition("\n")[2] for typed in evidence.outcome.typed[-1:]]
    skipped = evidence.expected[evidence.start : len(evidence.expected) - rest].split("\n")
    return sum(1 for text in skipped for prompt in prompts if prompt and text.startswith(prompt))


def _next_line(evidence: FailureEvidence) -> str:
    """Return the first expected line that is not blank, from the first differing one on."""
    return next(filter(str.strip, evidence.expected[evidence.start :].split("\n")), "")


@finds(UNREAD_INPUT)
def prints_input(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose a right transcript in which the program prints the input itself."""
    unsent, interaction = evidence.outcome.unsent, evidence.test.interaction
    if evidence.divergence is not None or not isinstance(interaction, Dialogue | FunctionCall) or not interaction.echo:
        return None
    if evidence.test.may_leave_input or not evidence.test.ending.fits(evidence.outcome):
        return None
    unread_line = next((line for line in interaction.lines[len(interaction.lines) - unsent :] if line), None)
    if unread_line is None:
        return None
    sentence = say(
        "The transcript is right, but the program never asks for the input {text}: it prints it itself.",
        text=quote(unread_line),
    )
    return Diagnosis(UNREAD_INPUT, sentence)


def _is_next_line_right(evidence: FailureEvidence, number: int) -> bool:
    """Return whether the line after line `number` is right."""
    return evidence.expected_lines[number : number + 1] == evidence.actual_lines[number : number + 1]


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
