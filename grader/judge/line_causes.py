"""Causes that show in the first line that differs."""

import re

from grader.judge.characters import harmless
from grader.judge.diagnosis import Diagnosis
from grader.judge.differences import kinds_between
from grader.judge.evidence import Evidence

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_CARD = re.compile("[\U0001f0a0-\U0001f0ff]")
_MOST_SHIFTED = 8
_LONGEST_QUOTE = 60


def asked_at_another_time(evidence: Evidence) -> Diagnosis | None:
    """The transcripts agree but for the place where a line was typed: the program asks too early or too late."""
    divergence = evidence.divergence
    if divergence is None or not evidence.test.echo:
        return None
    for typed in evidence.outcome.typed:
        line = evidence.actual.count("\n", 0, typed.offset) + 1
        if line != divergence.line or not typed.text:
            continue
        before = evidence.actual[evidence.actual.rfind("\n", 0, typed.offset) + 1 : typed.offset]
        if divergence.expected is not None and not divergence.expected.startswith(before + typed.text):
            return _asking(evidence, before, typed.text, divergence.expected)
    return None


def _asking(evidence: Evidence, before: str, typed: str, expected: str) -> Diagnosis | None:
    assert evidence.divergence is not None
    line = evidence.divergence.line
    if expected.endswith(typed):
        wanted = expected[: len(expected) - len(typed)]
        return Diagnosis(
            "prompt", f"In line {line} the program asks with {_quote(before)}; the expected prompt is {_quote(wanted)}."
        )
    return Diagnosis(
        "asks-at-another-time",
        f"In line {line} the program waits for input (`{typed}` was typed there); "
        f"at this place {_quote(expected)} is expected.",
    )


def missing_lines(evidence: Evidence) -> Diagnosis | None:
    """Some expected lines were left out; after them the output goes on as expected."""
    shift = _shift(evidence.expected_lines, evidence.actual_lines, evidence)
    if shift is None or evidence.divergence is None:
        return None
    line = evidence.divergence.line
    left_out = evidence.expected_lines[line - 1 : line - 1 + shift]
    if not any(left_out):
        number = "An empty line is" if shift == 1 else f"{shift} empty lines are"
        return Diagnosis("empty-line", f"{number} missing before line {line}.")
    what = f"The line {_quote(left_out[0])} is" if shift == 1 else f"{shift} lines from {_quote(left_out[0])} on are"
    return Diagnosis("missing-line", f"{what} missing at line {line}.")


def extra_lines(evidence: Evidence) -> Diagnosis | None:
    """Some lines are too much; after them the output goes on as expected."""
    shift = _shift(evidence.actual_lines, evidence.expected_lines, evidence)
    if shift is None or evidence.divergence is None:
        return None
    line = evidence.divergence.line
    extra = evidence.actual_lines[line - 1 : line - 1 + shift]
    if not any(extra):
        number = f"The empty line {line} is" if shift == 1 else f"{shift} empty lines from line {line} on are"
        return Diagnosis("empty-line", f"{number} too much.")
    what = f"The line {_quote(extra[0])} is" if shift == 1 else f"{shift} lines from {_quote(extra[0])} on are"
    return Diagnosis("extra-line", f"{what} too much at line {line}.")


def _shift(longer: list[str], shorter: list[str], evidence: Evidence) -> int | None:
    """How many lines of `longer` must be skipped at the divergence for both to go on alike."""
    if evidence.divergence is None:
        return None
    at = evidence.divergence.line - 1
    rest = shorter[at : at + 3]
    if not any(rest):
        return None
    for shift in range(1, _MOST_SHIFTED + 1):
        if longer[at + shift : at + shift + len(rest)] == rest:
            return shift
    return None


def only_one_kind_of_difference(evidence: Evidence) -> Diagnosis | None:
    """The first differing line is right but for one kind of difference; later lines may have others."""
    divergence = evidence.divergence
    if divergence is None or divergence.expected is None or divergence.actual is None:
        return None
    for kind in kinds_between(divergence.expected, divergence.actual):
        if divergence.expected != divergence.actual:
            return Diagnosis(
                kind.cause, f"In line {divergence.line} {kind.say(divergence.expected, divergence.actual)}."
            )
    return None


def wrong_deal(evidence: Evidence) -> Diagnosis | None:
    """The very first cards differ."""
    divergence = evidence.divergence
    if divergence is None or not divergence.expected or not divergence.actual:
        return None
    expected, actual = _CARD.findall(divergence.expected), _CARD.findall(divergence.actual)
    earlier = evidence.expected_lines[: divergence.line - 1]
    if not expected or not actual or expected[0] == actual[0] or any(map(_CARD.search, earlier)):
        return None
    return Diagnosis(
        "wrong-deal",
        f"The first card in line {divergence.line} is already another one: is the deck in order before shuffle(), "
        "is seed() called just before it, and are cards taken from the right end?",
    )


def number(evidence: Evidence) -> Diagnosis | None:
    """The lines are alike but for a number."""
    divergence = evidence.divergence
    if divergence is None or divergence.expected is None or divergence.actual is None:
        return None
    if _squeezed(divergence.expected) != _squeezed(divergence.actual):
        return None
    pairs = zip(_NUMBER.findall(divergence.expected), _NUMBER.findall(divergence.actual), strict=True)
    wanted, found = next((wanted, found) for wanted, found in pairs if wanted != found)
    return Diagnosis("number", f"In line {divergence.line} the number is {found}; expected {wanted}.")


def _squeezed(line: str) -> str:
    return re.sub(" +", " ", _NUMBER.sub("0", line))


def prefix(evidence: Evidence) -> Diagnosis | None:
    """A line is right but cut short, or right with more behind it."""
    divergence = evidence.divergence
    if divergence is None or not divergence.expected or not divergence.actual:
        return None
    if divergence.expected.startswith(divergence.actual):
        missing = divergence.expected[len(divergence.actual) :]
        return Diagnosis(
            "line-cut-short", f"Line {divergence.line} is cut short: {_quote(missing)} is missing at its end."
        )
    if divergence.actual.startswith(divergence.expected):
        extra = divergence.actual[len(divergence.expected) :]
        return Diagnosis(
            "line-too-long", f"Line {divergence.line} is right, but {_quote(extra)} is too much at its end."
        )
    return None


def text(evidence: Evidence) -> Diagnosis | None:
    """Nothing more telling than what stands there."""
    divergence = evidence.divergence
    if divergence is None:
        return None
    if divergence.expected is None:
        return Diagnosis(
            "text", f"Line {divergence.line} is {_quote(divergence.actual or '')}; no more output is expected."
        )
    if divergence.actual is None:
        return Diagnosis("text", f"The output ends before line {divergence.line}, {_quote(divergence.expected)}.")
    return Diagnosis(
        "text",
        f"Line {divergence.line} is {_quote(divergence.actual)}; expected {_quote(divergence.expected)}.",
    )


def _quote(text: str) -> str:
    if not text:
        return "an empty line"
    shown = harmless(text)
    return f"`{shown[:_LONGEST_QUOTE]}…`" if len(shown) > _LONGEST_QUOTE else f"`{shown}`"
