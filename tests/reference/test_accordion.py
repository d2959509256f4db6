"""The Accordion reference: answers, refusals, and the order of piles."""

import importlib.util
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from accordion_solver.cards import name
from accordion_solver.certificate import replay
from accordion_solver.search import Move
from tests import ROOT

SAMPLES = Path(__file__).with_name("samples") / "accordion"
INPUTS = ROOT / "test_specs" / "cs509-2003-pa3" / "inputs"
BOTTOM_FIRST = "--order=bottom-first"


def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "reference" / "accordion.py"), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def reversed_piles(text: str) -> str:
    deal, *piles = text.splitlines()
    return "\n".join([deal, *(" ".join(reversed(pile.split())) for pile in piles)])


@pytest.mark.parametrize("file", sorted(INPUTS.glob("syntax-*.txt")), ids=lambda file: file.stem)
def test_bad_input_ends_with_a_message_that_says_where(file: Path) -> None:
    done = run(file.read_text())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("accordion: line ")
    assert ", column " in done.stderr


@pytest.mark.parametrize(("name", "answer"), [("winning-21", ""), ("impossible-24", "impossible\n")])
def test_answers_in_both_orders(name: str, answer: str) -> None:
    text = (INPUTS / f"{name}.txt").read_text()
    for done in (run(text), run(reversed_piles(text), BOTTOM_FIRST)):
        assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


# Made by `gen_game.py -b` with the seeds 1, 30 and 51: no search of all that can be reached would end.
@pytest.mark.parametrize("name", ["no-helper", "too-far", "no-way"])
def test_a_wild_tableau_is_seen_to_be_impossible_by_one_of_its_cards(name: str) -> None:
    done = run((SAMPLES / f"{name}.txt").read_text())
    assert (done.returncode, done.stdout, done.stderr) == (0, "impossible\n", "")


def test_the_same_tableau_is_printed_in_both_orders() -> None:
    text = (INPUTS / "losing-22-30.txt").read_text()
    lines = run(text).stdout.splitlines()
    other = run(reversed_piles(text), BOTTOM_FIRST).stdout.splitlines()
    assert [line.split() for line in lines] == [line.split()[::-1] for line in other]
    assert len(lines) == 22


def test_another_order_is_refused() -> None:
    done = run("", "--order=sideways")
    assert done.returncode == 1
    assert done.stderr.startswith("usage: ")


def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("accordion_reference", ROOT / "reference" / "accordion.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_legal_moves_lead_to_the_one_pile_of_a_wild_deal() -> None:
    """A checker believes such a pile in wild deals; here its moves are replayed."""
    module = reference()

    class Recorded(module.Search):  # type: ignore[misc, name-defined]
        steps: dict[tuple[str, ...], tuple[tuple[str, ...], Move]] = {}  # noqa: RUF012

        def after(self, tableau: tuple[str, ...], source: int, target: int, count: int) -> Any:
            new = super().after(tableau, source, target, count)
            self.steps.setdefault(new, (tableau, Move(source, target, count == len(tableau[source]))))
            return new

    deal = tuple(random.Random(24).sample(range(52), 52))
    random.seed(0)
    search = Recorded([name(card) for card in deal])
    assert search.all_reachable() is None
    search.steps.clear()
    pile = state = search.one_pile()
    moves = []
    while state != search.start:
        state, move = search.steps[state]
        moves.append(move)
    assert [[name(card) for card in one] for one in replay(deal, moves[::-1])] == [
        [search.cards[letter] for letter in pile[0]]
    ]
