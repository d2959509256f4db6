"""Sessions that are modelled on the session of a test, and the tests that play them."""

import re
from dataclasses import dataclass, replace

from grader.files.digest import digest
from grader.model.counting import Counting
from grader.model.expectation import FromReference
from grader.model.interaction import (
    Dialogue,
    FunctionCall,
    Interaction,
    PluginInteraction,
    ReplSession,
    StdinRun,
)
from grader.model.program import Program, ProvidedSettings
from grader.model.test import Test
from grader.plugins.searching.test_templates import TestTemplate


@dataclass(frozen=True, kw_only=True)
class SessionPlan:
    """The sessions of a program, each based on a test in `templates`.

    If the reference prints one of `left_open_output`, the handout leaves the session open.
    """

    id: str
    program: Program
    templates: tuple[TestTemplate, ...]
    left_open_output: tuple[re.Pattern[str], ...] = ()

    def input_text(self, texts: tuple[str, ...]) -> str:
        """Return the standard input of a program in a session with these texts."""
        return "".join(f"{line}\n" for line in texts)


@dataclass(frozen=True)
class RandomSession:
    """Lines to type or to read, or a single call, for a test based on the plan's template number `like`.

    A deck or a random seed replaces the deck or seed of that test.
    """

    texts: tuple[str, ...]
    like: int = 0
    deck: str | None = None
    random_seed: int | None = None


@dataclass(frozen=True)
class PlayedTest:
    """A test that plays these sessions: one session, or several calls that a process makes one after another.

    `drawn` is the session as it was drawn, if the reference does not read all of it.
    """

    sessions: tuple[RandomSession, ...]
    test: Test
    drawn: RandomSession | None = None


def played_test(plan: SessionPlan, sessions: tuple[RandomSession, ...]) -> PlayedTest:
    """Return the test that plays these sessions; the plan's test on which they are based provides everything else.

    Raises an error of the plan if it cannot make the input.
    """
    like = plan.templates[sessions[0].like].test
    name = digest([[list(session.texts), session.like, session.deck, session.random_seed] for session in sessions])[:8]
    test = replace(
        like,
        id=f"{plan.id}-{name}",
        title="",
        interaction=_interaction(plan, like.interaction, sessions),
        provision=_provision(like.provision, sessions[0]),
        expectation=FromReference(),
        hidden_twin_of=None,
        sealed=False,
        counting=Counting(),
        partial=None,
        sample=None,
        location=None,
    )
    return PlayedTest(sessions, test)


def _interaction(plan: SessionPlan, like: Interaction, sessions: tuple[RandomSession, ...]) -> Interaction:
    lines = sessions[0].texts
    match like:
        case Dialogue() | ReplSession():
            return replace(like, lines=lines)
        case StdinRun():
            return StdinRun(name=None, text=plan.input_text(lines))
        case FunctionCall():
            return replace(like, calls=tuple(session.texts[0] for session in sessions))
        case PluginInteraction():
            raise ValueError("a test that random sessions cannot be like")


def _provision(like: ProvidedSettings, session: RandomSession) -> ProvidedSettings:
    deck = like.deck if session.deck is None else session.deck
    random_seed = like.random_seed if session.random_seed is None else session.random_seed
    return replace(like, deck=deck, random_seed=random_seed)


def own_lines(test: Test) -> tuple[str, ...] | None:
    """Return the lines that a test types or provides as input, or None if it calls a function."""
    match test.interaction:
        case Dialogue(lines=lines) | ReplSession(lines=lines):
            return lines
        case StdinRun(text=text):
            return tuple(text.splitlines())
        case _:
            return None
