"""Programs are read as logical lines of tokens, and written again."""

import ast

import pytest

from grader.plugins.locating.repairing.program_lines import ProgramLine, program_lines, program_text, read_source, size

TEXT = """\
def double(n):  # twice
    return (n *
            2)

print(f"{double(4)} {'a'}", 'b')
"""


def test_a_line_has_its_depth_and_tokens_without_comments() -> None:
    first, second, third = read_source(TEXT)
    assert first.line == ProgramLine(0, ("def", "double", "(", "n", ")", ":"))
    assert (second.line.depth, second.first, second.last) == (1, 2, 3)
    assert third.line.tokens == ("print", "(", "f\"{double(4)} {'a'}\"", ",", "'b'", ")")


def test_quotes_and_brackets_do_not_matter_in_formatted_lines() -> None:
    assert program_lines("x = ('a')") == program_lines('x = "a"')


@pytest.mark.parametrize("text", [TEXT, "if x:\n  y = 1\nelse:\n  y = 2\n", "for i in range(3):\n    pass\n"])
def test_a_written_program_means_the_same(text: str) -> None:
    lines = tuple(source.line for source in read_source(text))
    assert ast.dump(ast.parse(program_text(lines))) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (("else", ":"), "else:"),
        (("elif", "x", "==", "2", ":"), "elif x == 2:"),
        (("except", "ValueError", ":"), "except ValueError:"),
        (("case", "1", ":"), "case 1:"),
        (("@", "cache"), "@cache"),
        (("x", "=", "f", "(", "1", ",", "2", ")"), "x = f(1, 2)"),
        (("x", "="), "x ="),
    ],
)
def test_a_line_is_written_as_people_write_it(tokens: tuple[str, ...], text: str) -> None:
    assert ProgramLine(1, tokens).text() == f"    {text}"


def test_the_size_is_the_number_of_tokens() -> None:
    assert size(program_lines("x = 1\nprint(x)")) == 7


def test_a_text_that_is_no_program() -> None:
    with pytest.raises(SyntaxError):
        read_source("x = (")
