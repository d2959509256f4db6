"""gen-game of CS 509, assignment 3: makes games to test programs with, and knows the truth about each.

    python reference/gen_game.py [-b] [--seed N] [--kind KIND] [--piles N] [--tame [--fewest N]] [--truth FILE]

The game is printed. The truth, with the moves or the argument that prove it, is written to FILE as JSON.

Tame deals are those of which all tableaux that can be reached are few enough to be listed, so that every question about
them has an exact answer. tame_deals.txt has one for each smallest number of piles; new names for suits and ranks, and
swaps of cards that change neither property, make others of it.
"""

import argparse
import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "checkers"))

from accordion_solver.cards import RANKS, SUITS, Card, Game, Tableau, read_card, write_game
from accordion_solver.certificate import replay, write_certificate
from accordion_solver.derive import Derivable, Impossible
from accordion_solver.fewest import fewest_piles
from accordion_solver.search import Budget, Deal, Move, moved, path, reachable
from accordion_solver.truth import Bounds, bounds, decide

KINDS = "derivable", "winning", "impossible", "syntax-error"
TAME_DEALS = Path(__file__).with_name("tame_deals.txt")
MOST_TAME = 30_000
_SYNTAX_ERRORS = "short deal", "twice", "character", "half", "missing", "extra", "no pile", "too many", "empty"
_SWAPS = 3
_SECONDS = 20
_ATTEMPTS = 100


@dataclass(frozen=True)
class Made:
    """A text to feed to programs. `truth` is None for a text with a syntax error."""

    text: str
    truth: "Truth | None"


@dataclass(frozen=True)
class Truth:
    """What is certain about a game, and why."""

    game: Game
    derivable: Derivable | Impossible
    fewest: Bounds

    @property
    def answer(self) -> str:
        """What a program has to say: `impossible`, `losing` (and a winning tableau) or `winning` (nothing)."""
        if isinstance(self.derivable, Impossible):
            return "impossible"
        return "winning" if len(self.game.tableau) == self.fewest.most else "losing"

    def as_json(self) -> dict[str, Any]:
        """The truth as it is written to a file."""
        deal = self.game.deal
        argument = self.derivable.argument.words if isinstance(self.derivable, Impossible) else None
        moves = self.derivable.moves if isinstance(self.derivable, Derivable) else None
        return {
            "answer": self.answer,
            "fewest_piles": self.fewest.most,
            "fewest_is_exact": self.fewest.exact,
            "moves_to_fewest": write_certificate(deal, self.fewest.moves).splitlines(),
            "moves_to_tableau": None if moves is None else write_certificate(deal, moves).splitlines(),
            "impossible_because": argument,
        }


def random_deal(rng: random.Random) -> tuple[Card, ...]:
    """The whole deck, shuffled."""
    return tuple(rng.sample(range(len(SUITS) * len(RANKS)), len(SUITS) * len(RANKS)))


def tame_fewest() -> dict[int, tuple[Card, ...]]:
    """The tame deals of the file by their smallest number of piles."""
    deals = {}
    for line in TAME_DEALS.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            fewest, _, cards = line.split()
            pairs = [cards[place : place + 2] for place in range(0, len(cards), 2)]
            deals[int(fewest)] = tuple(card for pair in pairs if (card := read_card(pair)) is not None)
    return deals


def tame_deal(rng: random.Random, fewest: int) -> tuple[Card, ...]:
    """A deal that ends with at least `fewest` piles, and of which at most MOST_TAME tableaux can be reached."""
    deal = _renamed(rng, tame_fewest()[fewest])
    for _ in range(_SWAPS):
        other = list(deal)
        one, two = rng.sample(range(len(other)), 2)
        other[one], other[two] = other[two], other[one]
        states = reachable(Deal(tuple(other)), MOST_TAME)
        if states is not None and min(map(len, states)) == fewest:
            deal = tuple(other)
    return deal


def random_play(rng: random.Random, deal: tuple[Card, ...], piles: int = 1) -> tuple[Move, ...]:
    """Moves chosen at random until there are `piles` piles or no move is left."""
    cards = Deal(deal)
    state = cards.start
    moves: list[Move] = []
    while len(state) > piles:
        legal = [
            Move(source, target, whole)
            for source in range(1, len(state))
            for target in (source - 1, source - 2)
            if target >= 0 and state[target][0] in cards.partners[state[source][0]]
            for whole in (True, False)[: len(state[source])]
        ]
        if not legal:
            break
        move = rng.choice(legal)
        moves.append(move)
        state = moved(state, move.source, move.target, whole=move.whole)
    return tuple(moves)


def corrupted(rng: random.Random, tableau: Tableau) -> Tableau:
    """The tableau after one change that is no move: two cards or two piles swapped, or a card put elsewhere."""
    piles = [list(pile) for pile in tableau]
    one, two = (
        rng.choice([(place, depth) for place, pile in enumerate(piles) for depth in range(len(pile))]) for _ in range(2)
    )
    change = rng.randrange(3)
    if change == 0:
        piles[one[0]][one[1]], piles[two[0]][two[1]] = piles[two[0]][two[1]], piles[one[0]][one[1]]
    elif change == 1:
        card = piles[one[0]].pop(one[1])
        piles[two[0]].insert(min(two[1], len(piles[two[0]])), card)
    else:
        piles[one[0]], piles[two[0]] = piles[two[0]], piles[one[0]]
    return tuple(tuple(pile) for pile in piles if pile)


def with_syntax_error(rng: random.Random, text: str) -> str:
    """`text` with one thing wrong in it."""
    deal, *piles = text.splitlines()
    change = rng.choice(
        ["short deal", "twice", "character", "half", "missing", "extra", "no pile", "too many", "empty"]
    )
    match change:
        case "short deal":
            deal = deal[3:]
        case "twice":
            deal = f"{deal[:3]}{deal[:2]}{deal[5:]}"
        case "character":
            deal = f"X{deal[1:]}"
        case "half":
            piles[-1] = piles[-1][:-1]
        case "missing":
            piles[0] = piles[0][3:] or piles.pop(1)
        case "extra":
            piles.append(piles[0][:2])
        case "no pile":
            piles = []
        case "too many":
            piles = [*deal.split(" "), deal[:2]]
        case "empty":
            return "\n"
    return "".join(f"{line}\n" for line in (deal, *piles))


def make(rng: random.Random, kind: str, *, piles: int | None = None, fewest: int | None = None) -> Made:
    """A game of one of KINDS. With `fewest`, its deal is a tame one with that smallest number of piles.

    Raises ValueError when no tableau of that kind with so many piles was found.
    """
    answers = {"derivable": ("winning", "losing")}.get(kind, (kind,))
    for _ in range(_ATTEMPTS):
        deal = random_deal(rng) if fewest is None else tame_deal(rng, fewest)
        moves = _play(rng, deal, kind, piles, tame=fewest is not None)
        if moves is None:
            continue
        game = Game(deal, replay(deal, moves))
        if kind == "syntax-error":
            return Made(with_syntax_error(rng, write_game(game)), None)
        derivable: Derivable | Impossible | None = Derivable(moves)
        if kind == "impossible":
            game = Game(deal, corrupted(rng, game.tableau))
            derivable = decide(deal, game.tableau, _SECONDS)
        if derivable and piles in (None, len(game.tableau)):
            truth = Truth(game, derivable, bounds(deal, _SECONDS))
            if truth.answer in answers:
                return Made(write_game(game), truth)
    raise ValueError("no such game was found; ask for another number of piles")


def _renamed(rng: random.Random, deal: tuple[Card, ...]) -> tuple[Card, ...]:
    suits = rng.sample(range(len(SUITS)), len(SUITS))
    ranks = rng.sample(range(len(RANKS)), len(RANKS))
    return tuple(13 * suits[card // 13] + ranks[card % 13] for card in deal)


def _play(
    rng: random.Random, deal: tuple[Card, ...], kind: str, piles: int | None, *, tame: bool
) -> tuple[Move, ...] | None:
    """The moves of a game to start from; None when it has not the number of piles asked for."""
    cards = Deal(deal)
    if not tame and kind == "winning":
        return fewest_piles(cards, Budget.of(_SECONDS)).moves
    if not tame:
        return random_play(rng, deal, piles or 1)
    states = reachable(cards, MOST_TAME) or {}
    wanted = min(map(len, states)) if kind == "winning" else piles
    fitting = [state for state in states if wanted in (None, len(state))]
    return path(states, rng.choice(fitting)) if fitting else None


def main() -> int:
    """Make one game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-b", dest="bad", action="store_true", help="a tableau that cannot be derived")
    parser.add_argument("--seed", type=int, help="the same seed makes the same game")
    parser.add_argument("--kind", choices=KINDS, default="derivable")
    parser.add_argument("--piles", type=int, help="of the tableau")
    parser.add_argument("--tame", action="store_true", help="a deal all of whose tableaux can be listed")
    parser.add_argument("--fewest", type=int, help="the smallest number of piles that a tame deal can end with")
    parser.add_argument("--truth", type=Path, help="write the truth about the game here")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    fewest = options.fewest
    if options.tame and fewest is None:
        fewest = rng.choice(sorted(tame_fewest()))
    elif fewest is not None and fewest not in tame_fewest():
        parser.error(f"--fewest is a number from {min(tame_fewest())} to {max(tame_fewest())}")
    try:
        made = make(rng, "impossible" if options.bad else options.kind, piles=options.piles, fewest=fewest)
    except ValueError as error:
        parser.error(str(error))
    print(made.text, end="")
    if options.truth:
        content = made.truth.as_json() if made.truth else {"answer": "syntax-error"}
        options.truth.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
