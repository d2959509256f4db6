"""Causes that show in where the program asks for input.

Causes that show when a program is imported at Python's prompt.
"""

import re

from grader.judge.causes import line
from grader.judge.causes.cause import Cause
from grader.judge.causes.characters import differences_between
from grader.judge.evidence import FailureEvidence
from grader.model.interaction import is_repl, shows_typing, typed_lines
from grader.model.judgement import Diagnosis
from grader.model.outcome import Termination, TypedLine
from grader.text.quote import quote, quote_both

_BLANKS = (Cause.TRAILING_BLANKS, Cause.BLANKS)


def reads_past_the_end(evidence: FailureEvidence) -> Diagnosis | None:
    """The program asked for more than was typed, got the end of input instead, and stopped with an EOFError."""
    found = evidence.uncaught
    if found is None or not is_out_of_input(evidence):
        return None
    where = f" (line {found.line}: {quote(found.code)})" if found.line and found.code else ""
    return Diagnosis(
        Cause.KEEPS_READING, f"The program asks for input again after the test's last line was typed{where}."
    )


def is_out_of_input(evidence: FailureEvidence) -> bool:
    """Whether the program stopped with an EOFError after all that the test types."""
    return evidence.uncaught is not None and evidence.uncaught.error == "EOFError" and not evidence.outcome.unsent


def keeps_reading(evidence: FailureEvidence) -> Diagnosis | None:
    """The program asks on after the last input."""
    if evidence.outcome.ending is not Termination.KEEPS_READING:
        return None
    return Diagnosis(Cause.KEEPS_READING, "The program keeps asking for input after the test's last line was typed.")


def prompt(evidence: FailureEvidence) -> Diagnosis | None:
    """The program asks at the right place, but with another prompt."""
    asked, pair = asked_in(evidence), evidence.pair
    if asked is None or pair is None or not pair.expected.endswith(asked.text):
        return None
    wanted = pair.expected[: len(pair.expected) - len(asked.text)]
    found = evidence.actual[evidence.start : asked.offset]
    if wanted == found or not (asked.text or _goes_on_alike(evidence)):
        return None
    is_all = evidence.expected[evidence.start + len(wanted) :] == evidence.actual[asked.offset :]
    rest = "; all else is right" if is_all else ""
    for kind in differences_between(wanted, found):
        cause = Cause.PROMPT if kind.cause in _BLANKS else kind.cause
        return Diagnosis(cause, f"In the prompt in line {pair.number} {kind.say(wanted, found)}{rest}.")
    if not found:
        said = f"In line {pair.number} the program asks for input without the prompt {quote(wanted)}{rest}."
        return Diagnosis(Cause.PROMPT, said)
    should, is_now = quote_both(wanted, found)
    return Diagnosis(Cause.PROMPT, f"The prompt in line {pair.number} is {is_now}; expected {should}{rest}.")


def doubled_echo(evidence: FailureEvidence) -> Diagnosis | None:
    """A line that was typed is printed once more. Where that is done with all of them, it is let pass."""
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
        Cause.DOUBLED_ECHO,
        f"Line {divergence.line} repeats what was typed, {quote(before.text)}: the terminal shows it already.",
    )


def asks_at_another_time(evidence: FailureEvidence) -> Diagnosis | None:
    """The program asks for input where something else is expected."""
    asked, pair = asked_in(evidence), evidence.pair
    if asked is None or pair is None:
        return None
    before = evidence.actual[evidence.start : asked.offset]
    if pair.expected.startswith(before + asked.text):
        return None
    return Diagnosis(
        Cause.ASKS_AT_ANOTHER_TIME,
        f"In line {pair.number} the program waits for input ({quote(asked.text)} was typed there); "
        f"expected at this place: {quote(pair.expected)}.",
    )


def ends_before_asking(evidence: FailureEvidence) -> Diagnosis | None:
    """All is right until the program ends without asking for input."""
    return input_left(evidence) if evidence.expected.startswith(evidence.actual) else None


def input_left(evidence: FailureEvidence) -> Diagnosis | None:
    """The program ended without reading all input; a line that went wrong before is told first."""
    unsent, lines = evidence.outcome.unsent, typed_lines(evidence.test.interaction)
    if evidence.divergence is None or not 0 < unsent <= len(lines):
        return None
    following = quote(lines[-unsent])
    if is_repl(evidence.test.interaction):
        said = f"Python's prompt is closed before {following} can be typed: does the program call exit() or quit()?"
        return Diagnosis(Cause.INPUT_LEFT, said)
    ends = f"program ends before it asks for the input{'' if lines[-unsent] else ','} {following}"
    before = line.text(evidence) if evidence.went_on_with_input else None
    return before.followed_by(f"the {ends}") if before else Diagnosis(Cause.INPUT_LEFT, f"The {ends}.")


def _goes_on_alike(evidence: FailureEvidence) -> bool:
    """Whether the line after the first differing one is right."""
    assert evidence.divergence is not None
    number = evidence.divergence.line
    return evidence.expected_lines[number : number + 1] == evidence.actual_lines[number : number + 1]


def asked_in(evidence: FailureEvidence) -> TypedLine | None:
    """What was typed in the first differing line."""
    if evidence.divergence is None or not shows_typing(evidence.test.interaction):
        return None
    end = evidence.actual.find("\n", evidence.start)
    end = len(evidence.actual) if end < 0 else end
    for typed in evidence.outcome.typed:
        if evidence.start <= typed.offset <= end:
            return typed
    return None


PROMPT = ">>> "


ADVICE = "put the code that runs the program under `if __name__ == '__main__':`"


def asks_for_input(evidence: FailureEvidence) -> Diagnosis | None:
    """The import asked for input instead of giving Python's prompt back."""
    typed = evidence.outcome.typed
    if not _imports(evidence) or len(typed) < 2 or PROMPT in evidence.actual[typed[0].offset : typed[1].offset]:
        return None
    return Diagnosis(
        Cause.IMPORT_ASKS_FOR_INPUT, f"Importing {evidence.test.program} already asks for input: {ADVICE}."
    )


def prints(evidence: FailureEvidence) -> Diagnosis | None:
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


def _imports(evidence: FailureEvidence) -> bool:
    """Whether the first line typed at Python's prompt imports the program."""
    typed: tuple[TypedLine, ...] = evidence.outcome.typed
    module = re.escape(evidence.test.program.removesuffix(".py"))
    return (
        is_repl(evidence.test.interaction)
        and len(typed) > 0
        and re.match(rf"(from|import)\s+{module}\b", typed[0].text) is not None
    )
