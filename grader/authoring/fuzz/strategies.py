"""Random sessions as strategies of Hypothesis, which the extra `fuzz` installs: drawing them, making one shorter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import assert_never

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.strategies import SearchStrategy

from grader.authoring.fuzz.grammar import (
    JoinedTexts,
    LinePattern,
    NumberRange,
    OneLine,
    PlainText,
    RepeatedLines,
    RepeatedText,
    RuleReference,
    SessionGrammar,
    TextChoice,
    TextPattern,
)
from grader.authoring.fuzz.sessions import RandomSession

_MOST_NUMBERS = 60
"""So many numbers that occur are preferred, those near 0 first."""


_MOST_DEALS = 9999


def session_strategy(
    grammar: SessionGrammar, occurring: Sequence[int], *, deals: bool
) -> SearchStrategy[RandomSession]:
    """The sessions of a grammar, with a seed of a deal if there are deals.

    Half of the numbers are at most 1 away from one of those `occurring` in the range.
    """
    texts = _Texts(grammar.rules, occurring)
    lines = st.tuples(*map(texts.lines, grammar.lines)).map(
        lambda groups: tuple(line for one in groups for line in one)
    )
    return st.builds(RandomSession, lines, st.integers(0, _MOST_DEALS) if deals else st.none())


class _Texts:
    """The strategies of the texts of a grammar."""

    def __init__(self, rules: Mapping[str, TextPattern], occurring: Sequence[int]) -> None:
        self._patterns = rules
        self._occurring = occurring
        self._rules = {name: self._deferred(name) for name in rules}

    def _deferred(self, name: str) -> SearchStrategy[str]:
        return st.deferred(lambda: self.text(self._patterns[name]))

    def lines(self, pattern: LinePattern) -> SearchStrategy[list[str]]:
        match pattern:
            case OneLine(text=text):
                return st.lists(self.text(text), min_size=1, max_size=1)
            case RepeatedLines(text=text, least=least, most=most):
                return _repeated(self.text(text), least, most)
            case _:
                assert_never(pattern)

    def text(self, pattern: TextPattern) -> SearchStrategy[str]:
        match pattern:
            case PlainText(text=text):
                return st.just(text)
            case NumberRange(least=least, most=most):
                return self._number(least, most)
            case RuleReference(name=name):
                return self._rules[name]
            case TextChoice(options=options):
                return st.one_of([self.text(one) for one in options])
            case JoinedTexts(parts=parts):
                return st.tuples(*map(self.text, parts)).map("".join)
            case RepeatedText(item=item, least=least, most=most, between=between):
                return _repeated(self.text(item), least, most).map(between.join)
            case _:
                assert_never(pattern)

    def _number(self, least: int, most: int) -> SearchStrategy[str]:
        whole = (least, most)
        near = [(max(least, one - 1), min(most, one + 1)) for one in self._occurring if least <= one <= most]
        windows = [*[whole] * max(1, len(near[:_MOST_NUMBERS])), *near[:_MOST_NUMBERS]]
        # The number itself is what Hypothesis draws in any window, so it stays when the window becomes the whole range.
        return st.sampled_from(windows).flatmap(lambda window: st.integers(*window)).map(str)


def _repeated(item: SearchStrategy[str], least: int, most: int) -> SearchStrategy[list[str]]:
    """Short lists and long ones alike: Hypothesis alone makes few that are longer than ten."""
    fewest = dict.fromkeys(least + (most - least) * quarter // 4 for quarter in range(4))
    return st.sampled_from(list(fewest)).flatmap(lambda fewer: st.lists(item, min_size=fewer, max_size=most))


@dataclass(frozen=True)
class SessionSource:
    """Draws sessions: always the same `count` ones, fewer if there are not so many, for the same `seed`."""

    strategy: SearchStrategy[RandomSession]
    seed: int
    count: int

    def draw(self) -> tuple[RandomSession, ...]:
        """The sessions, each once, in the order in which they are drawn."""
        found: dict[RandomSession, None] = {}
        self._replay(found.setdefault, Phase.generate)
        return tuple(found)

    def shortest(self, differs: Callable[[RandomSession], bool]) -> RandomSession | None:
        """The shortest session found that `differs`, beginning with the first one drawn; None if none of them does.

        It must give the same answer again for the same session.
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
        @seed(self.seed)
        @settings(
            max_examples=self.count,
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

        with _storage_elsewhere():
            play()


@contextmanager
def _storage_elsewhere() -> Iterator[None]:
    """Let Hypothesis keep what it likes to keep in a folder that is then removed, not in the working folder."""
    with TemporaryDirectory(prefix="grader-fuzz-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


class _DiffersError(Exception):
    """A session differs."""
