"""Handles programs that print a copy of the input after reading it."""

from dataclasses import replace

from grader.model.interaction import is_repl, shows_typing
from grader.model.judgement import Note, NoteKind
from grader.model.outcome import Outcome, TypedLine
from grader.model.test import IgnoredDifference, Test
from grader.text.sentence import say

ECHO_NOTE = Note(
    NoteKind.ECHOED_INPUT,
    say("Your program prints each line once more after reading it; the output is judged without these copies."),
)


def without_echoed_input(test: Test, expected: str, outcome: Outcome) -> Outcome | None:
    """Return `outcome` without the copies of its input if every typed line is followed by an unexpected copy.

    Return None otherwise, or if the course does not ignore copies, because a copy may just as well be a wrong result.
    """
    if IgnoredDifference.ECHOED_INPUT not in test.comparison.ignore:
        return None
    first_typed = next((typed for typed in outcome.typed if typed.text), None)
    if (
        is_repl(test.interaction)
        or first_typed is None
        or _is_echo_expected(test, expected, outcome.transcript, first_typed)
    ):
        return None
    pieces: list[str] = []
    moved: list[TypedLine] = []
    done = removed = 0
    for typed in outcome.typed:
        start = typed.offset + (len(typed.text) + 1 if shows_typing(test.interaction) else 0)
        copy = f"{typed.text}\n"
        if not outcome.transcript.startswith(copy, start):
            return None
        pieces.append(outcome.transcript[done:start])
        moved.append(TypedLine(typed.offset - removed, typed.text))
        done = start + len(copy)
        removed += len(copy)
    return replace(outcome, transcript="".join(pieces) + outcome.transcript[done:], typed=tuple(moved))


def _is_echo_expected(test: Test, expected: str, actual: str, typed: TypedLine) -> bool:
    """Return whether the program is expected to print its input."""
    copy = f"{typed.text}\n" * (2 if shows_typing(test.interaction) else 1)
    is_right = expected.startswith(actual[: typed.offset])
    return expected.startswith(copy, typed.offset) if is_right else copy in expected
