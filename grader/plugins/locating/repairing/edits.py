"""Edits that turn one program into another, each of which can be made without the others."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeAlias, assert_never

from grader.plugins.locating.repairing.program_lines import ProgramLine, size

_ALIKE = 0.5
"""Two lines of which this share of tokens agrees are versions of one line."""

_MAX_PAIRS = 900


@dataclass(frozen=True)
class LineEdit:
    """Puts `new` in the place of the lines from `start` to `end`, counted from 0; `end` itself stays."""

    start: int
    end: int
    new: tuple[ProgramLine, ...]


@dataclass(frozen=True)
class TokenEdit:
    """Puts `new` in the place of the tokens from `start` to `end` of the line `line`."""

    line: int
    start: int
    end: int
    new: tuple[str, ...]


@dataclass(frozen=True)
class DepthEdit:
    """Indents the line `line` to another depth."""

    line: int
    depth: int


Edit: TypeAlias = LineEdit | TokenEdit | DepthEdit


def edits_between(program: Sequence[ProgramLine], target: Sequence[ProgramLine]) -> tuple[Edit, ...]:
    """Return the edits that turn `program` into `target`, from top to bottom."""
    matcher = SequenceMatcher(None, program, target, autojunk=False)
    return tuple(
        edit
        for kind, start, end, target_start, target_end in matcher.get_opcodes()
        if kind != "equal"
        for edit in _edits_of_block(program, range(start, end), target[target_start:target_end])
    )


def edited(program: Sequence[ProgramLine], edits: Sequence[Edit]) -> tuple[ProgramLine, ...]:
    """Return the program with these edits, which must not overlap."""
    added: Mapping[int, list[ProgramLine]] = defaultdict(list)
    removed: set[int] = set()
    tokens: Mapping[int, list[TokenEdit]] = defaultdict(list)
    depths: dict[int, int] = {}
    for edit in edits:
        match edit:
            case LineEdit(start=start, end=end, new=new):
                added[start].extend(new)
                removed.update(range(start, end))
            case TokenEdit():
                tokens[edit.line].append(edit)
            case DepthEdit():
                depths[edit.line] = edit.depth
            case _:
                assert_never(edit)
    lines: list[ProgramLine] = []
    for number, line in enumerate(program):
        lines += added.get(number, ())
        if number not in removed:
            lines.append(ProgramLine(depths.get(number, line.depth), _with_edits(line, tokens.get(number, ()))))
    return (*lines, *added.get(len(program), ()))


def removed(program: Sequence[ProgramLine], edits: Sequence[Edit]) -> int:
    """Return how many tokens of the program the edits remove, replace or move."""
    return sum(_cost(program, edit)[0] for edit in edits)


def added(program: Sequence[ProgramLine], edits: Sequence[Edit]) -> int:
    """Return how many tokens the edits add, beyond those that they replace."""
    return sum(max(0, new - gone) for gone, new in (_cost(program, edit) for edit in edits))


def cost(program: Sequence[ProgramLine], edits: Sequence[Edit]) -> int:
    """Return the size of the edits: tokens removed, moved or added, where a replaced one counts once."""
    return sum(max(_cost(program, edit)) for edit in edits)


def _cost(program: Sequence[ProgramLine], edit: Edit) -> tuple[int, int]:
    """Return the numbers of tokens removed and added."""
    match edit:
        case LineEdit(start=start, end=end, new=new):
            return size(program[start:end]), size(new)
        case TokenEdit(start=start, end=end, new=new):
            return end - start, len(new)
        case DepthEdit():
            return 1, 1
        case _:
            assert_never(edit)


def _with_edits(line: ProgramLine, edits: Sequence[TokenEdit]) -> tuple[str, ...]:
    tokens = list(line.tokens)
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        tokens[edit.start : edit.end] = edit.new
    return tuple(tokens)


def _edits_of_block(program: Sequence[ProgramLine], numbers: range, target: Sequence[ProgramLine]) -> Iterator[Edit]:
    """Yield the edits of a block: lines that are alike are edited, the others removed or added."""
    pairs = _pairs(program, numbers, target)
    start, added = numbers.start, 0
    for number, place in (*pairs, (numbers.stop, len(target))):
        if number > start or place > added:
            yield LineEdit(start, number, tuple(target[added:place]))
        if number < numbers.stop:
            yield from _edits_of_line(number, program[number], target[place])
        start, added = number + 1, place + 1


def _edits_of_line(number: int, line: ProgramLine, target: ProgramLine) -> Iterator[Edit]:
    if line.depth != target.depth:
        yield DepthEdit(number, target.depth)
    for kind, start, end, new_start, new_end in SequenceMatcher(
        None, line.tokens, target.tokens, autojunk=False
    ).get_opcodes():
        if kind != "equal":
            yield TokenEdit(number, start, end, target.tokens[new_start:new_end])


def _pairs(program: Sequence[ProgramLine], numbers: range, target: Sequence[ProgramLine]) -> list[tuple[int, int]]:
    """Pair lines that are alike, in order, so that the sum of their likeness is greatest."""
    if len(numbers) * len(target) > _MAX_PAIRS:
        return []
    likeness = {
        (number, place): _likeness(program[number], line) for number in numbers for place, line in enumerate(target)
    }
    best = [[0.0] * (len(target) + 1) for _ in range(len(numbers) + 1)]
    for row in range(len(numbers) - 1, -1, -1):
        for place in range(len(target) - 1, -1, -1):
            paired = likeness[numbers[row], place] + best[row + 1][place + 1]
            best[row][place] = max(best[row + 1][place], best[row][place + 1], paired)
    pairs, row, place = [], 0, 0
    while row < len(numbers) and place < len(target):
        if best[row][place] == best[row + 1][place]:
            row += 1
        elif best[row][place] == best[row][place + 1]:
            place += 1
        else:
            pairs.append((numbers[row], place))
            row, place = row + 1, place + 1
    return pairs


def _likeness(line: ProgramLine, other: ProgramLine) -> float:
    share = SequenceMatcher(None, line.tokens, other.tokens, autojunk=False).ratio()
    return share if share >= _ALIKE else 0.0
