"""Searches for the smallest repair of a program: in changes to it, and in its differences to accepted programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import inf
from typing import Protocol

from grader.plugins.locating.repairing.candidates import Candidates
from grader.plugins.locating.repairing.edits import Edit, added, cost, edited, edits_between, removed
from grader.plugins.locating.repairing.minimise import minimised
from grader.plugins.locating.repairing.own_lines import own_lines
from grader.plugins.locating.repairing.program_lines import ProgramLine, size
from grader.plugins.locating.repairing.repairable_language import RepairableLanguage

_MAX_REMOVED, _MAX_ADDED = 1 / 3, 1 / 2
"""The share of the program's tokens that a repair may remove or replace, and add; a larger one is another program."""

SMALL, _LARGE = 8, 30
"""The numbers of tokens of a repair that ends the search, and of one before which several changes are tried."""

_MOST_LIKELY, _MAX_CHANGES = 150, 250
"""The numbers of changes that are tried before accepted programs, and in all."""

_MAX_NEAREST = 3
"""The number of accepted programs after which others are only tried if none of these gives a repair."""

_MAX_CHANGES_MORE = 60
_MAX_MORE = 2
_MAX_CONTINUED = 2


@dataclass(frozen=True)
class TriedVersion:
    """The tests that a version of a program passes, and for how many characters the first test to pass was right."""

    passes: frozenset[str]
    right: int = 0


class TryPrograms(Protocol):
    """A function that runs tests of versions of a program."""

    def __call__(
        self, texts: Iterable[str], must: Sequence[str], may: Sequence[str] = ()
    ) -> Iterator[tuple[str, TriedVersion]]:
        """Yield each version with its attempt: the tests it `must` pass, up to the first that fails, then the others.

        Iteration ends early when the search is over.
        """


@dataclass(frozen=True)
class Repair:
    """Edits of a program, the tests that fail without them and pass with them, and the number of changed tokens.

    It is `limited` if the search ended before all smaller changes were tried.
    """

    edits: tuple[Edit, ...]
    mends: frozenset[str]
    cost: int
    limited: bool = False

    @property
    def rank(self) -> tuple[int, int]:
        """The order of repairs: those that mend most come first, then the smallest."""
        return -len(self.mends), self.cost


@dataclass(frozen=True)
class _Version:
    text: str
    attempt: TriedVersion


@dataclass(frozen=True, kw_only=True)
class RepairSearch:
    """The search for a repair of `text`, of which some tests `failed`, the simplest first, and others `passed`.

    A version that passes all of these also has to pass the tests `also`, which passed too. Trying changes of a program
    ends with as many full repairs as are `enough`.
    """

    text: str
    failed: Sequence[str]
    passed: Sequence[str]
    right: Mapping[str, int]
    candidates: Candidates
    try_programs: TryPrograms
    enough: int = 1
    also: Sequence[str] = ()

    def repairs(self) -> list[Repair]:
        """Return the repairs found, the best first; several that are as good may differ in other tests.

        Small changes come first: likely ones, then accepted programs. A repair that is not small is only taken after
        all other changes, and a large one after further changes to the best of them.
        """
        found: dict[tuple[Edit, ...], Repair] = {}

        def add(versions: Iterable[_Version]) -> None:
            for repair in filter(None, map(self._repair, versions)):
                found.setdefault(repair.edits, repair)

        def is_mended(most: float = inf) -> bool:
            return any(repair.mends >= set(self.failed) and repair.cost <= most for repair in found.values())

        start = _Version(self.text, TriedVersion(frozenset(), self.right.get(self.failed[0], 0)))
        changes = islice(self.candidates.of(self.text), _MAX_CHANGES)
        bases = self._changes_of(start, islice(changes, _MOST_LIKELY))
        add(filter(self._mends_all, bases))
        if not is_mended():
            accepted = self._accepted()
            add(islice(accepted, _MAX_NEAREST))
            if not is_mended():
                add(accepted)
            if not is_mended(SMALL):
                others = self._changes_of(start, changes)
                add(filter(self._mends_all, others))
                bases += others
            if not is_mended(_LARGE):
                add(self._with_more_changes(bases))
        return sorted(found.values(), key=lambda repair: repair.rank)

    def _with_more_changes(self, bases: Sequence[_Version]) -> Iterator[_Version]:
        """Yield the best of these versions, and versions with more changes, as long as these mend more tests."""
        for _ in range(_MAX_MORE):
            bases = sorted(bases, key=lambda version: (-len(version.attempt.passes), -version.attempt.right))
            bases = bases[:_MAX_CONTINUED]
            yield from (version for version in bases if version.attempt.passes)
            if any(map(self._mends_all, bases)):
                return
            bases = [
                version
                for base in bases
                for version in self._changes_of(base, islice(self.candidates.of(base.text), _MAX_CHANGES_MORE))
            ]
        yield from (version for version in bases if version.attempt.passes)

    def _mends_all(self, version: _Version) -> bool:
        return version.attempt.passes >= set(self.failed)

    def _changes_of(self, base: _Version, changes: Iterable[str]) -> list[_Version]:
        """Return the `changes` of `base` that pass more tests, or are right for longer; ends with enough repairs."""
        mended = base.attempt.passes
        goal = next(test for test in self.failed if test not in mended)
        must = (goal, *sorted(mended), *self.passed)
        may = [test for test in self.failed if test not in mended and test != goal]
        better = []
        for text, attempt in self.try_programs(changes, must, may):
            if attempt.passes >= set(must):
                version = _Version(text, TriedVersion(attempt.passes & set(self.failed)))
                if self._mends_all(version) and not self._passes(text, self.also):
                    continue
                better.append(version)
                if sum(map(self._mends_all, better)) == self.enough:
                    break
            elif not attempt.passes and attempt.right > base.attempt.right:
                better.append(_Version(text, TriedVersion(mended, attempt.right)))
        return better

    def _passes(self, text: str, tests: Sequence[str]) -> bool:
        return all(attempt.passes >= set(tests) for _, attempt in self.try_programs([text], tests))

    def _accepted(self) -> Iterator[_Version]:
        """Yield the accepted programs nearest to the program, which pass all tests."""
        targets = self.candidates.accepted(self._lines)
        texts = [self._language.text(target) for target in targets]
        for text, attempt in self.try_programs(texts, (*self.failed, *self.passed)):
            if attempt.passes >= {*self.failed, *self.passed}:
                yield _Version(text, TriedVersion(frozenset(self.failed)))

    @cached_property
    def _raw(self) -> tuple[ProgramLine, ...]:
        return self._language.read(self.text)

    @cached_property
    def _lines(self) -> tuple[ProgramLine, ...]:
        return self._language.formatted(self.text)

    @property
    def _language(self) -> RepairableLanguage:
        return self.candidates.language

    def _repair(self, version: _Version) -> Repair | None:
        """Return the edits that the program needs of those that turn it into the version; None if they are large."""
        edits = edits_between(self._raw, own_lines(self._raw, self._lines, self._language.formatted(version.text)))
        must = [*(test for test in self.failed if test in version.attempt.passes), *self.passed, *self.also]

        def first_that_works(parts: Sequence[Sequence[Edit]]) -> int | None:
            tried = self.try_programs([self._language.text(edited(self._raw, part)) for part in parts], must)
            for place, (_, attempt) in enumerate(tried):
                if attempt.passes >= set(must):
                    return place
                # The next version runs this test first, since it is likely to fail again.
                failed = next(test for test in must if test not in attempt.passes)
                must.remove(failed)
                must.insert(0, failed)
            return None

        if len(edits) > 1:
            edits = tuple(minimised(edits, first_that_works))
        small = removed(self._raw, edits) <= size(self._raw) * _MAX_REMOVED
        if not small or added(self._raw, edits) > size(self._raw) * _MAX_ADDED:
            return None
        return Repair(edits, version.attempt.passes, cost(self._raw, edits))
