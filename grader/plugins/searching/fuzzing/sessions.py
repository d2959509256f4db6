"""Groups random sessions that a test can play together, and lists the sessions that tests play themselves."""

import re
from collections.abc import Iterable, Iterator, Sequence

from grader.model.interaction import FunctionCall, program_input
from grader.model.test import Test
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession, own_lines
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan

_CALLS_AT_ONCE = 150
_NUMBER = re.compile(r"(?:(?<![\w.])|(?=-))-?[0-9]{1,18}(?![\w.])")


def is_left_open(plan: FuzzPlan, session: RandomSession) -> bool:
    """Return whether the handout leaves the result of a session open."""
    return any(pattern.search(text) for pattern in plan.left_open for text in session.texts)


def played_together(plan: FuzzPlan, sessions: Sequence[RandomSession]) -> Iterator[tuple[RandomSession, ...]]:
    """Yield the sessions in as few groups as possible, each of which one test can play."""
    for like, template in enumerate(plan.templates):
        sessions_of_test = [session for session in sessions if session.like == like]
        most = _most_at_once(plan, template.test)
        for start in range(0, len(sessions_of_test), most):
            yield tuple(sessions_of_test[start : start + most])


def _most_at_once(plan: FuzzPlan, like: Test) -> int:
    """Return how many sessions a process may play: several only if they cannot affect each other."""
    call = like.interaction
    alone = not isinstance(call, FunctionCall) or call.lines or call.variables or call.setup
    return 1 if alone or plan.vary is not None or like.checker is not None else _CALLS_AT_ONCE


def own_sessions(plan: FuzzPlan) -> tuple[RandomSession, ...]:
    """Return the sessions that the tests of a plan play themselves."""
    lines = [own_lines(template.test) for template in plan.templates]
    return tuple(RandomSession(texts, like) for like, texts in enumerate(lines) if texts is not None)


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Return the distinct whole numbers in the texts, the ones nearest to 0 first.

    For `n-1`, both -1 and 1 are returned, because the sign may be an operator.
    """
    numbers = {int(number) for text in texts for number in _NUMBER.findall(text)}
    return sorted(numbers | set(map(abs, numbers)), key=lambda number: (abs(number), number < 0))


def texts_of(test: Test) -> Iterator[str]:
    """Yield the input and the calls of a test."""
    yield program_input(test.interaction)
    if isinstance(test.interaction, FunctionCall):
        yield from (*test.interaction.setup, *test.interaction.calls)
