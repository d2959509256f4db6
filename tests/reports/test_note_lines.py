"""Notes that many tests share are said once."""

from dataclasses import replace

from grader.model.judgement import Note, NoteKind
from grader.reports.terminal.test_result import note_lines
from tests.reports.graded_example import CLASS

ECHO = Note(NoteKind.ECHOED_INPUT, "Each line is printed twice.")
BLANKS = Note(NoteKind.TRAILING_WHITESPACE, "Let pass: blanks \x1b (line 1).")


def test_a_shared_note_is_said_with_the_first_test() -> None:
    result = CLASS.rows[1].graded.results[0]
    first, second = (
        replace(result, test=replace(result.test, id=name), judgement=replace(result.judgement, notes=notes))
        for name, notes in (("first", (ECHO,)), ("second", (ECHO, BLANKS)))
    )
    results = (result, first, second)
    assert [[line.plain.strip() for line in note_lines(one, results)] for one in results] == [
        [],
        ["Each line is printed twice. (so in 2 tests)"],
        ["Let pass: blanks <U+001B> (line 1)."],
    ]
