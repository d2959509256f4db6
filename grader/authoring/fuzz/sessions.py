"""A random session, and the test that plays it: made for a run, or written into a file of tests."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import assert_never

from grader.authoring.fuzz.fuzz_file import FuzzError
from grader.authoring.fuzz.session_plan import SessionPlan
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

_CALLS_AT_ONCE = 150
_MOST_GENERATED = 1000
_GENERATOR_SECONDS = 60
_NUMBER = re.compile(r"(?:(?<![\w.])|(?=-))-?[0-9]{1,18}(?![\w.])")


@dataclass(frozen=True)
class RandomSession:
    """What is typed or read, line by line, or the only call, in a test like that of the number `like` in the plan.

    A deck or a random seed takes the place of the one which that test has.
    """

    texts: tuple[str, ...]
    like: int = 0
    deck: str | None = None
    random_seed: int | None = None


@dataclass(frozen=True)
class PlayedTest:
    """A test that plays these sessions: one, or several calls that a process makes one after the other.

    `drawn` is the session as it was drawn, where the reference does not read all of that.
    """

    sessions: tuple[RandomSession, ...]
    test: Test
    drawn: RandomSession | None = None


def is_left_open(plan: SessionPlan, session: RandomSession) -> bool:
    """Return whether the handout does not say what such a session comes to."""
    return any(pattern.search(text) for pattern in plan.left_open for text in session.texts)


def played_together(plan: SessionPlan, sessions: Sequence[RandomSession]) -> Iterator[tuple[RandomSession, ...]]:
    """Yield the sessions in groups that a test can play, as few as there can be."""
    for like, template in enumerate(plan.templates):
        own = [session for session in sessions if session.like == like]
        most = _most_at_once(plan, template.test)
        for start in range(0, len(own), most):
            yield tuple(own[start : start + most])


def _most_at_once(plan: SessionPlan, like: Test) -> int:
    """How many sessions a process may play: several only where what one leaves behind cannot concern the others."""
    call = like.interaction
    alone = not isinstance(call, FunctionCall) or call.lines or call.variables or call.setup
    return 1 if alone or plan.vary is not None or like.checker is not None else _CALLS_AT_ONCE


def played_test(plan: SessionPlan, sessions: tuple[RandomSession, ...]) -> PlayedTest:
    """Return the test that plays these sessions, which are like one test of the plan: that says what is not theirs.

    Raises FuzzError when a generator fails.
    """
    like = plan.templates[sessions[0].like].test
    name = digest([[list(one.texts), one.like, one.deck, one.random_seed] for one in sessions])[:8]
    test = replace(
        like,
        id=f"{plan.id}-{name}",
        title="",
        interaction=_interaction(plan, like.interaction, sessions),
        provision=_provision(like.provision, sessions[0]),
        expectation=FROM_REFERENCE,
        hidden_twin_of=None,
        sealed=False,
        counting=COUNTS_ALONE,
        partial=None,
        sample=None,
        location=None,
    )
    return PlayedTest(sessions, test)


def _interaction(plan: SessionPlan, like: Interaction, sessions: tuple[RandomSession, ...]) -> Interaction:
    lines = sessions[0].texts
    if plan.generator is not None:
        return StdinRun(name=None, text=_generated(plan.generator, lines[0]))
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


def _provision(like: ProvidedSettings, session: RandomSession) -> ProvidedSettings:
    deck = like.deck if session.deck is None else session.deck
    random_seed = like.random_seed if session.random_seed is None else session.random_seed
    return replace(like, deck=deck, random_seed=random_seed)


@lru_cache(_MOST_GENERATED)
def _generated(generator: Path, arguments: str) -> str:
    """What the generator prints. Raises FuzzError when it does not end, or ends with another exit status than 0."""
    command = [sys.executable, str(generator), *shlex.split(arguments)]
    said = f"The generator does not work: {shlex.join([generator.name, *command[2:]])}"
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_GENERATOR_SECONDS)
    except subprocess.TimeoutExpired:
        raise FuzzError(f"{said} did not end within {_GENERATOR_SECONDS} s.") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise FuzzError(f"{said} ended with exit status {done.returncode}. {''.join(last)}")
    return done.stdout.decode("utf-8", "replace")


def own_lines(test: Test) -> tuple[str, ...] | None:
    """What a test types or gives to read, line by line; None where it calls a function."""
    match test.interaction:
        case Dialogue(lines=lines) | ReplSession(lines=lines):
            return lines
        case StdinRun(text=text):
            return tuple(text.splitlines())
        case _:
            return None


def own_sessions(plan: SessionPlan) -> tuple[RandomSession, ...]:
    """Return the sessions that the tests of a plan play themselves."""
    lines = [own_lines(template.test) for template in plan.templates]
    return tuple(RandomSession(own, like) for like, own in enumerate(lines) if own is not None)


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Return the whole numbers that stand in the texts, each once, those near 0 first.

    Of `n-1` both -1 and 1 are taken, since the sign may be a minus.
    """
    found = {int(number) for text in texts for number in _NUMBER.findall(text)}
    return sorted(found | set(map(abs, found)), key=lambda number: (abs(number), number < 0))


def texts_of(test: Test) -> Iterator[str]:
    """What the test types, gives to read, or calls."""
    yield program_input(test.interaction)
    if isinstance(test.interaction, FunctionCall):
        yield from (*test.interaction.setup, *test.interaction.calls)
