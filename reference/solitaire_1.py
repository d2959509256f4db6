"""COMP9021 25T3, assignment 1: the first solitaire game (handout, section 3)."""

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import seed, shuffle

try:
    from because import because  # there only when expected transcripts are generated
except ImportError:

    def because(rule: str, text: str) -> str:  # noqa: ARG001
        """Return a text to print; a rule of the handout is the reason for it."""
        return text


# Which accepted reading of the handout to print. It is chosen when the reference is run, never by a player.
VARIANTS = "canonical", "plain-face"
VARIANT = os.environ.get("REFERENCE_VARIANT", "canonical")
if VARIANT not in VARIANTS:
    print(f"REFERENCE_VARIANT is {VARIANT!r}; solitaire_1 knows {', '.join(VARIANTS)}", file=sys.stderr)
    sys.exit(2)

WON = "So glad that you won! \N{SMILING FACE WITH SMILING EYES}"
LOST = "So sorry that you lost! \N{WHITE FROWNING FACE}"
if VARIANT == "canonical":
    LOST += "\N{VARIATION SELECTOR-16}"

CARDS_PER_SUIT = 8
CARDS_IN_DECK = 4 * CARDS_PER_SUIT
ACES = "\U0001f0b1\U0001f0c1\U0001f0d1\U0001f0a1"  # of Hearts, Diamonds, Clubs and Spades
# The place of Seven to Ace after the Ace in Unicode, which has a Knight between the Jack and the Queen.
AFTER_ACE = 6, 7, 8, 9, 10, 12, 13, 0
FACES = [chr(ord(ace) + steps) for ace in ACES for steps in AFTER_ACE]

RULES = {
    2: "two cards of one suit: both go",
    3: "three cards of one suit: the two in the lowest-numbered locations go",
    4: "two cards each of two suits, or four of one suit: all four go",
}

SQUARES_PER_LINE = 6
INDENT = " " * 4
ALL_GAMES = (
    "all n games count: seed() gets i, i + 1 and so on up to i + n - 1, and each time a new sorted deck is shuffled"
)
LEFT = "cards left are those in the deck at the end, and their rows are in ascending order"
SHARE = "a share is one of all n games"
ASCENDING = (
    "rows of equal cards left are in ascending order of rounds; a round is a square, and a share is one of all n games"
)


def shuffled_deck(seed_value: int) -> list[int]:
    """Return the numbers of the 32 cards; the last card is the top of the deck."""
    deck = list(range(CARDS_IN_DECK))
    seed(seed_value)
    shuffle(deck)
    return deck


def pairs(square: list[int]) -> list[int]:
    """Return the cards to discard: two of a suit, the first two of three, or all four."""
    suits = defaultdict(list)
    for card in square:
        suits[card // CARDS_PER_SUIT].append(card)
    return [card for cards in suits.values() for card in cards[: len(cards) // 2 * 2]]


def refill(square: list[int], discarded: list[int], deck: list[int]) -> list[int]:
    """Replace the discarded cards from the top of the deck, in order of location, until the deck is empty.

    Two cards may have to replace four; then the new square has only locations 1 and 2.
    """
    new_square = []
    for card in square:
        if card not in discarded:
            new_square.append(card)
        elif deck:
            new_square.append(deck.pop())
    return new_square


def play(deck: list[int]) -> list[list[int]]:
    """Play a game, leaving in the deck the cards that are never drawn.

    Return the successive squares, each one a list of the cards at locations 1, 2, and usually 3 and 4.
    """
    square = [deck.pop() for _ in range(4)]
    squares = [square]
    while deck and (discarded := pairs(square)):
        square = refill(square, discarded, deck)
        squares.append(square)
    return squares


def reasons(squares: list[list[int]]) -> list[str]:
    """Name the rule (handout, 3.1) behind each square: which cards of the one before were replaced."""
    found = ["the top four cards are revealed first, from location 1 to location 4"]
    for square in squares[:-1]:
        of_a_suit = Counter(card // CARDS_PER_SUIT for card in square)
        rule = RULES[max(of_a_suit.values()) if len(pairs(square)) < 4 else 4]
        found.append(f"{rule}, and cards from the top of the deck fill the lowest-numbered locations first")
    return found


def row(squares: list[list[int]], rules: list[str], location: int) -> str:
    """Show, of every square, the card at a location and the one after it, if the square has them."""
    shown = zip((square[location : location + 2] for square in squares), rules, strict=True)
    return "".join(because(rule, f"{INDENT}{FACES[two[0]]} {FACES[two[1]]}") for two, rule in shown if two)


def play_one_game() -> None:
    deck = shuffled_deck(int(input("Enter an integer to pass to the seed() function: ")))
    squares = play(deck)
    rules = reasons(squares)
    if deck:
        print(because("the game is lost if one card of each suit is on the table while cards remain in the deck", LOST))
    else:
        print(because("the game is won when the deck is empty", WON))
    for start in range(0, len(squares), SQUARES_PER_LINE):
        line_of_squares = squares[start : start + SQUARES_PER_LINE]
        their_rules = rules[start : start + SQUARES_PER_LINE]
        print()
        print(row(line_of_squares, their_rules, 0))
        print(row(line_of_squares, their_rules, 2))


def report(outcomes: Counter[tuple[int, int]], n: int) -> Iterator[str]:
    """Yield the table's rows, given how many of the n games ended with (cards left, number of rounds)."""
    rounds_by_cards_left = defaultdict(list)
    for cards_left, nb_of_rounds in sorted(outcomes):
        rounds_by_cards_left[cards_left].append(nb_of_rounds)
    for cards_left, possible_rounds in rounds_by_cards_left.items():
        total = sum(outcomes[cards_left, nb_of_rounds] for nb_of_rounds in possible_rounds)
        first_cell, last_cell = f"{cards_left:20}", f" {total / n:9.2%}"
        for nb_of_rounds in possible_rounds:
            rounds_cell = f"{nb_of_rounds:2}"
            if len(possible_rounds) > 1:
                rounds_cell += f" ({outcomes[cards_left, nb_of_rounds] / n:.2%})"
            shown_rounds = because(ASCENDING, f"{rounds_cell:16} |")
            shown_left = because(ALL_GAMES, f"{first_cell:20}"[:-2]) + because(LEFT, f"{first_cell:20} | "[-5:])
            yield shown_left + shown_rounds + because(SHARE, last_cell)
            first_cell = last_cell = ""


def simulate(n: int, i: int) -> None:
    """Play the n games of seeds i to i + n - 1 and print how often each outcome occurs."""
    outcomes: Counter[tuple[int, int]] = Counter()
    for seed_value in range(i, i + n):
        deck = shuffled_deck(seed_value)
        nb_of_rounds = len(play(deck))
        outcomes[len(deck), nb_of_rounds] += 1
    print("Number of cards left | Number of rounds | Frequency")
    print("-" * 51)
    for line in report(outcomes, n):
        print(line)


if __name__ == "__main__":
    play_one_game()
