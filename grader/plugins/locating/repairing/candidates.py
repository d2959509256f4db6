"""Proposes changed versions of a program, the most promising first."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile

from grader.plugins.locating.repairing.edits import cost, edits_between
from grader.plugins.locating.repairing.languages import PYTHON
from grader.plugins.locating.repairing.pieces import pieces
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.renaming import NamedProgram, renamed
from grader.plugins.locating.repairing.repairable_language import RepairableLanguage
from grader.plugins.locating.repairing.texts import PrintedLine
from grader.plugins.locating.small_changes import SmallChange

_MIN_ALIKE = 0.25
"""The share of equal lines, names aside, from which an accepted program is compared."""

_MAX_COMPARED, _MAX_TRIED = 12, 4
"""The numbers of accepted programs that are compared token by token, and that are tried as a whole."""

_MAX_PIECES, _MAX_TEXTS, _MAX_LINES = 60, 30, 12


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """The versions of a program, made from its own text, the expected text and accepted programs.

    `ranks` orders the lines of the formatted program that a failing test runs, the most suspicious first; without
    ranks all lines are changed, in their order. Changes are made as long as `goes_on` returns true.
    """

    text: str
    others: Sequence[NamedProgram]
    texts: Sequence[frozenset[str]]
    wrong: PrintedLine | None
    ranks: Mapping[int, int]
    language: RepairableLanguage = PYTHON
    goes_on: Callable[[], bool] = lambda: True

    def of(self, text: str) -> Iterator[str]:
        """Yield versions of `text` that can be read, without repeats.

        Only the program itself gets pieces of accepted programs.
        """
        seen = {text}
        for version in self._all(text):
            if version not in seen:
                seen.add(version)
                if self.language.can_be_read(version):
                    yield version

    def _all(self, text: str) -> Iterator[str]:
        language = self.language
        if text == self.text:
            yield from language.guarded(text)
        if self.wrong is not None:
            yield from islice(language.texts_for_line(text, self.wrong), _MAX_TEXTS)
        yield from islice(language.texts_of_accepted(text, self.texts), _MAX_TEXTS)
        if text == self.text:
            versions = pieces(language.formatted(text), self._nearest)
            yield from map(language.text, islice(versions, _MAX_PIECES))
        yield from (change.text for change in self._ranked(text))

    def _ranked(self, text: str) -> Iterable[SmallChange]:
        lines = sorted(self.ranks, key=lambda line: self.ranks[line])[:_MAX_LINES]
        changes = takewhile(lambda _: self.goes_on(), self.language.changes(text, lines))
        return sorted(changes, key=lambda change: self.ranks[change.line]) if lines else changes

    def accepted(self, lines: Sequence[ProgramLine]) -> Sequence[Sequence[ProgramLine]]:
        """Return the accepted programs with the fewest differences, with the names of the program."""
        return sorted(self._nearest, key=lambda target: cost(lines, edits_between(lines, target)))[:_MAX_TRIED]

    @cached_property
    def _nearest(self) -> Sequence[Sequence[ProgramLine]]:
        """The accepted programs that are most alike, whatever their names are, with the names of the program."""
        program = self.language.named(self.text)
        shapes = Counter(program.shapes())

        def likeness(other: NamedProgram) -> float:
            other_shapes = Counter(other.shapes())
            return 2 * (shapes & other_shapes).total() / (shapes.total() + other_shapes.total())

        alike = [(likeness(other), other) for other in self.others]
        alike = [item for item in alike if item[0] >= _MIN_ALIKE]
        alike.sort(key=lambda item: item[0], reverse=True)
        return [renamed(program, other) for _, other in alike[:_MAX_COMPARED]]
