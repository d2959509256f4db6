"""Recognizes programs that print each line they read once more, and takes the copies out of the transcript.

Some courses ask students to write an `input` that does so, for transcripts without a terminal. In a terminal, which
echoes what is typed, every line then appears twice.
"""

from dataclasses import replace

from grader.model.interaction import is_repl, shows_typing
from grader.model.judgement import Note, NoteKind
from grader.model.outcome import Outcome, TypedLine
from grader.model.test import Test

ECHO_NOTE = Note(
    NoteKind.ECHOED_INPUT,
    "Your program prints each line once more after reading it; the output is judged without these copies.",
)


def without_echoed_input(test: Test, expected: str, outcome: Outcome) -> Outcome | None:
    """`outcome` without the copies, if every line that was typed is followed by one that should not be there.

    None if it is not so.
    """
    said = [typed.text for typed in outcome.typed if typed.text]
    if is_repl(test.interaction) or not said or _is_echo_expected(test, expected, said[0]):
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


def _is_echo_expected(test: Test, expected: str, text: str) -> bool:
    """Whether the program is expected to print what it reads."""
    return f"{text}\n{text}\n" in expected if shows_typing(test.interaction) else f"{text}\n" in expected
