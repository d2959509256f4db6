"""Draws sessions with Hypothesis, and looks for the shortest session that differs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.strategies import SearchStrategy

from grader.plugins.searching.fuzzing.playing.sessions import RandomSession

_BATCH = 10


@dataclass(frozen=True)
class SessionSource:
    """A source of up to `count` sessions, which are always the same for the same `seed`.

    They are drawn in batches, because within a batch Hypothesis repeats much of what it drew before.
    """

    strategy: SearchStrategy[RandomSession]
    seed: int
    count: int

    def draw(self) -> tuple[RandomSession, ...]:
        """Return the distinct sessions, in the order in which they are drawn."""
        drawn: dict[RandomSession, None] = {}
        self._replay(drawn.setdefault, Phase.generate)
        return tuple(drawn)

    def shortest(self, differs: Callable[[RandomSession], bool]) -> RandomSession | None:
        """Return the shortest session found that `differs`, starting from the first one drawn, or None.

        `differs` must always give the same answer for the same session.
        """
        last: list[RandomSession] = []

        def refuse(session: RandomSession) -> None:
            if differs(session):
                last[:] = [session]
                raise _DiffersError

        try:
            self._replay(refuse, Phase.generate, Phase.shrink)
        except _DiffersError:
            return last[0]
        return None

    def _replay(self, hear: Callable[[RandomSession], object], *phases: Phase) -> None:
        with _storage_elsewhere():
            for start in range(0, self.count, _BATCH):
                self._replay_batch(start, hear, *phases)

    def _replay_batch(self, start: int, hear: Callable[[RandomSession], object], *phases: Phase) -> None:
        @seed(f"{self.seed} {start}")
        @settings(
            max_examples=min(_BATCH, self.count - start),
            phases=phases,
            database=None,
            deadline=None,
            derandomize=False,
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        @given(self.strategy)
        def play(session: RandomSession) -> None:
            hear(session)

        play()


@contextmanager
def _storage_elsewhere() -> Iterator[None]:
    """Make Hypothesis store its files in a temporary folder, not in the working folder."""
    with TemporaryDirectory(prefix="grader-fuzz-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


class _DiffersError(Exception):
    """A session differs."""
