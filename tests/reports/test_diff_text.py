import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.model.outcome import TypedLine
from grader.model.results import ComparedTranscript
from grader.reports.terminal.diff import all_differences, first_screenful
from grader.text.difference import FirstDifference, find_first_difference

UNHURRIED = settings(deadline=None)
MARGIN = 10
BAR = " │ "
TEXTS = st.text(st.sampled_from("ab \t\n\r\x1b\u2639\ufe0f\U0001f60a\U0001f0a1\u4e2d\u200b\udcff…"), max_size=60)
CONTROLS = ("Cc", "Cs", "Zl", "Zp")


def shown(expected: str, actual: str, *typed: str) -> list[str]:
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    return [
        line.plain
        for line in first_screenful(compared_transcript(expected, actual, typed_in(actual, typed), divergence))
    ]


def test_a_later_difference_that_tells_more_is_shown_with_what_is_around_it() -> None:
    expected, actual = (
        f"{count} lines\n" + "same\n" * 16 + f"1 to {count}\nmore\n{text}\nend\n"
        for count, text in ((9, "a"), (10, "b"))
    )
    first, later = find_first_difference(expected, actual), FirstDifference(20, 1, "a", "b")
    assert first is not None
    typed = (TypedLine(actual.index("lines"), "lines"),)
    compared = compared_transcript(expected, actual, typed, first, shown=later)
    assert [line.plain for line in first_screenful(compared)] == [
        "-     1 │ 9 lines",
        "          ^",
        "+     1 │ 10 lines",
        "          ^^",
        "         ⋮ 15 lines",
        "     17 │ same",
        "-    18 │ 1 to 9",
        "               ^",
        "+    18 │ 1 to 10",
        "               ^^",
        "     19 │ more",
        "-    20 │ a",
        "+    20 │ b",
        "     21 │ end",
    ]


def typed_in(transcript: str, lines: tuple[str, ...]) -> tuple[TypedLine, ...]:
    """The lines typed one after the other, each where it first stands behind a blank."""
    typed, position = [], 0
    for line in lines:
        position = transcript.index(f" {line}\n", position) + 1
        typed.append(TypedLine(position, line))
    return tuple(typed)


def compared_transcript(
    expected: str,
    actual: str,
    typed: tuple[TypedLine, ...],
    divergence: FirstDifference,
    shown: FirstDifference | None = None,
) -> ComparedTranscript:
    return ComparedTranscript(
        expected=expected, actual=actual, typed=typed, divergence=divergence, shown=shown or divergence
    )


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        pytest.param(
            "Seed: 0\nSo sorry\n",
            "Seed: 0\nSo sad\n",
            [
                "      1 │ Seed: 0",
                "-     2 │ So sorry",
                "              ^^^^",
                "+     2 │ So sad",
                "              ^^",
            ],
            id="another word",
        ),
        pytest.param(
            "Lost! \u2639\ufe0f\n",
            "Lost! \u2639\n",
            [
                "-     1 │ Lost! \u2639<U+FE0F>",
                "                 ^^^^^^^^",
                "+     1 │ Lost! \u2639",
                "                 ^",
                "         <U+FE0F> U+FE0F (variation selector-16)",
            ],
            id="selector",
        ),
        pytest.param(
            "a \u2639\ufe0f\nWon \u2639\ufe0f 1\n",
            "a \u2639\ufe0f\nWon \u2639\ufe0f 2\n",
            [
                "      1 │ a \u2639\ufe0f",
                "-     2 │ Won \u2639\ufe0f 1",
                " " * (MARGIN + 4 + cell_len("\u2639\ufe0f") + 1) + "^",
                "+     2 │ Won \u2639\ufe0f 2",
                " " * (MARGIN + 4 + cell_len("\u2639\ufe0f") + 1) + "^",
            ],
            id="equal emoji are left alone",
        ),
        pytest.param(
            "\U0001f60a\U0001f60a x\n",
            "\U0001f60a\U0001f60a y\n",
            [
                "-     1 │ \U0001f60a\U0001f60a x",
                "               ^",
                "+     1 │ \U0001f60a\U0001f60a y",
                "               ^",
            ],
            id="wide characters",
        ),
        pytest.param(
            "a\tb \n",
            "a\tb\n",
            [
                "-     1 │ a→b·",
                "             ^",
                "+     1 │ a→b",
                "             ^",
                "         · space, → tab (U+0009)",
            ],
            id="blank at the end, tab before",
        ),
        pytest.param(
            "a\n", "a", ["-     1 │ a", "           ^", "+     1 │ a (no newline)", "           ^"], id="line end"
        ),
        pytest.param(
            "a\nb\nc\n",
            "a\nc\n",
            ["      1 │ a", "-     2 │ b", "      3 │ c"],
            id="missing line",
        ),
        pytest.param(
            "\tx\n" * 2 + "a",
            "\tx\n" * 2,
            ["      1 │ →x", "      2 │ →x", "-     3 │ a (no newline)", "         → tab (U+0009)"],
            id="tab in an equal line",
        ),
        pytest.param(
            "a\n" * 13,
            "b\n",
            [*["-     1 │ a", "+     1 │ b"], *[f"- {number:>5} │ a" for number in range(2, 13)], "         ⋮"],
            id="transcript goes on",
        ),
        pytest.param(
            "a\n",
            "\x1b[31m\udcff\n",
            [
                "-     1 │ a",
                "+     1 │ <U+001B>[31m<0xFF>",
                "         <U+001B> escape (U+001B), <0xFF> byte 0xFF (not UTF-8)",
            ],
            id="escapes",
        ),
    ],
)
def test_diff(expected: str, actual: str, lines: list[str]) -> None:
    assert shown(expected, actual) == lines


def test_a_long_legend_is_cut() -> None:
    *_, names = shown("a\n", "".join(map(chr, range(1, 9))) + "\x0e\x0f\n")
    assert names.endswith("U+0008), …")
    assert names.count("<U+") == 8


@UNHURRIED
@given(TEXTS, TEXTS)
def test_any_diff_is_harmless_and_its_markers_stand_below_what_differs(expected: str, actual: str) -> None:
    if expected == actual:
        return
    lines = shown(expected, actual)
    for line in lines:
        assert not [one for one in line if unicodedata.category(one) in CONTROLS]
    for above, line in pairwise(lines):
        if line.strip(" ^") == "" and "^" in line:
            body = cell_len(above.removesuffix(" (no newline)"))
            assert line.index("^") >= MARGIN
            assert cell_len(line) <= max(body, line.index("^") + 1)
            assert line.index("^") <= body


@UNHURRIED
@given(st.text("x\u2639\ufe0f\U0001f60a\u4e2d ", max_size=200), st.text("x\U0001f60a\u4e2d", max_size=200))
def test_markers_begin_below_the_first_difference(before: str, after: str) -> None:
    lines = shown(f"{before}l{after}1", f"{before}r{after}1")
    assert cell_len(lines[0].partition("l" + after[:1])[0]) >= MARGIN
    if before:
        where = cell_len(lines[0][: lines[0].index("l")])
        assert lines[1] == " " * where + "^"
        assert lines[3] == lines[1]


GAME = "".join(
    [
        "Welcome\n",
        *[f"Move {number}? {number}{number}\nYou moved {number}\nFine\n" for number in range(1, 9)],
        "a\nb\nc\nd\nEnd\n",
    ]
)
TYPED = tuple(f"{number}{number}" for number in range(1, 9))


def test_the_dialogue_before_the_difference_is_shown_and_the_rest_folded() -> None:
    assert shown(GAME, GAME.replace("c\nd\n", "c\nD\n"), *TYPED) == [
        "         ⋮ 16 equal lines",
        ">    17 │ Move 6? 66",
        "         ⋮ 2 equal lines",
        ">    20 │ Move 7? 77",
        "         ⋮ 2 equal lines",
        ">    23 │ Move 8? 88",
        "     24 │ You moved 8",
        "     25 │ Fine",
        "     26 │ a",
        "     27 │ b",
        "     28 │ c",
        "-    29 │ d",
        "+    29 │ D",
        "     30 │ End",
    ]


def test_what_was_typed_stands_out_in_its_line() -> None:
    actual = GAME.replace("a\n", "A\n")
    divergence = find_first_difference(GAME, actual)
    assert divergence is not None
    rows = list(first_screenful(compared_transcript(GAME, actual, typed_in(actual, TYPED), divergence)))
    row = next(row for row in rows if "88" in row.plain)
    assert [row.plain[span.start : span.end] for span in row.spans if "bold" in str(span.style)] == ["88"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text("ab\u4e2d ", max_size=300), max_size=60),
    st.lists(st.text("ab\u4e2d ", max_size=300), max_size=60),
    st.lists(st.text("ab ", max_size=300), max_size=60),
)
def test_no_more_than_a_screenful_with_the_first_difference_in_it(
    same: list[str], one: list[str], other: list[str]
) -> None:
    expected, actual = ("".join(f"{line}\n" for line in [*same, *rest]) for rest in (one, other))
    if expected == actual:
        return
    lines = shown(expected, actual)
    assert sum(max(-(-cell_len(line) // 80), 1) for line in lines) <= 24
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    starts = [f"{sign} {divergence.line:>5} │" for sign in "-+"]
    assert any(line.startswith(tuple(starts)) for line in lines)


def everything(expected: str, actual: str) -> list[str]:
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    return [line.plain for line in all_differences(compared_transcript(expected, actual, (), divergence))]


def test_all_differences_with_long_equal_stretches_folded() -> None:
    lines = [f"{number}" for number in range(1, 101)]
    actual = [*lines[:1], "two", *lines[2:40], *lines[41:99], "hundred\u200b"]
    assert everything("\n".join(lines) + "\n", "\n".join(actual) + "\n") == [
        "      1 │ 1",
        "-     2 │ 2",
        "+     2 │ two",
        "      3 │ 3",
        "      4 │ 4",
        "      5 │ 5",
        "         ⋮ 32 equal lines",
        "     38 │ 38",
        "     39 │ 39",
        "     40 │ 40",
        "-    41 │ 41",
        "     42 │ 42",
        "     43 │ 43",
        "     44 │ 44",
        "         ⋮ 52 equal lines",
        "     97 │ 97",
        "     98 │ 98",
        "     99 │ 99",
        "-   100 │ 100",
        "+    99 │ hundred<U+200B>",
        "         <U+200B> U+200B (zero width space)",
    ]


def test_the_last_line_stands_after_a_fold() -> None:
    lines = [f"{number}\n" for number in range(1, 51)]
    assert everything("".join(lines), "".join(["one\n", *lines[1:]])) == [
        "-     1 │ 1",
        "+     1 │ one",
        *(f"      {number} │ {number}" for number in (2, 3, 4)),
        "         ⋮ 45 equal lines",
        "     50 │ 50",
    ]


@UNHURRIED
@given(TEXTS, TEXTS, st.integers(20, 40))
def test_folding_loses_nothing_and_fits(expected: str, actual: str, width: int) -> None:
    divergence = find_first_difference(expected, actual)
    if divergence is None:
        return
    compared = compared_transcript(expected, actual, (), divergence)
    whole = [line.plain for line in all_differences(compared)]
    folded = [line.plain for line in all_differences(compared, width)]
    assert all(cell_len(line) <= width for line in folded if BAR in line and "(no newline)" not in line)
    assert unfolded(folded) == [line for line in whole if BAR in line]
    assert "".join(folded).count("^") == "".join(whole).count("^")


def unfolded(lines: list[str]) -> list[str]:
    """The lines of a diff with their pieces put together again, without what stands between them."""
    found: list[str] = []
    for line in lines:
        if BAR in line and line[2:MARGIN].strip(" │"):
            found.append(line)
        elif BAR in line:
            found[-1] += line[MARGIN:]
    return found
