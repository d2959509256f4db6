"""The passages that two programs share, as parts that do not lie over each other, so that each line is in one."""

from collections.abc import Iterable

from grader.insight.similar import Passage


def disjoint(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """The longest of `passages`, in the order of the first program, without the lines that a longer one has.

    One that is left with less than half of its lines in either program, or in pieces, is passed over.
    """
    chosen: list[Passage] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for passage in sorted(passages, key=lambda one: (-_length(one.first) - _length(one.second), one.first, one.second)):
        first, second = _free(passage.first, taken[0]), _free(passage.second, taken[1])
        if first and second:
            chosen.append(Passage(first, second))
            for lines, already in zip((first, second), taken, strict=True):
                already.update(range(lines[0], lines[1] + 1))
    return tuple(sorted(chosen, key=lambda one: one.first))


def _free(lines: tuple[int, int], taken: set[int]) -> tuple[int, int] | None:
    begin, end = lines
    while begin <= end and begin in taken:
        begin += 1
    while begin < end and end in taken:
        end -= 1
    enough = begin <= end and 2 * _length((begin, end)) >= _length(lines)
    return (begin, end) if enough and taken.isdisjoint(range(begin, end + 1)) else None


def _length(lines: tuple[int, int]) -> int:
    return lines[1] - lines[0] + 1
