"""C programs are read as lines of tokens, and edited without changing anything else."""

import pytest

from grader.plugins.locating.repairing.c_lines import (
    c_lines,
    c_text,
    edited_c,
    flat_c_lines,
    has_balanced_brackets,
    named_c_program,
)
from grader.plugins.locating.repairing.edits import LineEdit, TokenEdit, edits_between
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.words import repair_changes

PROGRAM = """\
#include <stdio.h>
#define MOST 10 /* all */

int sum(int count, int values[]) {
    int i, total = 0; // so far
    for (i = 0; i <= count; i++) { total += values[i]; }
    return total;
}
"""


def test_a_line_is_a_statement_or_the_head_of_a_block() -> None:
    assert [(line.depth, c_text([line]).strip()) for line in c_lines(PROGRAM)] == [
        (0, "#include <stdio.h>"),
        (0, "#define MOST 10"),
        (0, "int sum(int count, int values[]) {"),
        (1, "int i, total = 0;"),
        (1, "for (i = 0; i <= count; i++) {"),
        (2, "total += values[i];"),
        (1, "}"),
        (1, "return total;"),
        (0, "}"),
    ]


def test_the_text_of_lines_has_the_same_lines() -> None:
    assert flat_c_lines(c_text(flat_c_lines(PROGRAM))) == flat_c_lines(PROGRAM)


def test_names_are_those_that_the_program_defines() -> None:
    program = named_c_program(PROGRAM + 'int main(void) { printf("%d", sum(1, 0)); }')
    assert program.names == {"MOST", "sum", "count", "values", "i", "total"}
    assert program.parameters == {"sum": ("count", "values"), "main": ()}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i <= count", "i < count"),
        ("    return total;\n", '    printf("done");\n    return total;\n'),
        ("total += values[i]", "total = total + values[i]"),
    ],
)
def test_an_edit_keeps_the_rest_of_the_text(old: str, new: str) -> None:
    changed = PROGRAM.replace(old, new)
    edits = edits_between(flat_c_lines(PROGRAM), flat_c_lines(changed))
    assert edited_c(PROGRAM, edits) == changed


def test_lines_are_removed_and_added() -> None:
    text = "int a;\nint b;\n"
    added = LineEdit(2, 2, (ProgramLine(0, ("int", "c", ";")),))
    assert edited_c(text, [LineEdit(0, 1, ()), added]) == "\nint b;\nint c;\n"
    assert edited_c(text, [TokenEdit(0, 2, 2, ("=", "1"))]) == "int a = 1;\nint b;\n"


def test_a_repair_is_described_by_its_place() -> None:
    changed = PROGRAM.replace("i <= count", "i < count")
    edits = edits_between(flat_c_lines(PROGRAM), flat_c_lines(changed))
    assert repair_changes(c_lines(PROGRAM), edits) == ("`<` for `<=` in the loop of sum",)


def test_a_bracket_that_is_not_closed_is_noticed() -> None:
    assert has_balanced_brackets(PROGRAM + 'char *text = "({[";')
    assert not has_balanced_brackets(PROGRAM + "}")
