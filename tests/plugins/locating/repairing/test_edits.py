"""Edits turn one program into another, and each can be made without the others."""

from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.edits import (
    DepthEdit,
    Edit,
    LineEdit,
    TokenEdit,
    added,
    cost,
    edited,
    edits_between,
    removed,
)
from grader.plugins.locating.repairing.own_lines import own_lines
from grader.plugins.locating.repairing.program_lines import ProgramLine, program_lines

programs = st.lists(
    st.builds(ProgramLine, st.integers(0, 2), st.lists(st.sampled_from("abc="), min_size=1, max_size=4).map(tuple)),
    max_size=6,
)


@given(programs, programs)
def test_the_edits_between_two_programs_turn_one_into_the_other(
    program: list[ProgramLine], target: list[ProgramLine]
) -> None:
    assert edited(program, edits_between(program, target)) == tuple(target)


def test_a_changed_token_is_one_edit() -> None:
    program, target = program_lines("if n < 3:\n    print(n)"), program_lines("if n <= 3:\n    print(n)")
    [edit] = edits_between(program, target)
    assert edit == TokenEdit(line=0, start=2, end=3, new=("<=",))
    assert (removed(program, [edit]), added(program, [edit]), cost(program, [edit])) == (1, 0, 1)


def test_a_moved_line_is_another_depth() -> None:
    program = program_lines("for i in x:\n    y = 1\n    print(y)")
    target = program_lines("for i in x:\n    y = 1\nprint(y)")
    assert edits_between(program, target) == (DepthEdit(line=2, depth=0),)


def test_an_added_line_counts_as_added() -> None:
    program, target = program_lines("x = 1\nprint(x)"), program_lines("x = 1\nx += 2\nprint(x)")
    edits = edits_between(program, target)
    assert edits == (LineEdit(1, 1, (target[1],)),)
    assert (removed(program, edits), added(program, edits)) == (0, 3)


def test_the_source_keeps_comments_and_the_lines_without_edits() -> None:
    text = "# mine\nif (n < 3):   # small\n  print( n )\n\nprint('end')"
    edits: list[Edit] = [TokenEdit(1, 0, 1, ("show",)), LineEdit(3, 3, program_lines("show(2)"))]
    assert edited_source(text, edits) == "# mine\nif (n < 3):   # small\n  show(n)\n\nprint('end')\nshow(2)\n"


def test_lines_that_do_not_differ_keep_the_spelling_of_the_student() -> None:
    raw = [ProgramLine(0, ("x", "=", "(", "1", ")")), ProgramLine(0, ("print", "(", "x", ")"))]
    target = program_lines("x = 1\nprint(x + 1)")
    assert own_lines(raw, program_lines("x = 1\nprint(x)"), target) == [raw[0], target[1]]
    assert own_lines(raw[:1], program_lines("x = 1\nprint(x)"), target) == target
