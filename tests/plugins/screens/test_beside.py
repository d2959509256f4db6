"""Frames beside the expected ones, as text and as HTML."""

from dataclasses import replace

import pytest
from rich.cells import cell_len

from grader.model.outcome import Outcome, Termination, TypedLine
from grader.model.results import TestResult
from grader.plugins.screens.beside import frames_beside
from grader.plugins.screens.beside_html import difference_html, steps_html
from grader.plugins.screens.beside_text import difference_text
from grader.plugins.web.pages.differing_line import differing_line
from grader.reports.terminal.diff import all_differences
from grader.reports.terminal.test_result import failure_text
from tests.plugins.screens.conftest import judged, screen_test

MENU = "    1|> Play\n    2|  Quit\n"
MOVED = "    1|  Play\n    2|> Quit\n"
KEYS = ("<down>", "q")
EXPECTED = f"{MENU}key: <down>\n{MOVED}key: q\nend\n    1|bye\n"


def result(actual: str, expected: str = EXPECTED, errors: str = "") -> TestResult:
    lines = actual.split("key: ")[1:]
    typed = tuple(TypedLine(0, line.partition("\n")[0]) for line in lines)
    outcome = Outcome(
        transcript=actual,
        typed=typed,
        ending=Termination.EXITED,
        exit_code=1 if errors else 0,
        signal=None,
        unsent=0,
        wall_seconds=0,
        cpu_seconds=0,
        errors=errors,
    )
    return TestResult(
        test=screen_test(KEYS), judgement=judged(expected, outcome, *KEYS), outcome=outcome, expected=expected
    )


def text(failed: TestResult, width: int | None = None) -> list[str]:
    return [line.plain for line in difference_text(failed, width)]


STUCK = EXPECTED.replace(MOVED, MENU)


def test_the_first_frame_that_differs_is_shown_beside_the_expected_one() -> None:
    assert text(result(STUCK)) == [
        "      │ expected, after `<down>`     │ your program, after `<down>`",
        "    1 │   Play                       │ > Play",
        "      │ ^                            │ ^",
        "    2 │ > Quit                       │   Quit",
        "      │ ^                            │ ^",
    ]


def test_frames_are_above_each_other_where_they_do_not_fit() -> None:
    assert text(result(STUCK), 60) == [
        "      │ expected, after `<down>`",
        "    1 │   Play",
        "      │ ^",
        "    2 │ > Quit",
        "      │ ^",
        "      │ your program, after `<down>`",
        "    1 │ > Play",
        "      │ ^",
        "    2 │   Quit",
        "      │ ^",
    ]


def test_no_line_is_wider_than_the_terminal() -> None:
    wide = "    1|" + "x" * 200
    lines = text(result(f"{wide}y{'z' * 50}\n", f"{wide}x{'z' * 50}\n"), 50)
    assert max(map(len, lines)) < 50
    assert [line.count("^") for line in lines] == [0, 0, 1, 0, 0, 1]
    assert [line[line.index("^") - 1 :] for line in (lines[2], lines[5])] == [" ^", " ^"]


def test_only_rows_around_the_first_mark_of_a_long_frame_are_shown() -> None:
    rows = "".join(f"{row:>5}|row {row}\n" for row in range(1, 101))
    lines = text(result(rows.replace("row 60", "line 60"), rows))
    assert [line[:6].strip() for line in lines if line[:6].strip()] == list(map(str, range(57, 83)))
    assert lines[1].strip() == lines[-1].strip() == "⋮"


def test_colours_and_the_cursor_are_named() -> None:
    expected = "    1|> Play\n    1: 1-6 bold red\ncursor: hidden\n"
    lines = text(result("    1|> Play\n    1: 1-2 bold red, 4 bold\ncursor: row 1, column 7\n", expected))
    assert lines[1:] == [
        "    1 │ > Play                            │ > Play",
        "      │   ~~~~                            │   ~~~~",
        "        ~ other colours or attributes",
        "    Row 1, column 3: plain; expected `bold red`",
        "    Row 1, column 4: `bold`; expected `bold red`",
        "    Row 1, columns 5–6: plain; expected `bold red`",
        "    `cursor: row 1, column 7`; expected `cursor: hidden`",
    ]


def test_many_differences_of_colour_are_cut() -> None:
    expected = "".join(f"{row:>5}: 1 bold\n" for row in range(1, 10))
    assert [line for line in text(result("", expected)) if line.startswith("    ") and "more" in line] == [
        "    and 3 more"
    ]


def test_a_program_that_ends_early_shows_its_last_screen() -> None:
    (heading, *_) = text(result(f"{MENU}key: <down>\nend\n    1|oh\n", EXPECTED))
    assert heading == "      │ expected, after `<down>`     │ your program, after `<down>`"
    (heading, *_) = text(result(f"{MENU}key: <down>\n{MOVED}", EXPECTED))
    assert [name.strip() for name in heading.split("│")[1:]] == [
        "expected, after `q`",
        "your program: no further screen",
    ]


def test_the_empty_screen_of_a_crash_is_left_out() -> None:
    assert text(result(f"{MENU}key: <down>\nend\n", errors="Traceback (most recent call last):\nOSError\n")) == []


def test_wide_characters_keep_the_columns_apart() -> None:
    lines = text(result("    1|你坏\n", "    1|你好\n"))
    assert [line.split(" │ ")[1].rstrip() for line in lines[1:]] == ["你好", "  ^^"]
    assert [cell_len(line.rpartition("│")[0]) for line in lines] == [42, 42, 42]


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert not any("\u202e" in line for line in text(result("    1|a\u202eb\n", "    1|ab\n")))
    assert "\u202e" not in difference_html(result("    1|a\u202eb\n", "    1|ab\n"))


def test_reports_show_frames_unless_all_lines_are_asked_for() -> None:
    lines = [line.plain for line in failure_text(result(STUCK))]
    assert "    1 │   Play                       │ > Play" in lines
    lines = [line.plain for line in failure_text(result(STUCK), diff_text=all_differences)]
    assert "  - expected, + your program, > where something was typed" in lines


def test_lines_of_boxes_are_shown_as_they_are() -> None:
    frame = "    1|  ───┼───\n    2|   X │ O\n"
    failed = failure_text(result(frame, "    1|New game\n    2|Quit\n"), diff_text=all_differences)
    lines = [line.plain for line in failed]
    assert any("───┼───" in line for line in lines)
    assert any("X │ O" in line for line in lines)
    assert not any("U+" in line for line in lines)
    assert differing_line("X │ O ─", 2, 7) == "X <mark>│ O ─</mark>"


def test_marks_in_a_page() -> None:
    page = difference_html(result("    1|<b> Play\n    1: 1-2 bold\n", "    1|<i> Play\n    1: 1-2 bold, 5 red\n"))
    assert '&lt;<mark class="text">b</mark>&gt; <mark class="style">P</mark>lay' in page
    assert "<b>" not in page
    assert "<li>Row 1, column 5: plain; expected `red`</li>" in page


def test_the_steps_of_a_session_are_its_frames() -> None:
    steps = steps_html(result(STUCK))
    assert [differs for _, differs in steps] == [False, True, False]
    pages = [page for page, _ in steps]
    assert [page.count("<figure") for page in pages] == [2, 2, 2]
    assert ["<mark" in page for page in pages] == [False, True, False]
    assert pages[0].endswith("<kbd>&lt;down&gt;</kbd>")
    assert pages[1].endswith("<kbd>q</kbd>")
    assert pages[2].endswith('<i class="cut">end of the session</i>')


def test_a_long_session_is_cut() -> None:
    session = "".join(f"    1|{number}\nkey: x\n" for number in range(500))
    steps = steps_html(result(session.replace("|250\n", "|\n"), session))
    assert len(steps) == 8 + 21 + 4
    assert [number for number, (page, _) in enumerate(steps) if "left out" in page] == [8, 29]
    assert [differs for _, differs in steps].index(True) == 18


@pytest.mark.parametrize("transcript", ["", "key: x", "end\n", "    1|a\nend\n", "cursor: hidden\n"])
def test_any_transcript_can_be_shown(transcript: str) -> None:
    for failed in (result(transcript), replace(result(transcript), expected=transcript)):
        assert len(frames_beside(failed)) >= 1
        assert isinstance(difference_html(failed), str)
        assert all(text(failed, width) is not None for width in (20, None))
        assert isinstance(steps_html(failed), list)
