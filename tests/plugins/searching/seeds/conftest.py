"""A course with a game of high and low that has a provided module and two variants."""

from pathlib import Path

import pytest

REFERENCE = """\
import os
import random

from cards import Deck

WORD = "wins" if os.environ["REFERENCE_VARIANT"] == "canonical" else "is the winner"


def play(number):
    random.seed(number)
    total = 0
    for _ in range(random.randrange(1, 5)):
        total += random.randrange(6)
        print("so far", total)
    return total


total = play(int(input("Seed: ")))
if total > 10:
    print("the player", WORD)
elif total == 7:
    print("nobody", WORD)
else:
    print("the house", WORD)
if total % 2 and input("Again? ") == "y":
    print(Deck().deal(), "is dealt")
"""

CARDS = """\
import os

class Deck:
    def deal(self):
        return os.environ.get("PROVIDED_DECK", "nothing").split()[0] + os.environ.get("PROVIDED_RANDOM_SEED", "")
"""

FILES = {
    "reference/game.py": REFERENCE,
    "reference/cards.py": CARDS,
    "test_specs/game/assignment.yaml": """\
format: 1
id: game
title: A game
programs:
  - {file: game.py, variants: [canonical, wordy]}
provided:
  - {file: cards.py}
parts:
  - {id: games, title: Games, marks: 4}
due: 2025-10-27 11:59
time_zone: Australia/Sydney
limits: {wall_seconds: 20}
""",
    "test_specs/game/tests/games.yaml": """\
format: 1
program: game.py
part: games
compare: {ignore: [case]}
tests:
  - {id: first, title: the first game, points: 2, deck: A♠ K♠ 10♥, input: [0, y]}
  - {id: second-$n, for: {n: [7, 9]}, points: 1, compare: {tolerance: 0.5}, random_seed: 8, input: [$n, y]}
""",
    "test_specs/game/seeds.yaml": """\
format: 1
searches:
  - id: found
    test: first
    vary: input
    values: [-5..17]
    title: seed $value
    events:
      the player wins: ^the player
      nobody wins: ^nobody
      a card is dealt: 'Again\\? y\\nA♠ is dealt$'
    lengths: [4, 6]
""",
}


@pytest.fixture
def game_course(tmp_path: Path) -> Path:
    """The course folder; its expected files are not there yet."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path
