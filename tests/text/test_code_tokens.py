"""Programs that a lexer would read for long are split, and nothing of them is lost."""

import pytest

from grader.text.code_tokens import lexed_pieces

MOST = 2_000


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("game.py", "x = '" + "long" * 2500 + "'\nprint(x)\n"),
        ("game.py", "a" * (2 * MOST)),
        ("game.c", "\n" * 5000 + "int main() {}\n"),
        ("Game.java", "word " * 3000),
        ("Game.java", "/* " + "line\r\n" * 900 + " */ class Game {}"),
    ],
)
def test_long_lines_and_heads_are_read_in_pieces(file: str, text: str) -> None:
    pieces = lexed_pieces(file, text)
    assert "".join(pieces) == text
    assert len(pieces) > 1
    assert max(map(len, pieces)) <= MOST


@pytest.mark.parametrize(
    ("file", "text"), [("game.py", "print(1)\n" * 5000), ("game.c", "f();\n" * 5000), ("a.txt", "")]
)
def test_an_ordinary_program_is_one_piece(file: str, text: str) -> None:
    assert lexed_pieces(file, text) == [text]
