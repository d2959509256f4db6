"""A random session, and the test that plays it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from grader.authoring.fuzz.fuzz_file import SessionPlan, VariedDeal
from grader.authoring.seeds.search_file import PACK, cards_stated, shuffled_deck
from grader.files.digest import digest
from grader.model.counting import COUNTS_ALONE
from grader.model.expectation import FROM_REFERENCE
from grader.model.interaction import (
    Dialogue,
    FunctionCall,
    Interaction,
    InteractorRun,
    OwnTests,
    ReplSession,
    StdinRun,
    program_input,
)
from grader.model.program import ProvidedSettings
from grader.model.test import Test

_CALLS_AT_ONCE = 50


_NUMBER = re.compile(r"(?:(?<![\w.])|(?=-))-?[0-9]{1,18}(?![\w.])")


@dataclass(frozen=True)
class RandomSession:
    """What is typed or read, line by line, or the only call; `deal` is the seed of the deck or of chance."""

    texts: tuple[str, ...]
    deal: int | None = None


@dataclass(frozen=True)
class PlayedTest:
    """A test that plays these sessions: one, or several calls that a process makes one after the other.

    `drawn` is the session as it was drawn, where the reference does not read all of that.
    """

    sessions: tuple[RandomSession, ...]
    test: Test
    drawn: RandomSession | None = None


def is_left_open(plan: SessionPlan, session: RandomSession) -> bool:
    """Whether the handout does not say what such a session comes to."""
    return any(pattern.search(text) for pattern in plan.left_open for text in session.texts)


def played_tests(plan: SessionPlan, sessions: Sequence[RandomSession]) -> list[PlayedTest]:
    """The tests that play the sessions, as few as there can be."""
    return [played_test(plan, some) for some in _in_groups(sessions, _most_at_once(plan))]


def _in_groups(sessions: Sequence[RandomSession], most: int) -> Iterator[tuple[RandomSession, ...]]:
    for start in range(0, len(sessions), most):
        yield tuple(sessions[start : start + most])


def _most_at_once(plan: SessionPlan) -> int:
    """How many sessions a process may play: several only where what one leaves behind cannot concern the others."""
    call = plan.template.test.interaction
    alone = not isinstance(call, FunctionCall) or call.lines or call.variables or call.setup
    return 1 if alone or plan.vary is not None or plan.template.test.checker is not None else _CALLS_AT_ONCE


def played_test(plan: SessionPlan, sessions: tuple[RandomSession, ...]) -> PlayedTest:
    """The test that plays these sessions, as the test of the plan says what is not theirs."""
    like = plan.template.test
    name = digest([[list(session.texts), session.deal] for session in sessions])[:8]
    test = replace(
        like,
        id=f"{plan.id}-{name}",
        title="",
        interaction=_interaction(like.interaction, sessions),
        provision=_provision(plan, sessions[0]),
        expectation=FROM_REFERENCE,
        hidden_twin_of=None,
        sealed=False,
        counting=COUNTS_ALONE,
        partial=None,
        sample=None,
        location=None,
    )
    return PlayedTest(sessions, test)


def _interaction(like: Interaction, sessions: tuple[RandomSession, ...]) -> Interaction:
    lines = sessions[0].texts
    match like:
        case Dialogue() | ReplSession():
            return replace(like, lines=lines)
        case StdinRun():
            return StdinRun(name=None, text="".join(f"{line}\n" for line in lines))
        case FunctionCall():
            return replace(like, calls=tuple(session.texts[0] for session in sessions))
        case OwnTests() | InteractorRun():
            raise ValueError("a test that random sessions cannot be like")
        case _:
            assert_never(like)


def _provision(plan: SessionPlan, session: RandomSession) -> ProvidedSettings:
    like = plan.template.test
    if session.deal is None:
        return like.provision
    match plan.vary:
        case VariedDeal.DECK:
            return replace(like.provision, deck=shuffled_deck(PACK, session.deal, cards_stated(like)))
        case VariedDeal.RANDOM_SEED:
            return replace(like.provision, random_seed=session.deal)
        case None:
            return like.provision
        case _:
            assert_never(plan.vary)


def numbers_in(texts: Iterable[str]) -> list[int]:
    """The whole numbers that stand in the texts, each once, those near 0 first.

    Of `n-1` both -1 and 1 are taken, since the sign may be a minus.
    """
    found = {int(number) for text in texts for number in _NUMBER.findall(text)}
    return sorted(found | set(map(abs, found)), key=lambda number: (abs(number), number < 0))


def texts_of(test: Test) -> Iterator[str]:
    """What the test types, gives to read, or calls."""
    yield program_input(test.interaction)
    if isinstance(test.interaction, FunctionCall):
        yield from (*test.interaction.setup, *test.interaction.calls)
