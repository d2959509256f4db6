"""Mutants made by operators differ from the original in meaning, can be compiled, and are each made once."""

from grader.authoring.audit.base_program import BaseProgram
from grader.authoring.audit.mutants import mutants_at, sampled_mutants, spots

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
    mutants = list(mutants_at(spots(BASE)))
    changed = [next(line for line in mutant.diff.splitlines() if line.startswith("+")) for mutant in mutants]
    assert "+        if card >= 3:" in changed
    assert "+        if card > 4:" in changed
    assert len({mutant.id for mutant in mutants}) == len(mutants) > 8
    for mutant in mutants:
        compile(mutant.source, mutant.base.file, "exec")
    assert not any("def best" in line for line in changed), "an annotation is no mistake"


def test_a_spot_gives_the_same_mutant_alone_as_among_all() -> None:
    every = list(spots(BASE))
    together = {mutant.id for mutant in mutants_at(every)}
    assert {mutant.id for spot in every for mutant in mutants_at([spot])} == together


def test_lines_can_be_left_alone() -> None:
    mutants = list(mutants_at(spots(BASE, ["card > 3"])))
    assert mutants
    assert not any("card > 3:" in line for mutant in mutants for line in mutant.diff.splitlines() if line[0] == "-")


def test_a_function_can_be_left_alone() -> None:
    assert not list(spots(BASE, ["def best"]))
    other = SOURCE + "\n\ndef worst(cards: list[int]) -> int:\n    return cards[0] + 1\n"
    mutants = list(mutants_at(spots(BaseProgram("game.py", other), ["def best"])))
    assert mutants
    assert all("def worst" in mutant.diff for mutant in mutants)


def test_a_sample_is_drawn_evenly_over_the_programs() -> None:
    other = BaseProgram("game.py", SOURCE.replace("card > 3", "card > 4 and card < 9 or card == 12"))
    few = sampled_mutants([BASE, other], (), 10, seed=1)
    assert [sum(mutant.base is base for mutant in few) for base in (BASE, other)] == [5, 5]
    assert [mutant.source for mutant in few] == [
        mutant.source for mutant in sampled_mutants([BASE, other], (), 10, seed=1)
    ]
    assert {mutant.source for mutant in few} != {
        mutant.source for mutant in sampled_mutants([BASE, other], (), 10, seed=2)
    }
    every = [sum(1 for _ in mutants_at(spots(base))) for base in (BASE, other)]
    many = sampled_mutants([BASE, other], (), 1000, seed=1)
    assert [sum(mutant.base is base for mutant in many) for base in (BASE, other)] == every
    assert len(sampled_mutants([BASE, other], (), 1, seed=1)) == 1
