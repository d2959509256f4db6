"""Input that is never asked for, and the input before the first difference."""

from dataclasses import replace

from grader.judge.causes.reading import UNREAD_INPUT, asked_in, next_line
from grader.judge.causes.text import TEXT
from grader.judge.evidence import FailureEvidence, finds
from grader.model.interaction import is_repl, shows_typing, typed_lines
from grader.model.judgement import Diagnosis
from grader.plugins.content_causes import line
from grader.text.escape import quote
from grader.text.sentence import say, say_plural


def typed_before(evidence: FailureEvidence, place: int) -> str | None:
    """Describe the last input before a place in the transcript."""
    if is_repl(evidence.test.interaction) or not shows_typing(evidence.test.interaction):
        return None
    last = next((typed for typed in reversed(evidence.outcome.typed) if typed.offset < place), None)
    if last is None:
        return None
    return quote(last.text) if last.text.strip() else say("of a blank line")


def with_input_before(diagnosis: Diagnosis, evidence: FailureEvidence) -> Diagnosis:
    """Return the diagnosis with the last input before the first differing line, if the test types several."""
    typed = typed_before(evidence, evidence.start) if len(evidence.outcome.typed) > 1 else None
    if typed is None:
        return diagnosis
    sentence = say("After the input {text}: {said:lower clause}.", text=typed, said=diagnosis.sentence)
    return replace(diagnosis, sentence=sentence)


@finds(UNREAD_INPUT, TEXT)
def ends_before_asking(evidence: FailureEvidence) -> Diagnosis | None:
    """Diagnose output that is right until the program ends without asking for input."""
    return unread_input(evidence) if evidence.expected.startswith(evidence.actual) else None


@finds(UNREAD_INPUT, TEXT)
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
    """Diagnose a program that ends properly, but some inputs too early."""
    pair, rest = evidence.pair, evidence.actual[evidence.start :]
    asked_later = _asked_from(evidence, len(rest)) if evidence.test.may_leave_input else evidence.outcome.unsent
    unsent = min(asked_later, evidence.outcome.unsent)
    if pair is None or not unsent or not rest.strip() or not evidence.expected.endswith(f"\n{rest}"):
        return None
    if not shows_typing(evidence.test.interaction) or asked_in(evidence) is not None or evidence.went_on_with_input:
        return None
    skipped, line_text = next((number, text) for number, text in enumerate(rest.split("\n")) if text.strip())
    values = {"line": pair.number + skipped, "text": quote(line_text), "wanted": quote(next_line(evidence))}
    sentence = say_plural(
        unsent,
        "Line {line}, {text}, comes one input too early; expected {wanted}.",
        "Line {line}, {text}, comes {count} inputs too early; expected {wanted}.",
        **values,
    )
    return with_input_before(Diagnosis(UNREAD_INPUT, sentence), evidence)


def _asked_from(evidence: FailureEvidence, rest: int) -> int:
    """Count how often the last prompt recurs in the expected text after it, except in the last `rest` characters."""
    prompts = [evidence.actual[: typed.offset].rpartition("\n")[2] for typed in evidence.outcome.typed[-1:]]
    skipped = evidence.expected[evidence.start : len(evidence.expected) - rest].split("\n")
    return sum(1 for text in skipped for prompt in prompts if prompt and text.startswith(prompt))
