"""Programs that a lexer would read for long are split, and nothing of them is lost."""

import pytest
from pygments.token import Keyword, Name

from grader.text.code_tokens import is_kind, lexed_pieces, lexer_for

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
    assert max(len(piece) for piece in pieces if not piece.startswith("/*")) <= MOST


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("game.py", f"# {'x' * 2100}\n" + "word = 1  # " + "and (so on), " * 30 + "\n'# no'\n" * 400),
        ("game.py", '"""' + "a # b\n" * 200 + '"""\n' + f"y = 2 # {'while for ' * 300}\n"),
        ("Game.java", f"/* {'words and words ' * 200} */ class Game {{}} // {'while (for) ' * 30}\n"),
    ],
)
def test_no_part_of_a_comment_is_read_as_code(file: str, text: str) -> None:
    pieces = lexed_pieces(file, text)
    assert "".join(pieces) == text
    lexer = lexer_for(file)
    whole = [word for kind, word in lexer.get_tokens(text) if is_kind(kind, Name, Keyword)]
    split = [word for piece in pieces for kind, word in lexer.get_tokens(piece) if is_kind(kind, Name, Keyword)]
    assert split == whole


@pytest.mark.parametrize(
    ("file", "text"), [("game.py", "print(1)\n" * 5000), ("game.c", "f();\n" * 5000), ("a.txt", "")]
)
def test_an_ordinary_program_is_one_piece(file: str, text: str) -> None:
    assert lexed_pieces(file, text) == [text]
