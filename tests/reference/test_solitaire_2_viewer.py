"""The second solitaire game of COMP9021 25T3, assignment 1: its viewer (handout, 4.2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.programs import PROMPT, collected, menu, output, view

SEED = 32
LAST = 806
VARIANTS = "canonical", "course", "course-tight"

VALID = {
    "1": slice(0, 1),
    "5": slice(0, 5),
    "      1": slice(0, 1),
    "01": slice(0, 1),
    "0" * 5000 + "1": slice(0, 1),
    "806": slice(0, 806),
    "-1": slice(805, 806),
    "-01": slice(805, 806),
    " -2 ": slice(804, 806),
    "-806": slice(0, 806),
    "1--1": slice(0, 1),
    "1  --  3": slice(0, 3),
    "1-- 2": slice(0, 2),
    "  2 --3  ": slice(1, 3),
    "001--0003": slice(0, 3),
    "1--806": slice(0, 806),
    "806--806": slice(805, 806),
}
INVALID = [
    *["Q", "", "+1", "1---3", "- 4", "0", "-0", "3--2", "1 2", "1 - - 2", "1--", "--3", "a--b"],
    *["807", "-807", "1--807", "0--3", "807--807", "807--808", "00", "1" * 5000, "-" + "9" * 5000],
    *[" ", "-", "--", "---", "1-", "1-2", "-1--2", "1---2", "1--+2", "+1--2", "--1", "1--2--3", "1.0", "1_0", "0x1"],
    *["\t1", "1\t", "1\t--2", "1--\t2", "q1", "qq", "quit", "q q", "\tq", "1 q", "1--2q", "- 1", "-1 -", "1e1"],
    *["\N{ARABIC-INDIC DIGIT ONE}", "\N{SUPERSCRIPT TWO}", "\N{FULLWIDTH DIGIT ONE}--2", "\N{NO-BREAK SPACE}1"],
    *["\N{MINUS SIGN}1", "1\N{EN DASH}2", "\N{EN DASH}1", "1 \N{ZERO WIDTH SPACE}"],
]


def shown(lines: list[str], variant: str) -> str:
    """Return what follows a request for some lines, up to the next menu."""
    before = "\n" if variant == "course" else ""
    return before + "".join(f"{line}\n" for line in lines) + "\n"


def test_frame_of_the_handout() -> None:
    end = f"\nThere are {LAST} lines of output; what do you want me to do?\n\n{menu(LAST)}"
    assert output("solitaire_2.py", typed=[str(SEED), "q"]) == PROMPT + end


@pytest.mark.parametrize("variant", ["course", "course-tight"])
@pytest.mark.parametrize(
    ("seed", "result"),
    [
        (32, "You placed all cards, you won \N{THUMBS UP SIGN}"),
        (167, "You could not place 8 cards, you lost \N{THUMBS DOWN SIGN}"),
    ],
)
def test_the_course_announces_the_result(variant: str, seed: int, result: str) -> None:
    lines = collected(seed, variant)
    there_are = f"There are {len(lines)} lines of output; what do you want me to do?"
    expected = f"{PROMPT}\n{result}\n\n{there_are}\n\n{menu(len(lines))}"
    assert output("solitaire_2.py", typed=[str(seed), "q"], variant=variant) == expected


@pytest.mark.parametrize("variant", VARIANTS)
def test_announces_as_many_lines_as_there_are(variant: str) -> None:
    assert len(collected(SEED, variant)) == LAST
    assert all(collected(SEED, variant)[position] for position in (0, -1))


@pytest.mark.parametrize("variant", VARIANTS)
def test_valid_requests_show_their_lines(variant: str) -> None:
    lines = collected(SEED, variant)
    _, answers = view(SEED, *VALID, variant=variant)
    assert answers == [shown(lines[part], variant) for part in VALID.values()]


@pytest.mark.parametrize("variant", VARIANTS)
def test_invalid_requests_show_an_empty_line(variant: str) -> None:
    _, answers = view(SEED, *INVALID, variant=variant)
    assert dict(zip(INVALID, answers, strict=True)) == dict.fromkeys(INVALID, "\n")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("leave", ["q", " q", "q   ", "  q  "])
def test_q_ends_at_once(variant: str, leave: str) -> None:
    _, answers = view(SEED, "1", variant=variant, leave=leave)
    assert answers == [shown(collected(SEED, variant)[:1], variant)]


def test_nothing_is_read_after_q() -> None:
    head, answers = view(SEED, leave="q\n1")
    assert head.startswith(PROMPT)
    assert answers == []


BLANKS = st.text(alphabet=" ", max_size=3)
ZEROS = st.text(alphabet="0", max_size=3)


@st.composite
def requests_for_slices(draw: st.DrawFn) -> tuple[str, slice]:
    """Write a valid request in some way, with the part of the lines that it asks for."""
    start, end, middle, other_middle = (draw(BLANKS) for _ in range(4))
    zeros, other_zeros = draw(ZEROS), draw(ZEROS)
    m, n = sorted([draw(st.integers(1, LAST)), draw(st.integers(1, LAST))])
    form, part = draw(
        st.sampled_from(
            [
                (f"{zeros}{n}", slice(0, n)),
                (f"-{zeros}{n}", slice(LAST - n, LAST)),
                (f"{zeros}{m}{middle}--{other_middle}{other_zeros}{n}", slice(m - 1, n)),
            ]
        )
    )
    return f"{start}{form}{end}", part


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.lists(requests_for_slices(), min_size=1, max_size=5), st.sampled_from(VARIANTS))
def test_every_valid_request_is_a_slice(requests: list[tuple[str, slice]], variant: str) -> None:
    lines = collected(SEED, variant)
    _, answers = view(SEED, *(request for request, _ in requests), variant=variant)
    assert answers == [shown(lines[part], variant) for _, part in requests]


def meaning(request: str) -> slice | None:
    """Return the part of the lines asked for, or None if the request is invalid (handout, 4.2)."""
    first, dashes, last = request.strip(" ").partition("--")
    numbers = [first.rstrip(" "), last.lstrip(" ")] if dashes else [first.removeprefix("-")]
    if not all(number and set(number) <= set("0123456789") for number in numbers):
        return None
    m, *n = map(int, numbers)
    if n:
        return slice(m - 1, *n) if 1 <= m <= n[0] <= LAST else None
    if not 1 <= m <= LAST:
        return None
    return slice(LAST - m, LAST) if first.startswith("-") else slice(0, m)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(alphabet="0123- +q", max_size=7), min_size=1, max_size=20))
@pytest.mark.slow
def test_any_text_is_understood(requests: list[str]) -> None:
    requests = [request for request in requests if request.strip(" ") != "q"]
    _, answers = view(SEED, *requests)
    lines = collected(SEED)
    parts = [meaning(request) for request in requests]
    assert answers == ["\n" if part is None else shown(lines[part], "canonical") for part in parts]
