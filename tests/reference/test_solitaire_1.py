"""The first solitaire game of COMP9021 25T3, assignment 1 (handout, section 3)."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.programs import PROMPT, SAMPLES, load, output, simulation

WON = f"{PROMPT}So glad that you won! \N{SMILING FACE WITH SMILING EYES}"
LOST = f"{PROMPT}So sorry that you lost! \N{WHITE FROWNING FACE}"
SUITS = "HEARTS", "DIAMONDS", "CLUBS", "SPADES"
CARD_BLOCK = {"HEARTS": 0x1F0B0, "DIAMONDS": 0x1F0C0, "CLUBS": 0x1F0D0, "SPADES": 0x1F0A0}
PLACE_IN_BLOCK = 7, 8, 9, 10, 11, 13, 14, 1
CARDS = [chr(CARD_BLOCK[suit] + place) for suit in SUITS for place in PLACE_IN_BLOCK]
SEEDS = st.integers(min_value=0, max_value=1_000_000)


def game(seed: int, variant: str | None = None) -> list[str]:
    """Return the lines that a game prints."""
    printed = output("solitaire_1.py", typed=[str(seed)], variant=variant)
    assert printed.endswith("\n")
    return printed[:-1].split("\n")


def pairs_of_cards(row: str) -> list[list[str]]:
    """Read a row: four spaces before each pair of cards, one space inside, nothing more."""
    assert re.fullmatch("(    [^ ] [^ ])*", row)
    return [[pair[4], pair[6]] for pair in re.findall("    . .", row)]


def squares_shown(seed: int) -> list[list[str]]:
    """Return the squares that a game shows."""
    squares: list[list[str]] = []
    lines = game(seed)[1:]
    for empty, first_row, second_row in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        assert empty == ""
        assert len(squares) % 6 == 0
        tops, bottoms = pairs_of_cards(first_row), pairs_of_cards(second_row)
        assert 1 <= len(tops) <= 6
        assert len(tops) - len(bottoms) in {0, 1}
        squares += [top + bottom for top, bottom in zip(tops, [*bottoms, []], strict=False)]
    return squares


def suit(card: str) -> int:
    return CARDS.index(card) // 8


def to_discard(square: list[str]) -> set[int]:
    """Return the locations to discard, by the three cases of the handout (3.1)."""
    suits = [suit(card) for card in square]
    discarded: set[int] = set()
    for each in set(suits):
        locations = [location for location, other in enumerate(suits) if other == each]
        if len(locations) in {2, 4}:
            discarded.update(locations)
        elif len(locations) == 3:
            discarded.update(locations[:2])
    return discarded


@pytest.mark.parametrize("sample", ["seed0-lost", "seed3-won"])
def test_prints_the_sample_games(sample: str) -> None:
    seed = re.findall("[0-9]+", sample)[0]
    expected = (SAMPLES / "solitaire_1" / f"{sample}.stdout.txt").read_bytes()
    assert output("solitaire_1.py", typed=[seed]).encode() == expected


def test_prints_the_sample_simulation() -> None:
    expected = (SAMPLES / "solitaire_1" / "simulate-10-0.stdout.txt").read_bytes()
    assert simulation("solitaire_1", 10, 0).encode() == expected


def test_importing_prints_nothing_and_asks_for_nothing() -> None:
    assert output("-c", "import solitaire_1") == ""


def test_faces() -> None:
    assert game(3)[0] == WON
    assert game(0)[0] == LOST + "\N{VARIATION SELECTOR-16}"
    assert game(0, "canonical") == game(0)


def test_the_plain_face_variant_differs_only_in_the_sad_face() -> None:
    assert game(3, "plain-face") == game(3)
    assert game(0, "plain-face") == [LOST, *game(0)[1:]]


@pytest.mark.parametrize("seed", [72, 74, 144])
def test_two_cards_alone_have_an_empty_second_row(seed: int) -> None:
    lines = game(seed)
    assert lines[0] == WON
    assert len(lines) == 10
    assert lines[-3] == lines[-1] == ""
    assert re.fullmatch("    [^ ] [^ ]", lines[-2])
    assert len(squares_shown(seed)) == 13


def test_two_cards_among_other_squares_shorten_the_second_row() -> None:
    module = load("solitaire_1")
    games = {seed: module.play(module.shuffled_deck(seed)) for seed in range(200)}
    seed = next(seed for seed, squares in games.items() if len(squares[-1]) == 2 and len(squares) != 13)
    first_row, second_row = game(seed)[-2:]
    assert len(pairs_of_cards(first_row)) == len(pairs_of_cards(second_row)) + 1 > 1


def test_outcomes_of_ten_thousand_games() -> None:
    module = load("solitaire_1")
    outcomes: Counter[tuple[int, int]] = Counter()
    two_cards_alone = []
    for seed in range(10_000):
        deck = module.shuffled_deck(seed)
        squares = module.play(deck)
        outcomes[len(deck), len(squares)] += 1
        if len(squares) == 13 and len(squares[-1]) == 2:
            two_cards_alone.append(seed)
    wins = {rounds: count for (cards_left, rounds), count in outcomes.items() if cards_left == 0}
    assert sum(wins.values()) == 2185
    assert set(wins) == set(range(10, 16))
    assert {cards_left for cards_left, _ in outcomes} == {0, *range(4, 29, 2)}
    assert two_cards_alone[:3] == [72, 74, 144]
    assert len(two_cards_alone) / 10_000 == pytest.approx(0.015, abs=0.001)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_every_square_follows_from_the_one_before_by_the_rules(seed: int) -> None:
    deck = [CARDS[card] for card in load("solitaire_1").shuffled_deck(seed)]
    squares = squares_shown(seed)
    assert squares[0] == [deck.pop() for _ in range(4)]
    for square, next_square in pairwise(squares):
        discarded = to_discard(square)
        assert deck
        assert discarded
        if len(deck) < len(discarded):
            assert next_square == [deck.pop(), deck.pop()]
        else:
            assert next_square == [
                deck.pop() if location in discarded else card for location, card in enumerate(square)
            ]
    assert not deck or not to_discard(squares[-1])
    assert game(seed)[0] == (LOST + "\N{VARIATION SELECTOR-16}" if deck else WON)
    assert len(deck) % 2 == 0


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(n=st.integers(min_value=1, max_value=8), i=SEEDS)
def test_simulate_agrees_with_the_single_games(n: int, i: int) -> None:
    cards_left: Counter[int] = Counter()
    outcomes: Counter[tuple[int, int]] = Counter()
    for seed in range(i, i + n):
        squares = squares_shown(seed)
        left = 32 - len({card for square in squares for card in square})
        cards_left[left] += 1
        outcomes[left, len(squares)] += 1
    expected = ["Number of cards left | Number of rounds | Frequency", "-" * 51]
    for left, rounds in sorted(outcomes):
        possible = [other for same, other in sorted(outcomes) if same == left]
        share = f" ({100 * outcomes[left, rounds] / n:.2f}%)" if len(possible) > 1 else ""
        cell = f"{rounds:>2}{share}".ljust(16)
        if rounds == possible[0]:
            expected.append(f"{left:>20} | {cell} | {100 * cards_left[left] / n:>8.2f}%")
        else:
            expected.append(f"{' ' * 20} | {cell} |")
    assert simulation("solitaire_1", n, i) == "\n".join([*expected, ""])


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(n=st.integers(min_value=1, max_value=2000), i=st.integers(min_value=-1000, max_value=1_000_000))
def test_frequencies_are_shares_of_all_games(n: int, i: int) -> None:
    lines = simulation("solitaire_1", n, i).splitlines()
    first_row = re.compile(r"([ 0-9]{20}) \| ([ 0-9]{2})(?: \(([.0-9]+)%\))? +\| ([ .0-9]{8})%")
    later_row = re.compile(r"( {20}) \| ([ 0-9]{2}) \(([.0-9]+)%\) *\|")
    totals: dict[int, float] = {}
    shares: list[list[float]] = []
    for line in lines[2:]:
        assert "\t" not in line
        if row := first_row.fullmatch(line):
            assert len(line) == 51
            totals[int(row[1])] = float(row[4])
            shares.append([float(row[3] or row[4])])
        else:
            row = later_row.fullmatch(line)
            assert row
            shares[-1].append(float(row[3]))
    assert sum(totals.values()) == pytest.approx(100, abs=0.005 * len(totals) + 1e-9)
    assert list(totals) == sorted(totals)
    for total, group in zip(totals.values(), shares, strict=True):
        assert sum(group) == pytest.approx(total, abs=0.005 * (len(group) + 1) + 1e-9)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_no_line_ends_with_a_blank(seed: int) -> None:
    assert all(line == line.rstrip() and "\t" not in line for line in game(seed))
