"""Frames are written as text that can be read back."""

from grader.plugins.screens.frame import Frame, StyledSpan
from grader.plugins.screens.frame_text import text_of
from grader.plugins.screens.settings import ScreenPart, Span
from grader.plugins.screens.written_frames import WrittenFrame, frames_in
from tests.plugins.screens.conftest import screen_settings

BOARD = Frame(
    rows=("Title", "", "│ │", "│ │", "end"),
    styles=((StyledSpan(1, 5, "bold"),), (), (), (), (StyledSpan(2, 3, "red"),)),
    cursor=(3, 2),
)


def test_rows_have_numbers_and_equal_rows_are_folded() -> None:
    assert text_of(BOARD, screen_settings(rows=5)) == "    1|Title\n  3-4|│ │\n    5|end\n"


def test_colours_and_the_cursor_are_added() -> None:
    settings = screen_settings(ScreenPart.TEXT, ScreenPart.COLOURS, ScreenPart.CURSOR, rows=5)
    assert text_of(BOARD, settings) == (
        "    1|Title\n    1: 1-5 bold\n  3-4|│ │\n    5|end\n    5: 2-3 red\ncursor: row 3, column 2\n"
    )


def test_a_part_of_the_screen_is_cut_out() -> None:
    settings = screen_settings(ScreenPart.TEXT, ScreenPart.COLOURS, rows=5, shown_rows=Span(1, 3), shown=Span(2, 3))
    assert text_of(BOARD, settings) == "    1|it\n    1: 2-3 bold\n    3| │\n"


def test_a_hidden_cursor_is_named() -> None:
    frame = Frame(rows=("",), styles=((),))
    assert text_of(frame, screen_settings(ScreenPart.CURSOR, rows=1)) == "cursor: hidden\n"


def test_frames_are_read_back() -> None:
    lines = ["    1|a", "  3-4|b", "key: <up>", "cursor: hidden", "key: q", "end", "    1|bye"]
    assert frames_in(lines) == [
        WrittenFrame("", 1, {1: "a", 3: "b", 4: "b"}, ()),
        WrittenFrame("<up>", 4, {}, ("cursor: hidden",)),
        WrittenFrame("q", 6, {}, ()),
        WrittenFrame(None, 7, {1: "bye"}, ()),
    ]


def test_an_empty_screen_at_the_end_is_a_frame_too() -> None:
    assert frames_in(["key: q", "end"])[-1] == WrittenFrame(None, 3, {}, ())
    assert frames_in([]) == [WrittenFrame("", 1, {}, ())]
