from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.judge.diff import DiffLine, DiffSide, TranscriptDiff, diff_around, whole_diff
from grader.judge.line_diff import LineBlock, blocks
from grader.model.outcome import TypedLine
from grader.text.difference import FirstDifference, find_first_difference

LINES = st.lists(st.sampled_from(["", "a", "ab", "b", " ", "\u2639\ufe0f", "\U0001f0a1 \U0001f0b1"]), max_size=40)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))
PAIRS = st.one_of(
    st.tuples(TEXTS, TEXTS),
    st.builds(lambda same, one, other: (f"{same}\n{one}", f"{same}\n{other}"), TEXTS, TEXTS, TEXTS),
)

UNHURRIED = settings(deadline=None)
CONTEXT, WINDOW, ALIGNED, WIDEST = 3, 12, 60, 160


def diff_of(expected: str, actual: str) -> TranscriptDiff:
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    return diff_around(expected, actual, divergence)


def side(found: TranscriptDiff, *sides: DiffSide) -> list[tuple[str, bool]]:
    return [(line.text, line.ended) for line in found.lines if line.side in sides]


def window(text: str, line: int) -> list[tuple[str, bool]]:
    lines = [(one.removesuffix("\n"), one.endswith("\n")) for one in text.splitlines(keepends=True)]
    return lines[max(line - 1 - CONTEXT, 0) : line - 1 + WINDOW]


@UNHURRIED
@given(PAIRS)
@example(("a\n", "a"))
@example(("a\n\n", "a\n"))
@example(("", "\n" * 50))
def test_both_sides_can_be_put_together_again(texts: tuple[str, str]) -> None:
    divergence = find_first_difference(*texts)
    if divergence is None:
        return
    found = diff_around(*texts, divergence)
    sides = [
        (side(found, DiffSide.BOTH, DiffSide.EXPECTED), window(texts[0], divergence.line)),
        (side(found, DiffSide.BOTH, DiffSide.ACTUAL), window(texts[1], divergence.line)),
    ]
    assert all(shown == whole[: len(shown)] for shown, whole in sides)
    before = min(divergence.line - 1, CONTEXT)
    if found.goes_on:
        assert before < max(len(shown) for shown, _ in sides) <= before + WINDOW
    else:
        assert all(shown == whole for shown, whole in sides)


@UNHURRIED
@given(PAIRS)
def test_lines_before_the_divergence_stand_on_both_sides_and_the_next_one_does_not(texts: tuple[str, str]) -> None:
    divergence = find_first_difference(*texts)
    if divergence is None:
        return
    lines = diff_around(*texts, divergence).lines
    context = min(divergence.line - 1, CONTEXT)
    assert [line.number for line in lines[:context]] == list(range(divergence.line - context, divergence.line))
    assert all(line.side is DiffSide.BOTH for line in lines[:context])
    assert lines[context].side is not DiffSide.BOTH
    assert lines[context].number == divergence.line


@UNHURRIED
@given(PAIRS)
def test_numbers_are_those_of_the_lines(texts: tuple[str, str]) -> None:
    divergence = find_first_difference(*texts)
    if divergence is None:
        return
    numbered = [
        {number: line.removesuffix("\n") for number, line in enumerate(text.splitlines(keepends=True), 1)}
        for text in texts
    ]
    for line in diff_around(*texts, divergence).lines:
        assert numbered[line.side is DiffSide.ACTUAL][line.number] == line.text


@UNHURRIED
@given(st.tuples(st.text(), st.text()))
def test_spans_bound_a_part_of_the_text(texts: tuple[str, str]) -> None:
    divergence = find_first_difference(*texts)
    if divergence is None:
        return
    for line in diff_around(*texts, divergence).lines:
        assert 0 <= line.start <= line.end <= len(line.text)
        assert line.side is not DiffSide.BOTH or line.start == line.end


@UNHURRIED
@given(TEXTS, TEXTS, st.integers(1, 100), st.integers(1, 100))
def test_takes_any_line_number(expected: str, actual: str, line: int, column: int) -> None:
    found = diff_around(expected, actual, FirstDifference(line, column, None, None))
    assert len(found.lines) <= 2 * WINDOW + CONTEXT


def test_only_the_line_end_differs() -> None:
    assert diff_of("a\nb\n", "a\nb").lines == (
        DiffLine(side=DiffSide.BOTH, number=1, text="a", start=0, end=0, ended=True),
        DiffLine(side=DiffSide.EXPECTED, number=2, text="b", start=1, end=1, ended=True),
        DiffLine(side=DiffSide.ACTUAL, number=2, text="b", start=1, end=1, ended=False),
    )


@pytest.mark.parametrize("missing", [1, 4, 11])
def test_right_lines_do_not_seem_extra_after_missing_ones(missing: int) -> None:
    lines = [f"line {number}\n" for number in range(50)]
    rest = lines[:3] + lines[3 + missing :]
    found = diff_of("".join(lines), "".join(rest))
    assert Counter(line.side for line in found.lines if line.side is not DiffSide.BOTH) == {DiffSide.EXPECTED: missing}
    turned = diff_of("".join(rest), "".join(lines))
    assert Counter(line.side for line in turned.lines if line.side is not DiffSide.BOTH) == {DiffSide.ACTUAL: missing}


def test_a_missing_line_does_not_make_the_following_ones_differ() -> None:
    lines = [f"line {number}" for number in range(1, 9)]
    found = diff_of("\n".join(lines), "\n".join(lines[:3] + lines[4:]))
    assert Counter(line.side for line in found.lines) == {DiffSide.BOTH: 7, DiffSide.EXPECTED: 1}


@UNHURRIED
@given(
    st.integers(0, 1000), st.text(alphabet="xy", max_size=5), st.text(alphabet="zw", max_size=5), st.integers(0, 1000)
)
def test_long_lines_are_cut_to_what_differs(before: int, wanted: str, found: str, after: int) -> None:
    if wanted == found:
        return
    expected, actual = ("a" * before + middle + "b" * after + "\n" for middle in (wanted, found))
    lines = diff_of(expected, actual).lines
    for line, middle in zip(lines, (wanted, found), strict=True):
        assert len(line.text) <= WIDEST + 2
        assert line.text[line.start : line.end] == middle
        assert line.text.startswith("…") <= (before > WIDEST // 2)
    assert lines[0].start == lines[1].start


def test_a_difference_longer_than_the_cut_is_marked_to_the_cut() -> None:
    wanted, found = diff_of("a" * 500 + "\n", "b" * 500 + "\n").lines
    assert (wanted.text, wanted.start, wanted.end) == ("a" * WIDEST + "…", 0, WIDEST)
    assert (found.text, found.start, found.end) == ("b" * WIDEST + "…", 0, WIDEST)


def test_only_a_window_of_the_lines_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []

    def watched(one: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[LineBlock]:
        looked_at.extend((len(one), len(other)))
        return blocks(one, other)

    monkeypatch.setattr("grader.judge.diff.blocks", watched)
    shared = "\n" * 200_000
    found = diff_of(shared + "a\n" * 100_000, shared + "b\n" * 100_000)
    assert looked_at == [ALIGNED, ALIGNED]
    assert found.goes_on
    assert len(found.lines) == CONTEXT + 2 * WINDOW


@pytest.mark.parametrize(
    "texts",
    [
        ("\n" * 200_000, "\n" * 200_001),
        ("\0" * 1_000_000, "\0" * 999_999 + "\x1b"),
        ("a" * 3_000_000 + "x", "a" * 3_000_000 + "y"),
        ("\udcff\udc80" * 100_000, "\udcff\udc81" * 100_000),
        ("ab\n" * 300_000 + "c", "ab\n" * 300_000 + "d"),
    ],
    ids=["empty lines", "null characters", "one long line", "undecodable bytes", "many lines"],
)
def test_large_hostile_texts(texts: tuple[str, str]) -> None:
    found = diff_of(*texts)
    assert all(len(line.text) <= WIDEST + 2 for line in found.lines)
    differing = [replace(line, number=0) for line in found.lines if line.side is not DiffSide.BOTH]
    assert len(set(differing)) == len(differing)


@UNHURRIED
@given(PAIRS)
def test_a_whole_diff_has_every_line_that_differs(texts: tuple[str, str]) -> None:
    if find_first_difference(*texts) is None:
        return
    found = whole_diff(*texts)
    assert not found.goes_on
    for text, side_of_it, other in zip(
        texts, (DiffSide.EXPECTED, DiffSide.ACTUAL), (DiffSide.ACTUAL, DiffSide.EXPECTED), strict=True
    ):
        whole = [(one.removesuffix("\n"), one.endswith("\n")) for one in text.splitlines(keepends=True)]
        shown = [line for line in found.lines if line.side is not other]
        numbers = [line.number for line in shown if line.side is side_of_it]
        assert numbers == sorted(set(numbers))
        assert [(line.text, line.ended) for line in shown if line.side is side_of_it] == [
            whole[number - 1] for number in numbers
        ]


def test_a_whole_diff_puts_both_texts_together_again_when_nothing_is_folded() -> None:
    texts = "a\nb\nc\nd\n", "a\nB\nc\ne\nd"
    found = whole_diff(*texts)
    assert side(found, DiffSide.BOTH, DiffSide.EXPECTED) == window(texts[0], 1)
    assert side(found, DiffSide.BOTH, DiffSide.ACTUAL) == window(texts[1], 1)


def test_a_whole_diff_has_a_bound() -> None:
    found = whole_diff("a\n" * 50_000, "b\n" * 50_000)
    assert found.goes_on
    assert len(found.lines) == 20_000


def test_what_was_typed_is_known_of_shared_and_actual_lines() -> None:
    expected, actual = "Seed: 4\nGo? y\nx\n", "Seed: 4\nGo? y\nSure? n\nx\n"
    typed = (TypedLine(6, "4"), TypedLine(12, "y"), TypedLine(20, "n"))
    divergence = find_first_difference(expected, actual)
    assert divergence is not None
    for found in (diff_around(expected, actual, divergence, typed), whole_diff(expected, actual, typed)):
        assert [(line.side, line.text, line.typed) for line in found.lines] == [
            (DiffSide.BOTH, "Seed: 4", 6),
            (DiffSide.BOTH, "Go? y", 4),
            (DiffSide.ACTUAL, "Sure? n", 6),
            (DiffSide.BOTH, "x", None),
        ]


@pytest.mark.parametrize(
    ("lines", "shown"), [(2, [1, 2, 3, 4, 5, 6]), (9, [*range(1, 14)]), (30, [1, 2, 3, 31, 32, 33, 34])]
)
def test_the_lines_since_the_last_input_are_shown_if_they_are_few(lines: int, shown: list[int]) -> None:
    prompts = "Command: a\nCommand: b\nCommand: c\n"
    same = prompts + "board\n" * lines
    typed = [TypedLine(prompts.index(letter, 8), letter) for letter in "abc"]
    divergence = find_first_difference(f"{same}x\n", f"{same}y\n")
    assert divergence is not None
    diff = diff_around(f"{same}x\n", f"{same}y\n", divergence, typed)
    assert [line.number for line in diff.lines if line.side is not DiffSide.ACTUAL] == shown


def test_without_an_echo_nothing_typed_is_to_be_seen() -> None:
    found = whole_diff("Seed: \nx\n", "Seed: \ny\n", (TypedLine(6, "4"),))
    assert [line.typed for line in found.lines] == [None, None, None]
