import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.judge.diff import diff_around
from grader.judge.divergence import find_divergence
from grader.report.diff_text import diff_text

UNHURRIED = settings(deadline=None)
MARGIN = 10
BAR = " │ "
TEXTS = st.text(st.sampled_from("ab \t\n\r\x1b\u2639\ufe0f\U0001f60a\U0001f0a1\u4e2d\u200b\udcff…"), max_size=60)
CONTROLS = ("Cc", "Cs", "Zl", "Zp")


def shown(expected: str, actual: str) -> list[str]:
    divergence = find_divergence(expected, actual)
    assert divergence is not None
    return [line.plain for line in diff_text(diff_around(expected, actual, divergence))]


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
                "         · blank, → tab (U+0009)",
            ],
            id="blank at the end, tab before",
        ),
        pytest.param(
            "a\n", "a", ["-     1 │ a", "           ^", "+     1 │ a (no line end)", "           ^"], id="line end"
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
            ["      1 │ →x", "      2 │ →x", "-     3 │ a (no line end)", "         → tab (U+0009)"],
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
            body = cell_len(above.removesuffix(" (no line end)"))
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


@UNHURRIED
@given(TEXTS, TEXTS, st.integers(20, 40))
def test_folding_loses_nothing_and_fits(expected: str, actual: str, width: int) -> None:
    divergence = find_divergence(expected, actual)
    if divergence is None:
        return
    diff = diff_around(expected, actual, divergence)
    whole = [line.plain for line in diff_text(diff)]
    folded = [line.plain for line in diff_text(diff, width)]
    assert all(cell_len(line) <= width for line in folded if BAR in line and "(no line end)" not in line)
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
