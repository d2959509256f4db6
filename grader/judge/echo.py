"""Recognises programs that print each line they read once more.

Some courses ask for an `input` of one's own that does so, for transcripts without a terminal. In a terminal, which
echoes what is typed, every line then stands there twice.
"""

from dataclasses import replace

from grader.judge.note import Note, NoteKind
from grader.run.outcome import Outcome, Typed
from grader.spec.assignment import Start, Test

NOTE = Note(
    NoteKind.DOUBLED_ECHO,
    "Your program prints each line once more after reading it; the output is judged without these copies.",
)


def without_doubled_echo(test: Test, expected: str, outcome: Outcome) -> Outcome | None:
    """`outcome` without the copies, when every line that was typed is followed by one that should not be there.

    None when it is not so.
    """
    said = [typed.text for typed in outcome.typed if typed.text]
    if test.start is Start.PROMPT or not said or _is_doubled(test, expected, said[0]):
        return None
    pieces: list[str] = []
    moved: list[Typed] = []
    done = removed = 0
    for typed in outcome.typed:
        start = typed.offset + (len(typed.text) + 1 if test.echo else 0)
        copy = f"{typed.text}\n"
        if not outcome.transcript.startswith(copy, start):
            return None
        pieces.append(outcome.transcript[done:start])
        moved.append(Typed(typed.offset - removed, typed.text))
        done = start + len(copy)
        removed += len(copy)
    return replace(outcome, transcript="".join(pieces) + outcome.transcript[done:], typed=tuple(moved))


def _is_doubled(test: Test, expected: str, text: str) -> bool:
    """Whether the program is expected to print what it reads."""
    return f"{text}\n{text}\n" in expected if test.echo else f"{text}\n" in expected
