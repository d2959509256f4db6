"""Proposes changed versions of a program, the most promising first."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from math import inf

from grader.plugins.locating.repairing.edits import cost, edits_between
from grader.plugins.locating.repairing.languages import PYTHON
from grader.plugins.locating.repairing.pieces import pieces
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.renaming import NamedProgram, renamed
from grader.plugins.locating.repairing.repairable_language import RepairableLanguage
from grader.plugins.locating.repairing.texts import PrintedLine
from grader.plugins.locating.rewriting import GREAT, SLIGHT, SOME, SmallChange

_MIN_ALIKE = 0.25
"""The share of equal lines, names aside, from which an accepted program is compared."""

_MAX_COMPARED, _MAX_TRIED = 12, 4
"""The numbers of accepted programs that are compared token by token, and that are tried as a whole."""

_MAX_PIECES, _MAX_TEXTS = 60, 30

_MAX_LINES = {SLIGHT: 60, SOME: 20, GREAT: 12}
"""The number of lines with changes of each effort."""

_LINES_LATER = {SLIGHT: 0, SOME: 0, GREAT: 6}
"""A change is tried with those of the line that is so many lines less suspicious."""

_SLIGHT_TOKENS = 2
"""The size of a difference that is tried before all changes."""


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """The versions of a program, made from its own text, the expected text and accepted programs.

    `ranks` orders the lines of the formatted program that a failing test runs, the most suspicious first; without
    ranks all lines are changed, in their order.
    """

    text: str
    others: Sequence[NamedProgram]
    texts: Sequence[frozenset[str]]
    wrong: PrintedLine | None
    ranks: Mapping[int, int]
    language: RepairableLanguage = PYTHON

    def of(self, text: str) -> Iterator[str]:
        """Yield versions of `text` that can be read, without repeats; those with slight changes come first.

        Only the program itself gets pieces of accepted programs.
        """
        seen = {text}
        for version in self._all(text):
            if version not in seen:
                seen.add(version)
                yield version

    def _all(self, text: str) -> Iterator[str]:
        language, is_whole = self.language, text == self.text
        if is_whole:
            yield from language.guarded(text)
            yield from (version for tokens, version in self._pieces if tokens <= _SLIGHT_TOKENS)
        yield from islice(language.texts_of_accepted(text, self.texts), _MAX_TEXTS)
        changes = self._ranked(text)
        yield from (change.text for change in changes if change.effort == SLIGHT)
        if is_whole:
            yield from (version for tokens, version in self._pieces if tokens > _SLIGHT_TOKENS)
        yield from (change.text for change in changes if change.effort != SLIGHT)

    @cached_property
    def _pieces(self) -> Sequence[tuple[int, str]]:
        """Versions with one difference to accepted programs, and the sizes of the differences."""
        if not self._nearest:
            return ()
        language = self.language
        versions = pieces(language.formatted(self.text), self._nearest)
        texts = ((tokens, language.text(lines)) for tokens, lines in versions)
        return list(islice((item for item in texts if language.can_be_read(item[1])), _MAX_PIECES))

    def _ranked(self, text: str) -> Sequence[SmallChange]:
        """Return the changes. Slight changes and suspicious lines come first."""
        texts = [] if self.wrong is None else islice(self.language.texts_for_line(text, self.wrong), _MAX_TEXTS)
        changes = chain(texts, self.language.changes(text, self.ranks))
        if not self.ranks:
            return list(changes)
        places = ((self.ranks.get(change.line, inf), change) for change in changes)
        near = ((place, change) for place, change in places if place < _MAX_LINES[change.effort])
        ordered = sorted(near, key=lambda item: item[0] + _LINES_LATER[item[1].effort])
        return [change for _, change in ordered]

    def accepted(self, lines: Sequence[ProgramLine]) -> Sequence[Sequence[ProgramLine]]:
        """Return the accepted programs with the fewest differences, with the names of the program."""
        return sorted(self._nearest, key=lambda target: cost(lines, edits_between(lines, target)))[:_MAX_TRIED]

    @cached_property
    def _nearest(self) -> Sequence[Sequence[ProgramLine]]:
        """The accepted programs that are most alike, whatever their names are, with the names of the program."""
        if not self.others:
            return ()
        program = self.language.named(self.text)
        shapes = Counter(program.shapes())

        def likeness(other: NamedProgram) -> float:
            other_shapes = Counter(other.shapes())
            return 2 * (shapes & other_shapes).total() / (shapes.total() + other_shapes.total())

        alike = [(likeness(other), other) for other in self.others]
        alike = [item for item in alike if item[0] >= _MIN_ALIKE]
        alike.sort(key=lambda item: item[0], reverse=True)
        return [renamed(program, other) for _, other in alike[:_MAX_COMPARED]]
