"""The second solitaire game of COMP9021 25T3, assignment 1: the game and simulate (handout, section 4)."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.programs import SAMPLES, collected, load, output, simulation, view

HANDOUT_DECK = """
    11 12 22 38 15 16 14 28 4 34 46 48 33 18 5 17 27 37 50 51 31 41 9 1 39 3 29 40 43 23 25 13 19 35 26 42
    24 32 44 45 6 36 8 47 2 30 10 49 21 0 20 7
"""
SEEDS = st.integers(min_value=0, max_value=1_000_000)
CARD_BLOCKS = 0x1F0B0, 0x1F0C0, 0x1F0D0, 0x1F0A0
PLACE_IN_BLOCK = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14
CARDS = [chr(block + place) for block in CARD_BLOCKS for place in PLACE_IN_BLOCK]
DRAWN = "the card drawn from the stack"
TOP = "the top card of the discard pile"
SUCCESSES = {
    "Starting a column",
    "Starting a row",
    f"Extending a column by using {DRAWN}",
    f"Extending a row by using {DRAWN}",
    f"Extending a column by using {TOP}",
    f"Extending a row by using {TOP}",
}
SMILE = "\N{SMILING FACE WITH SMILING EYES}\N{VARIATION SELECTOR-16}"
FROWN = "\N{WHITE FROWNING FACE}\N{VARIATION SELECTOR-16}"


def cards_left(lines: list[str]) -> int:
    """Count the cards that the last table shown does not have."""
    last_success = max((number for number, line in enumerate(lines) if line.endswith(SMILE)), default=None)
    assert last_success is not None
    table = lines[last_success + 3 : last_success + 10]
    return 52 - sum(line.count(card) for line in table for card in CARDS)


@pytest.mark.parametrize("sample", ["seed32-won-two-rounds", "seed167-lost"])
def test_prints_the_sample_games(sample: str) -> None:
    seed = int(re.findall("[0-9]+", sample)[0])
    head, _ = view(seed, variant="course")
    assembled = head + "\n".join([*collected(seed, "course"), ""])
    assert assembled.encode() == (SAMPLES / "solitaire_2" / f"{sample}.stdout.txt").read_bytes()


def test_prints_the_sample_simulation() -> None:
    expected = (SAMPLES / "solitaire_2" / "simulate-10-0.stdout.txt").read_bytes()
    assert simulation("solitaire_2", 10, 0).encode() == expected


def test_importing_prints_nothing_and_asks_for_nothing() -> None:
    assert output("-c", "import solitaire_2") == ""


def test_shuffles_as_the_handout_does() -> None:
    assert load("solitaire_2").shuffled_deck(678) == [int(card) for card in HANDOUT_DECK.split()]


@pytest.mark.slow
def test_outcomes_of_ten_thousand_games() -> None:
    module = load("solitaire_2")
    outcomes = Counter(module.cards_left_at_end(module.shuffled_deck(seed)) for seed in range(10_000))
    assert outcomes[0] == 5_000
    assert outcomes[1] == 0
    assert f"{'0':>20} |    50.00%\n" in simulation("solitaire_2", 10_000, 0)


def test_seed_32_is_the_first_to_win_in_two_rounds() -> None:
    module = load("solitaire_2")
    nb_of_rounds = []
    for seed in range(33):
        lines = [line for _, line in module.collected_output(module.Game(module.shuffled_deck(seed)))]
        nb_of_rounds.append(sum(line.startswith("Starting") and line.endswith("round...") for line in lines))
    assert nb_of_rounds == [3] * 32 + [2]
    assert cards_left(collected(32)) == 0


def test_the_variants_differ_in_the_round_lines_only() -> None:
    def renamed(line: str) -> str:
        return re.sub("^Starting (?=(first|second|third) round)", "Starting the ", line)

    assert collected(32, "course") == [renamed(line) for line in collected(32)] != collected(32)
    assert collected(32, "course-tight") == collected(32, "course")
    assert collected(32, "canonical") == collected(32)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_the_lines_are_blocks_separated_by_empty_lines(seed: int) -> None:
    lines = collected(seed)
    assert lines[0]
    assert lines[-1]
    ordinals = []
    position = -1
    while position < len(lines):
        position += 1
        line = lines[position]
        if match := re.fullmatch(r"Starting (first|second|third) round\.\.\.", line):
            ordinals.append(match[1])
            block_ends = position + 1
        elif line.removesuffix(f" {SMILE}") in SUCCESSES:
            assert line.endswith(f" {SMILE}")
            block_ends = position + 10
        elif line == f"Cannot use {DRAWN} {FROWN}":
            block_ends = position + 3
        else:
            assert line == f"Cannot use {TOP} {FROWN}"
            block_ends = position + 1
        if block_ends == len(lines):
            break
        assert lines[block_ends] == ""
        position = block_ends
        if lines[position + 1] == "":
            position += 1
            assert lines[position + 1].endswith("round...")
    assert ordinals == ["first", "second", "third"][: len(ordinals)]


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_every_card_is_in_one_place(seed: int) -> None:
    lines = collected(seed)
    placed: set[str] = set()
    for position, line in enumerate(lines):
        if not line.endswith(SMILE):
            continue
        stack, pile, *table = lines[position + 1 : position + 10]
        shown = [character for row in table for character in row if character in CARDS]
        assert len(stack) + len(pile) + len(shown) == 52
        assert stack == "]" * len(stack)
        assert pile == "" or re.fullmatch(r"\[*[^\[]", pile)
        assert len(set(shown)) == len(shown)
        assert len(set(shown) - placed) == 1
        placed = set(shown)


def rank(card: str) -> int:
    return CARDS.index(card) % 13 + 1


def is_red(card: str) -> bool:
    return CARDS.index(card) < 26


def is_run(cards: list[str], first_rank: int) -> bool:
    """Tell whether cards start with a rank, go up by two ranks and alternate in colour."""
    ranks = [rank(card) for card in cards]
    colours = [is_red(card) for card in cards]
    return ranks == list(range(first_rank, first_rank + 2 * len(cards), 2)) and all(
        one != other for one, other in pairwise(colours)
    )


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_the_table_has_columns_that_stand_and_rows_that_lie(seed: int) -> None:
    lines = collected(seed)
    for position, line in enumerate(lines):
        if not line.endswith(SMILE):
            continue
        table = lines[position + 3 : position + 10]
        cells = [(row.split("\t") + [""] * 6)[:6] for row in table]
        assert ["\t".join(row).rstrip("\t") for row in cells] == table
        assert all(row[4] == "" for row in cells)
        columns = [[row[number] for row in reversed(cells)] for number in range(4)]
        assert all(is_run([card for card in column if card], 1) for column in columns)
        assert all("" not in column[: 7 - column.count("")] for column in columns)
        heights = [7 - column.count("") for column in columns]
        assert 0 not in heights[: 4 - heights.count(0)]
        rows = [row[5].split(" ") if row[5] else [] for row in cells]
        assert all(is_run(row, 2) for row in rows)
        assert [] not in rows[: 7 - rows.count([])]
        assert rows[4:] == [[], [], []]


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_no_line_ends_with_a_blank(seed: int) -> None:
    assert all(line == line.rstrip() for line in collected(seed))


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(n=st.integers(min_value=1, max_value=6), i=SEEDS)
def test_simulate_agrees_with_the_single_games(n: int, i: int) -> None:
    counts = Counter(cards_left(collected(seed)) for seed in range(i, i + n))
    rows = [f"{left:>20} | {100 * count / n:>8.2f}%" for left, count in sorted(counts.items())]
    assert simulation("solitaire_2", n, i).splitlines() == ["Number of cards left | Frequency", "-" * 32, *rows]


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(n=st.integers(min_value=1, max_value=2000), i=st.integers(min_value=-1000, max_value=1_000_000))
def test_frequencies_are_shares_of_all_games(n: int, i: int) -> None:
    lines = simulation("solitaire_2", n, i).splitlines()[2:]
    rows = [re.fullmatch(r"([ 0-9]{20}) \| ([ .0-9]{8})%", line) for line in lines]
    numbers = [int(row[1]) for row in rows if row]
    frequencies = [float(row[2]) for row in rows if row]
    assert len(numbers) == len(lines)
    assert numbers == sorted(set(numbers))
    assert sum(frequencies) == pytest.approx(100, abs=0.005 * len(lines) + 1e-9)
