"""Where outcomes come from: the store, or else a session that is held now and kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from grader.intake.submission import SubmittedFile
from grader.run.bench import Bench
from grader.run.outcome import Ending, Outcome
from grader.spec.assignment import Test
from grader.spec.limits import Limits
from grader.store.digest import file_digest
from grader.store.keys import FileContent, outcome_key
from grader.store.store import Store

Ask: TypeAlias = Callable[[Test], Outcome]
"""Gives the outcome of a test. Raises GraderError or OSError when there is none."""


@dataclass(frozen=True)
class Archive:
    """A store, and the identity (`harness_identity`) of what runs the programs.

    With `fresh`, outcomes are kept in it but none is taken from it.
    """

    store: Store
    harness: str
    fresh: bool = False

    def find(self, keys: Sequence[str]) -> Mapping[str, Outcome]:
        """The outcomes that may be taken."""
        return {} if self.fresh else self.store.outcomes(keys)


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of tests on submissions: from `archive` if there is one that has them, else from `bench`."""

    bench: Bench
    archive: Archive | None = None

    @contextmanager
    def of(self, files: Sequence[SubmittedFile], tests: Sequence[Test], limits: Limits) -> Iterator[Ask]:
        """What gives the outcomes of `tests` on the submission that is `files`, all of them readable.

        Raises OSError when one cannot be read after all, StoreError when the archive cannot.
        """

        def run(test: Test) -> Outcome:
            return self.bench.run(test, tuple((file.path, file.name) for file in files), limits)

        if self.archive is None:
            yield run
            return
        archive = self.archive
        contents = _contents(files)
        keys = {test.id: outcome_key(archive.harness, contents, test, limits) for test in tests}
        found = archive.find(list(keys.values()))

        def ask(test: Test) -> Outcome:
            key = keys[test.id]
            if key in found:
                return found[key]
            outcome = run(test)
            # A file that has changed in the meantime was perhaps not the one that ran.
            if outcome.ending is not Ending.CANCELLED and _contents(files) == contents:
                archive.store.keep(key, outcome)
            return outcome

        yield ask

    def cancel(self) -> None:
        """End the sessions under way."""
        self.bench.cancelled.set()


def _contents(files: Sequence[SubmittedFile]) -> list[FileContent]:
    return [FileContent(file.name, file_digest(file.path)) for file in files]
