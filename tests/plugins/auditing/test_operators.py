"""Mutants made by operators differ from the original in meaning, can be compiled, and are each made once."""

from itertools import islice

from grader.plugins.auditing.base_program import BaseProgram
from grader.plugins.auditing.mutants import Mutant, in_any_order, in_turn, mutants_at, mutation_sites

SOURCE = '''\
"""A game."""


def best(cards: list[int], limit: int | None = None) -> int | None:
    """The best card."""
    for card in cards:
        if card > 3:
            return card
    return None
'''


BASE = BaseProgram("game.py", SOURCE)


def test_all_mutants_are_programs_that_mean_something_else() -> None:
    mutants = list(mutants_at(mutation_sites(BASE)))
    changed = [next(line for line in mutant.diff.splitlines() if line.startswith("+")) for mutant in mutants]
    assert "+        if card >= 3:" in changed
    assert "+        if card > 4:" in changed
    assert len({mutant.id for mutant in mutants}) == len(mutants) > 8
    for mutant in mutants:
        compile(mutant.source, mutant.base.file, "exec")
    assert not any("def best" in line for line in changed), "an annotation is no mistake"


def test_a_spot_gives_the_same_mutant_alone_as_among_all() -> None:
    every = list(mutation_sites(BASE))
    together = {mutant.id for mutant in mutants_at(every)}
    assert {mutant.id for spot in every for mutant in mutants_at([spot])} == together


def test_lines_can_be_left_alone() -> None:
    mutants = list(mutants_at(mutation_sites(BASE, ["card > 3"])))
    assert mutants
    assert not any("card > 3:" in line for mutant in mutants for line in mutant.diff.splitlines() if line[0] == "-")


def test_a_function_can_be_left_alone() -> None:
    assert not list(mutation_sites(BASE, ["def best"]))
    other = SOURCE + "\n\ndef worst(cards: list[int]) -> int:\n    return cards[0] + 1\n"
    mutants = list(mutants_at(mutation_sites(BaseProgram("game.py", other), ["def best"])))
    assert mutants
    assert all("def worst" in mutant.diff for mutant in mutants)


def test_mutants_are_taken_in_turn_from_each_program_in_an_order_that_the_seed_decides() -> None:
    other = BaseProgram("game.py", SOURCE.replace("card > 3", "card > 4 and card < 9 or card == 12"))

    def drawn(seed: int, count: int) -> list[Mutant]:
        return list(islice(in_turn(in_any_order(base, (), seed) for base in (BASE, other)), count))

    assert [mutant.base for mutant in drawn(1, 10)] == [BASE, other] * 5
    assert [mutant.source for mutant in drawn(1, 10)] == [mutant.source for mutant in drawn(1, 10)]
    assert {mutant.source for mutant in drawn(1, 10)} != {mutant.source for mutant in drawn(2, 10)}
    every = {mutant.source for base in (BASE, other) for mutant in mutants_at(mutation_sites(base))}
    assert {mutant.source for mutant in drawn(1, 1000)} == every
