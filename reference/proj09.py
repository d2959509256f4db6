"""CSE 231, project 9: Spider, with one or four suits.

The handout says that a removed run gives 100 points and that each move costs 1. Variants: `canonical`, the completing
move costs 1 too; `free-completion`, it costs nothing. The demo that the handout names is lost; an accepted program asks
for the suits before it shows help and board, and shows the board once more at the end: `suits-first`, and
`suits-first-free-completion`.
"""
# For the type checker `cards` is the module of the same name that stands beside this file; here it is cards_spider.
# mypy: disable-error-code="attr-defined"

import os
import sys
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from cards import Card, Deck

try:
    from because import because  # there only when expected transcripts are generated
except ImportError:

    def because(rule: str, text: str) -> str:  # noqa: ARG001
        """Return a text to print; a rule of the handout is the reason for it."""
        return text


VARIANTS = "canonical", "free-completion", "suits-first", "suits-first-free-completion"
VARIANT = os.environ.get("REFERENCE_VARIANT", "canonical")
if VARIANT not in VARIANTS:
    print(f"REFERENCE_VARIANT is {VARIANT!r}; proj09 knows {', '.join(VARIANTS)}", file=sys.stderr)
    sys.exit(2)

FREE_COMPLETION = VARIANT.endswith("free-completion")
SUITS_FIRST = VARIANT.startswith("suits-first")

RULES = """\
Spider: remove all cards by building runs from king to ace.
Move a card, or a run of cards of one suit, to an empty stack or onto a card with the next-highest value.
A run from king to ace in one suit is removed. Deal when you cannot move: one card goes to every stack."""
HELP = """
Responses are:

\t'm [number of cards] [stack A] [stack B]' to move a certain number of cards from stack A to stack B
\t'd' to deal cards
\t'h' for help
\t'q' to quit"""
STACKS = 10
RUN = 13
POINTS_AT_START = 500
POINTS_PER_RUN = 100

AT_START = "the first four stacks get six cards and the others five, of which the last one is face up"
TURNED_UP = "a card that becomes the last one of its stack is turned up"
REMOVED = "13 cards of one run, from king to ace, are removed, also by dealing, and the card before them is turned up"
FACE_DOWN = "only the last card of a stack is turned up"
STARTS_WITH = "a game starts with 500 points"
IS_MOVED = (
    "this move is allowed: to an empty stack, or onto a card with the next-highest value, whatever its suit; "
    "several cards together when they are a run of one suit, or of any suits in the game with one suit"
)
MOVE_COSTS = "each move costs 1 point"
RUN_BRINGS = "a removed run of 13 cards, from king to ace, brings 100 points"
DEALING_COSTS = "dealing is no move and costs nothing"
IS_DEALT = "a card is dealt to each stack as long as the stock has cards and no stack is empty"
COSTS_NOTHING = "what is refused, and help, is no move and costs nothing"

Stack = list[Card]


@dataclass(frozen=True)
class Reasons:
    """The rules behind a board that is shown: for showing it, for its rows, and for the score."""

    board: str = ""
    rows: str = ""
    turned_up: str = TURNED_UP
    score: str = COSTS_NOTHING


class IllegalMoveError(Exception):
    """What the player asked for is against the rules; the message says why."""


class Game:
    """The stacks, the stock and the score. With one suit, all suits count as the same."""

    def __init__(self) -> None:
        self.stock = Deck()
        self.stock.add_deck()
        self.stock.shuffle()
        self.stacks = [self._first_cards(6 if number < 4 else 5) for number in range(STACKS)]
        self.one_suit = True
        self.score = POINTS_AT_START
        self.moves = 0
        self.turned_up: list[Card] = []
        self.reasons = Reasons(rows=AT_START, score=STARTS_WITH)

    def _first_cards(self, count: int) -> Stack:
        stack = [self._next_card() for _ in range(count)]
        for card in stack[:-1]:
            card.set_hidden()
        return stack

    def _next_card(self) -> Card:
        card = self.stock.deal()
        assert card is not None
        return card

    def deal(self) -> None:
        """Deal a card to every stack. Raises IllegalMoveError."""
        if not self.stock.cards_left():
            raise IllegalMoveError("No cards remaining in stock.")
        if not all(self.stacks):
            raise IllegalMoveError("Every stack needs a card before dealing.")
        removed = False
        for stack in self.stacks:
            stack.append(self._next_card())
            removed = self._remove_run(stack) or removed
        score = f"{DEALING_COSTS}; {RUN_BRINGS}" if removed else DEALING_COSTS
        self.reasons = Reasons(IS_DEALT, turned_up=REMOVED if removed else TURNED_UP, score=score)

    def move(self, count: int, source: int, target: int) -> None:
        """Move cards between stacks, which are numbered from 1. Raises IllegalMoveError."""
        if not (1 <= source <= STACKS and 1 <= target <= STACKS):
            raise IllegalMoveError("Invalid stack number(s).")
        from_stack, to_stack = self.stacks[source - 1], self.stacks[target - 1]
        if count > len(from_stack):
            raise IllegalMoveError("Not enough cards in stack.")
        moved = from_stack[-count:]
        if any(card.is_hidden() for card in moved):
            raise IllegalMoveError("Can't move facedown cards.")
        if to_stack and to_stack[-1].get_rank() != moved[0].get_rank() + 1:
            raise IllegalMoveError("Cards can only be moved to a card with the next-highest value.")
        if not self._is_run(moved):
            raise IllegalMoveError("Cards can only be moved together in a run of the same suit.")
        del from_stack[-count:]
        to_stack += moved
        self._show_last(from_stack)
        self.moves += 1
        completed = self._remove_run(to_stack)
        if not (completed and FREE_COMPLETION):
            self.score -= 1
        costs = "the move that completes a run costs nothing" if FREE_COMPLETION else MOVE_COSTS
        score = f"{costs}, and {RUN_BRINGS}" if completed else MOVE_COSTS
        self.reasons = Reasons(IS_MOVED, turned_up=REMOVED if completed else TURNED_UP, score=score)

    def is_won(self) -> bool:
        """Whether all cards are removed."""
        return not self.stock.cards_left() and not any(self.stacks)

    def _is_run(self, cards: Stack) -> bool:
        first = cards[0]
        return all(
            card.get_rank() == first.get_rank() - below and (self.one_suit or card.get_suit() == first.get_suit())
            for below, card in enumerate(cards)
        )

    def _remove_run(self, stack: Stack) -> bool:
        """Remove a run from king to ace at the end of the stack, if there is one."""
        last = stack[-RUN:]
        complete = len(last) == RUN and not any(card.is_hidden() for card in last) and self._is_run(last)
        if complete:
            del stack[-RUN:]
            self._show_last(stack)
            self.score += POINTS_PER_RUN
        return complete

    def _show_last(self, stack: Stack) -> None:
        if stack and stack[-1].is_hidden():
            stack[-1].show_card()
            self.turned_up.append(stack[-1])


def show_board(game: Game) -> None:
    """Print the tableau, the stock and the score."""
    reasons = game.reasons
    print(because(reasons.board, "\nTableau:") if reasons.board else "\nTableau:")
    print("".join(f"\t{number:3}" for number in range(1, STACKS + 1)))
    for row in range(max(len(stack) for stack in game.stacks)):
        cells = groupby((cell(game, stack, row) for stack in game.stacks), key=itemgetter(0))
        print("".join(because(rule, "".join(text for _, text in group)) for rule, group in cells))
    print("----------")
    print(f"Stock: {game.stock.cards_left()} cards left")
    print()
    print(because(reasons.score, f"Score: {game.score}\nMoves: {game.moves}"))
    game.reasons = Reasons()
    game.turned_up.clear()


def cell(game: Game, stack: Stack, row: int) -> tuple[str, str]:
    """Return the rule behind what is shown of a stack in a row, and the text."""
    card = stack[row] if row < len(stack) else None
    rule = ""
    if card and any(card is turned for turned in game.turned_up):
        rule = game.reasons.turned_up
    elif card and card.is_hidden():
        rule = FACE_DOWN
    return game.reasons.rows or rule, f"\t{card or ''!s:3}"


def choose_suits() -> bool:
    """Ask until the player chooses one suit (True) or four (False)."""
    while (answer := input("Command: (type '1' for one suit, type '4' for four suits) ").strip()) not in ("1", "4"):
        print("Invalid input.")
    return answer == "1"


def obey(game: Game, words: list[str]) -> None:
    """Do what the player typed, or say why not."""
    match words:
        case ["m", *numbers] if len(numbers) == 3 and all(map(is_number, numbers)) and int(numbers[0]) > 0:
            game.move(*map(int, numbers))
        case ["d"]:
            game.deal()
        case ["h"]:
            print(HELP)
        case [] | ["m" | "d" | "h" | "q", *_]:
            print("Invalid syntax.")
            print(HELP)
        case [command, *_]:
            print(f"Unknown command: {command}")


def is_number(word: str) -> bool:
    """Whether a word is a number without a sign."""
    return word.isascii() and word.isdigit()


def start(game: Game) -> None:
    """Tell the rules and the commands, show the board, and let the player choose the suits."""
    print(RULES)
    if SUITS_FIRST:
        print()
        game.one_suit = choose_suits()
    print(HELP)
    show_board(game)
    if not SUITS_FIRST:
        game.one_suit = choose_suits()


def end(game: Game) -> None:
    """Say how the game ended."""
    if game.is_won():
        print("YOU WIN!!!")
    elif SUITS_FIRST:
        show_board(game)
        print("\n----------\n")
    print(f"Turns taken: {game.moves}")
    print(f"Final score: {game.score}")
    if SUITS_FIRST:
        print()
    print("Thanks for playing!")


def play() -> None:
    """Play until the player wins or quits."""
    game = Game()
    start(game)
    while not game.is_won() and (words := input("Command:(type 'h' for help) ").split()) != ["q"]:
        try:
            obey(game, words)
        except IllegalMoveError as error:
            print(error)
        show_board(game)
    end(game)


if __name__ == "__main__":
    play()
