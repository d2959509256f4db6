"""Two mistakes at once, in different places of a program."""

from grader.plugins.auditing.base_program import BaseProgram
from grader.plugins.auditing.mutants import MistakeSource, Mutant, in_any_order, paired

BASE = BaseProgram("game.py", "a = 1\nif a:\n    b = 2\n    c = 3\nd = 4\n")


def mutant(before: str, after: str) -> Mutant:
    return Mutant(BASE, after, BASE.source.replace(before, after))


def test_both_mistakes_are_made() -> None:
    [found] = paired([mutant("d = 4\n", "d = 5\ne = 6\n"), mutant("    b = 2\n", "")])
    assert found == Mutant(BASE, "d = 5\ne = 6\n and ", "a = 1\nif a:\n    c = 3\nd = 5\ne = 6\n", MistakeSource.PAIR)


def test_mistakes_in_one_place_wait_for_a_partner_elsewhere() -> None:
    one, same, near = mutant("b = 2", "b = 3"), mutant("b = 2", "b = 4"), mutant("c = 3", "c = 4")
    assert list(paired([one, same, near])) == []
    elsewhere = [mutant("d = 4", "d = 5"), mutant("a = 1", "a = 2")]
    found = [pair.about for pair in paired([one, same, near, *elsewhere])]
    assert found == ["b = 3 and d = 5", "b = 4 and a = 2"]


def test_what_is_no_program_is_no_mutant() -> None:
    base = BaseProgram("game.py", "if a:\n    b = 1\n    # and\n    c = 2\n")
    mutants = [Mutant(base, "", base.source.replace(line, "")) for line in ("    b = 1\n", "    c = 2\n")]
    for one in mutants:
        compile(one.source, "game.py", "exec")
    assert list(paired(mutants)) == []


def test_pairs_of_operators_differ_from_the_program_in_two_places() -> None:
    found = list(paired(in_any_order(BASE, (), seed=1)))
    assert found
    for pair in found:
        changed = [line for line in pair.diff.splitlines() if line.startswith("-")]
        assert len(changed) >= 2
        compile(pair.source, "game.py", "exec")
