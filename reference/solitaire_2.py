"""COMP9021 25T3, assignment 1: the second solitaire game (handout, section 4)."""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from random import seed, shuffle

try:
    from because import because  # there only when expected transcripts are generated
except ImportError:

    def because(rule: str, text: str) -> str:  # noqa: ARG001
        """Return a text to print; a rule of the handout is the reason for it."""
        return text


# Which accepted reading of the handout to print. It is chosen when the reference is run, never by a player.
VARIANTS = "canonical", "course", "course-tight"
VARIANT = os.environ.get("REFERENCE_VARIANT", "canonical")
if VARIANT not in VARIANTS:
    print(f"REFERENCE_VARIANT is {VARIANT!r}; solitaire_2 knows {', '.join(VARIANTS)}", file=sys.stderr)
    sys.exit(2)

ROUND_LINE = "Starting {} round..." if VARIANT == "canonical" else "Starting the {} round..."
SHOWS_RESULT = VARIANT != "canonical"
SPACED_REQUESTS = VARIANT == "course"

ALL_GAMES = (
    "all n games count: seed() gets i, i + 1 and so on up to i + n - 1, each time a new sorted deck is shuffled, "
    "and each game starts with nothing on the table"
)
ROUNDS = "a new round starts as long as cards are left on the discard pile, up to three rounds"

SUCCESS = "\N{SMILING FACE WITH SMILING EYES}\N{VARIATION SELECTOR-16}"
FAILURE = "\N{WHITE FROWNING FACE}\N{VARIATION SELECTOR-16}"

CARDS_PER_SUIT = 13
CARDS_IN_DECK = 4 * CARDS_PER_SUIT
ACES = "\U0001f0b1\U0001f0c1\U0001f0d1\U0001f0a1"  # of Hearts, Diamonds, Clubs and Spades
# The place of Ace to King after the Ace in Unicode, which has a Knight between the Jack and the Queen.
AFTER_ACE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13
FACES = [chr(ord(ace) + steps) for ace in ACES for steps in AFTER_ACE]

LONGEST_COLUMN = 7
NB_OF_COLUMNS = 4

# No number that is in range has more than nine digits, not counting leading zeros.
NUMBER = "0*([0-9]{1,9})"
QUIT = re.compile(" *q *")
LAST_LINE = re.compile(f" *{NUMBER} *")
FIRST_LINE = re.compile(f" *-{NUMBER} *")
RANGE_OF_LINES = re.compile(f" *{NUMBER} *-- *{NUMBER} *")


def is_in_row(card: int) -> bool:
    """Tell whether a card has its place in a row, not in a column."""
    return card % CARDS_PER_SUIT % 2 == 1


def starts_a_line(card: int) -> bool:
    """Tell whether a card is an Ace or a Two."""
    return card % CARDS_PER_SUIT < 2


def step(card: int) -> int:
    """Return the number of a card's step on one of four ladders that go up two ranks and change colour.

    Two ladders are for columns and two for rows, starting with red or with black. A ladder's steps are
    successive numbers. A card can extend what ends on the step just below its own; the step below an Ace or
    a Two is the ground, where nothing has been placed yet.
    """
    suit, rank = divmod(card, CARDS_PER_SUIT)
    is_black, height = suit // 2, rank // 2
    starts_with_black = (is_black + height) % 2
    ground = (2 * is_in_row(card) + starts_with_black) * (LONGEST_COLUMN + 1)
    return ground + 1 + height


STEPS = [step(card) for card in range(CARDS_IN_DECK)]
# How many columns or rows end on each step at the start of a game: on each ground, two still to be started.
STARTING_ENDS = ([2] + [0] * LONGEST_COLUMN) * 4


def shuffled_deck(seed_value: int) -> list[int]:
    """Return the numbers of the 52 cards; the last card is the top of the deck."""
    deck = list(range(CARDS_IN_DECK))
    seed(seed_value)
    shuffle(deck)
    return deck


def place(card: int, ends: list[int]) -> bool:
    """Place a card if some column or row can take it; tell whether it could."""
    own_step = STEPS[card]
    if not ends[own_step - 1]:
        return False
    ends[own_step - 1] -= 1
    ends[own_step] += 1
    return True


class Game:
    """The rules. The last card of the stack and the last card of the pile are their tops."""

    def __init__(self, deck: list[int]) -> None:
        self.stack = deck
        self.pile: list[int] = []
        # Which of two columns or rows that end on the same step is extended does not change what can be done
        # next, so it is enough to know how many end on each step.
        self.ends = STARTING_ENDS.copy()

    def rounds(self) -> Iterator[str]:
        """Yield the ordinal of each round as it starts, at most three."""
        yield "first"
        for ordinal in "second", "third":
            if not self.pile:
                return
            self.stack, self.pile = self.pile[::-1], []
            yield ordinal

    def play_round(self) -> Iterator[tuple[str, int, bool]]:
        """Yield, for each card tried, where it comes from, the card, and whether it has been placed."""
        stack, pile, ends = self.stack, self.pile, self.ends
        while stack:
            card = stack.pop()
            placed = place(card, ends)
            if not placed:
                pile.append(card)
            yield "card drawn from the stack", card, placed
            while placed and pile:
                card = pile[-1]
                placed = place(card, ends)
                if placed:
                    pile.pop()
                yield "top card of the discard pile", card, placed


class Table:
    """The columns, from left to right, and the rows, from top to bottom, as they are shown."""

    def __init__(self) -> None:
        self.columns: list[list[int]] = []
        self.rows: list[list[int]] = []

    def add(self, card: int) -> None:
        """Start a column or row with a card, or extend with it the leftmost column or topmost row it fits."""
        lines = self.rows if is_in_row(card) else self.columns
        if starts_a_line(card):
            lines.append([card])
        else:
            next(line for line in lines if STEPS[line[-1]] == STEPS[card] - 1).append(card)

    def show(self) -> Iterator[str]:
        """Yield seven lines: the columns, standing on the last line, and to their right the rows."""
        for i in range(LONGEST_COLUMN):
            height = LONGEST_COLUMN - i
            cells = [FACES[column[height - 1]] if len(column) >= height else "" for column in self.columns]
            cells += [""] * (NB_OF_COLUMNS + 1 - len(cells))
            cells.append(" ".join(FACES[card] for card in self.rows[i]) if i < len(self.rows) else "")
            yield "\t".join(cells).rstrip("\t")


def message(source: str, card: int, placed: bool) -> str:
    """Say what has happened to a card."""
    if not placed:
        return f"Cannot use the {source} {FAILURE}"
    line = "row" if is_in_row(card) else "column"
    if starts_a_line(card):
        return f"Starting a {line} {SUCCESS}"
    return f"Extending a {line} by using the {source} {SUCCESS}"


def reason(source: str, card: int, placed: bool) -> str:
    """Name the rule (handout, 4) behind what has happened to a card."""
    if not placed and source == "card drawn from the stack":
        return "a card drawn that extends no column and no row goes face up on the discard pile"
    if not placed:
        return "it stays there when it can extend no column and no row"
    line, first = ("row", "topmost row") if is_in_row(card) else ("column", "leftmost column")
    if starts_a_line(card):
        return f"an Ace starts a column and a Two a row: here the next {line}"
    return f"the card goes two ranks higher and in the other colour on the {first} that it can extend"


def occasion(source: str, previous: str, ordinal: str) -> str:
    """Name the rule (handout, 4) by which a card is tried now, after one of the `previous` source in the same round."""
    if source == "top card of the discard pile":
        if previous == source:
            return "when the top card of the discard pile has been placed, the next one is tried too: "
        return "when a card has been placed, the top card of the discard pile, the one discarded last, is tried too: "
    if not previous and ordinal != "first":
        return "a new round turns the discard pile over, so that the card discarded first is drawn first: "
    return ""


def stack_and_pile(game: Game) -> Iterator[str]:
    """Yield two lines: the stack, face down, and the pile, face down but for its top."""
    yield "]" * len(game.stack)
    yield "[" * (len(game.pile) - 1) + "".join(FACES[card] for card in game.pile[-1:])


def collected_output(game: Game) -> list[tuple[str, str]]:
    """Play a game and return the lines that describe it, each after its rule, which may be empty."""
    lines: list[tuple[str, str]] = []
    table = Table()
    for ordinal in game.rounds():
        if lines:
            lines += [("", ""), ("", "")]
        lines.append((ROUNDS if lines else "", ROUND_LINE.format(ordinal)))
        previous = ""
        for source, card, placed in game.play_round():
            shown = [message(source, card, placed)]
            if placed:
                table.add(card)
                shown += [*stack_and_pile(game), *table.show()]
            elif source == "card drawn from the stack":
                shown += stack_and_pile(game)
            rule = reason(source, card, placed)
            tried = occasion(source, previous, ordinal)
            lines += [("", ""), (tried + rule, shown[0]), *((rule, line) for line in shown[1:])]
            previous = source
    return lines


def requested(request: str, lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the lines asked for, or no line if the request is not valid."""
    rule = ""
    if match := LAST_LINE.fullmatch(request):
        first, last = 1, int(match[1])
    elif match := FIRST_LINE.fullmatch(request):
        first, last = len(lines) + 1 - int(match[1]), len(lines)
        rule = "a first line number -n asks for the last n lines" if first > 1 else ""
    elif match := RANGE_OF_LINES.fullmatch(request):
        first, last = int(match[1]), int(match[2])
        rule = "a range m--n asks for the lines from m to n, both of them included" if first > 1 else ""
    else:
        return []
    return beginning_by(rule, lines[first - 1 : last]) if 1 <= first <= last <= len(lines) else []


def beginning_by(rule: str, selected: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the lines with another rule, if there is any, up to the first one that is not blank."""
    start = next((place for place, (_, line) in enumerate(selected, 1) if line), len(selected)) if rule else 0
    return [(rule, line) for _, line in selected[:start]] + selected[start:]


def prompt_for_request(nb_of_lines: int) -> str:
    """Show the menu and return what is typed."""
    print("Enter: q to quit")
    print(f"       a last line number (between 1 and {nb_of_lines})")
    print(f"       a first line number (between -1 and -{nb_of_lines})")
    print(f"       a range of line numbers (of the form m--n with 1 <= m <= n <= {nb_of_lines})")
    return input("       ")


def view(lines: list[tuple[str, str]]) -> None:
    """Show the lines that are asked for, again and again, until asked to quit."""
    print(f"There are {len(lines)} lines of output; what do you want me to do?")
    print()
    while not QUIT.fullmatch(request := prompt_for_request(len(lines))):
        selected = requested(request, lines)
        if selected and SPACED_REQUESTS:
            print()
        for rule, line in selected:
            print(because(rule, line) if rule else line)
        print()


def print_result(cards_left: int) -> None:
    if cards_left == 0:
        print("You placed all cards, you won \N{THUMBS UP SIGN}")
    else:
        cards = "card" if cards_left == 1 else "cards"
        print(f"You could not place {cards_left} {cards}, you lost \N{THUMBS DOWN SIGN}")


def play_one_game() -> None:
    game = Game(shuffled_deck(int(input("Enter an integer to pass to the seed() function: "))))
    lines = collected_output(game)
    print()
    if SHOWS_RESULT:
        print_result(len(game.pile))
        print()
    view(lines)


def cards_left_at_end(deck: list[int]) -> int:
    """Play a game without showing it."""
    game = Game(deck)
    for _ in game.rounds():
        for _ in game.play_round():
            pass
    return len(game.pile)


def simulate(n: int, i: int) -> None:
    """Play the n games of seeds i to i + n - 1 and print how often each number of cards is left."""
    outcomes = Counter(cards_left_at_end(shuffled_deck(seed_value)) for seed_value in range(i, i + n))
    print("Number of cards left | Frequency")
    print("-" * 32)
    for cards_left, count in sorted(outcomes.items()):
        print(because(ALL_GAMES, f"{cards_left:20} | {count / n:9.2%}"))


if __name__ == "__main__":
    play_one_game()
