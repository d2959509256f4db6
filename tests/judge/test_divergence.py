import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.text.difference import (
    FirstDifference,
    common_prefix,
    common_suffix,
    differing_spans,
    find_first_difference,
    lines_of,
    start_of_differing_line,
)

TEXTS = st.text(alphabet="ab\n\u2639\ufe0f ", max_size=40)
PAIRS = st.one_of(
    st.tuples(TEXTS, TEXTS),
    st.builds(lambda same, one, other: (same + one, same + other), TEXTS, TEXTS, TEXTS),
)

UNHURRIED = settings(deadline=None)


@UNHURRIED
@given(PAIRS)
def test_is_none_only_for_equal_texts(texts: tuple[str, str]) -> None:
    assert (find_first_difference(*texts) is None) == (texts[0] == texts[1])


@UNHURRIED
@given(PAIRS)
def test_lines_before_are_equal_and_the_line_itself_differs(texts: tuple[str, str]) -> None:
    found = find_first_difference(*texts)
    if found is None:
        return
    expected, actual = (text.splitlines(keepends=True) for text in texts)
    before = found.line - 1
    assert expected[:before] == actual[:before]
    assert expected[before : before + 1] != actual[before : before + 1]
    for lines, shown in ((expected, found.expected), (actual, found.actual)):
        assert shown == (lines[before].removesuffix("\n") if len(lines) > before else None)


@UNHURRIED
@given(PAIRS)
def test_column_is_the_first_that_differs(texts: tuple[str, str]) -> None:
    found = find_first_difference(*texts)
    if found is None:
        return
    expected, actual = found.expected or "", found.actual or ""
    same = found.column - 1
    assert expected[:same] == actual[:same]
    assert expected[same : same + 1] != actual[same : same + 1] or same == len(expected) == len(actual)


@UNHURRIED
@given(PAIRS)
def test_start_of_the_differing_line_is_the_same_in_both(texts: tuple[str, str]) -> None:
    found = find_first_difference(*texts)
    if found is None:
        return
    start = start_of_differing_line(*texts)
    assert texts[0][:start] == texts[1][:start]
    assert texts[0][:start].count("\n") == found.line - 1
    assert texts[0][:start].endswith("\n") or start == 0


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        ("a\n", "a", FirstDifference(1, 2, "a", "a")),
        ("a", "a\n", FirstDifference(1, 2, "a", "a")),
        ("a\nb", "a", FirstDifference(1, 2, "a", "a")),
        ("a\n", "a\nb", FirstDifference(2, 1, None, "b")),
        ("a\n\n", "a\n", FirstDifference(2, 1, "", None)),
        ("", "a", FirstDifference(1, 1, None, "a")),
        ("\n", "", FirstDifference(1, 1, "", None)),
        ("a\nbc\n", "a\nbd\n", FirstDifference(2, 2, "bc", "bd")),
    ],
)
def test_line_ends(expected: str, actual: str, found: FirstDifference) -> None:
    assert find_first_difference(expected, actual) == found


@UNHURRIED
@given(PAIRS)
def test_common_prefix_and_suffix_are_as_long_as_possible(texts: tuple[str, str]) -> None:
    one, other = texts
    prefix = common_prefix(one, other)
    assert one[:prefix] == other[:prefix]
    assert prefix in (len(one), len(other)) or one[prefix] != other[prefix]
    limit = min(len(one), len(other)) - prefix
    suffix = common_suffix(one, other, limit)
    assert one[len(one) - suffix :] == other[len(other) - suffix :]
    assert suffix == limit or one[-suffix - 1] != other[-suffix - 1]


@UNHURRIED
@given(PAIRS)
def test_spans_hold_all_that_differs(texts: tuple[str, str]) -> None:
    one, other = texts
    start, one_end, other_end = differing_spans(one, other)
    assert 0 <= start <= one_end <= len(one)
    assert start <= other_end <= len(other)
    assert one[:start] + other[start:other_end] + one[one_end:] == other


@UNHURRIED
@given(st.text(alphabet="ab\n", max_size=20))
def test_lines_of_a_text(text: str) -> None:
    lines = lines_of(text)
    assert "\n".join(lines) == text.removesuffix("\n")
    assert len(lines) == text.count("\n") + (text != "" and not text.endswith("\n"))
