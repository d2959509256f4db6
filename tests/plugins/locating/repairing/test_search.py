"""The smallest change that repairs a program is found, and always the same."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from grader.plugins.locating.repairing.candidates import Candidates
from grader.plugins.locating.repairing.program_lines import program_lines
from grader.plugins.locating.repairing.repairer import read_accepted
from grader.plugins.locating.repairing.search import Repair, RepairSearch, TriedVersion
from grader.plugins.locating.repairing.words import repair_changes

WRONG = "def f(a, b):\n    total = 0\n    for x in range(a, b):\n        total += x\n    return total\n"


@dataclass(frozen=True)
class Calls:
    """Calls of `f` as tests, run in this process; `tried` lists the versions."""

    expected: dict[tuple[int, int], int]
    tried: list[str] = field(default_factory=list)

    def passes(self, text: str) -> frozenset[str]:
        self.tried.append(text)
        names: dict[str, object] = {}
        passes = []
        for call, result in self.expected.items():
            try:
                exec(text, names)
                if eval(f"f{call}", names) == result:
                    passes.append(str(call))
            except Exception:
                return frozenset()
        return frozenset(passes)

    def attempts(
        self, texts: Iterable[str], must: Sequence[str], may: Sequence[str] = ()
    ) -> Iterator[tuple[str, TriedVersion]]:
        for text in texts:
            passes = self.passes(text)
            yield text, TriedVersion(passes & {*must, *may} if passes >= set(must) else passes & set(must[:1]))


def repairs(text: str, calls: Calls, accepted: Sequence[str] = (), *, enough: int = 1) -> list[Repair]:
    passed = calls.passes(text)
    versions = read_accepted(accepted)
    return RepairSearch(
        text=text,
        failed=[test for call in calls.expected if (test := str(call)) not in passed],
        passed=sorted(passed),
        right={},
        candidates=Candidates(text=text, others=versions.programs, texts=versions.texts, wrong=None, ranks={}),
        try_programs=calls.attempts,
        enough=enough,
    ).repairs()


def sums(*pairs: tuple[int, int]) -> Calls:
    return Calls({(a, b): sum(range(a, b + 1)) for a, b in pairs})


def test_one_change_repairs_all() -> None:
    [repair, *_] = repairs(WRONG, sums((1, 3), (2, 5), (3, 0)))
    assert repair_changes(program_lines(WRONG), repair.edits) == ("`+ 1` added in the loop of f",)
    assert repair.mends == {"(1, 3)", "(2, 5)"}


def test_a_piece_of_an_accepted_program_repairs_it() -> None:
    accepted = "def f(low, high):\n    s = 0\n    for i in range(low, high + 1):\n        s += i\n    return s\n"
    [repair, *_] = repairs(WRONG, sums((1, 3), (2, 5), (3, 0)), [accepted])
    assert repair_changes(program_lines(WRONG), repair.edits) == ("`+ 1` added in the loop of f",)


def test_a_slight_change_precedes_a_piece_of_an_accepted_program() -> None:
    wrong = WRONG.replace("range(a, b)", "range(a, b + 1)").replace("total += x", "total -= x")
    accepted = wrong.replace("total -= x", "total = total + x")
    [repair, *_] = repairs(wrong, sums((1, 3), (2, 5)), [accepted])
    assert repair_changes(program_lines(wrong), repair.edits) == ("`+=` for `-=` in the loop of f",)


def test_all_single_changes_are_tried_before_a_large_repair() -> None:
    accepted = "def f(a, b):\n    low, high = a, b\n    total = sum(range(low, high + 1))\n    return total\n"
    calls = sums((1, 3), (2, 5))
    [repair, *_] = repairs(WRONG, calls, [accepted])
    assert repair.cost <= 3


def test_a_version_has_to_pass_the_tests_outside_the_sample() -> None:
    wrong = "def f(a, b):\n    return a + 1 + 0\n"
    calls = Calls({(5, 0): 7, (1, 0): 3, (1, 1): 3})
    versions = read_accepted(())
    found = RepairSearch(
        text=wrong,
        failed=["(5, 0)"],
        passed=[],
        right={},
        candidates=Candidates(text=wrong, others=versions.programs, texts=versions.texts, wrong=None, ranks={}),
        try_programs=calls.attempts,
        also=["(1, 0)", "(9, 9)"],
    ).repairs()
    assert found == []


def test_an_accepted_program_repairs_two_places() -> None:
    wrong = WRONG.replace("total = 0", "total = 7").replace("return total", "return total - 9")
    accepted = WRONG.replace("range(a, b)", "range(a, b + 1)")
    [repair, *_] = repairs(wrong, sums((1, 3), (2, 5)), [accepted])
    assert len(repair.edits) == 3
    assert repair.mends == {"(1, 3)", "(2, 5)"}


def test_a_repair_that_replaces_more_than_a_third_is_none() -> None:
    accepted = "def f(a, b):\n    return sum(list(range(a, b + 1)))\n"
    wrong = "def f(a, b):\n    if a == 1:\n        return 6\n    while True:\n        return a * b - 7 * a\n"
    assert repairs(wrong, sums((1, 3), (2, 5), (4, 9), (5, 30)), [accepted]) == []


def test_nothing_that_passed_may_fail() -> None:
    calls = Calls({(1, 3): 3, (2, 5): 14, (4, 4): 0, (6, 2): 0, (1, 9): 36})
    for repair in repairs(WRONG, calls):
        assert repair.mends == {"(2, 5)"} or not repair.mends


@pytest.mark.parametrize("accepted", [(), (WRONG.replace("b)", "b + 1)", 2),)])
def test_the_same_versions_are_tried_every_time(accepted: Sequence[str]) -> None:
    first, second = sums((1, 3), (2, 5)), sums((1, 3), (2, 5))
    assert repairs(WRONG, first, accepted) == repairs(WRONG, second, accepted)
    assert first.tried == second.tried


def test_several_repairs_can_be_compared() -> None:
    wrong = "def f(a, b):\n    return a + 1 + 0\n"
    calls = Calls({(5, 0): 7, (1, 0): 3})
    assert len(repairs(wrong, calls)) == 1
    changes = {repair_changes(program_lines(wrong), repair.edits) for repair in repairs(wrong, calls, enough=2)}
    assert changes == {("`2` for `1` in the result of f",), ("`1` for `0` in the result of f",)}
