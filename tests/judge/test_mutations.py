"""The catalogue of causes, measured: right sessions of every assignment, spoiled in each known way."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from grader.judge.judge import judge
from tests.judge.mutations import MUTATIONS, Mutation, Session, sessions

CASES = 12
ENOUGH = 0.98


@cache
def right_sessions() -> Sequence[Session]:
    return tuple(sessions())


def causes_found(name: str, mutate: Mutation, most: int) -> Counter[str]:
    """The causes named for at most `most` sessions spoiled in one way, drawn from all that can be."""
    chance = Random(name)
    found: Counter[str] = Counter()
    for right in chance.sample(right_sessions(), len(right_sessions())):
        if found.total() == most:
            break
        spoiled = mutate(right, chance)
        if spoiled is None:
            continue
        wanted, actual = spoiled if isinstance(spoiled, tuple) else (right, spoiled)
        if wanted.transcript != actual.transcript:
            diagnosis = judge(right.test, wanted.transcript, actual.outcome).diagnosis
            found[diagnosis.cause.id if diagnosis else "passed"] += 1
    return found


NAMED = [pytest.param(*mutation, id=f"{mutation[0]}: {mutation[1]}") for mutation in MUTATIONS]


@pytest.mark.parametrize(("cause", "what", "mutate"), NAMED)
def test_the_cause_of_a_spoiled_session_is_named(cause: str, what: str, mutate: Mutation) -> None:
    found = causes_found(f"{cause} {what}", mutate, CASES)
    assert found.total() == CASES
    assert found == {cause: CASES}


@pytest.mark.slow
def test_the_right_cause_is_named_for_nearly_all_sessions() -> None:
    confusions: Counter[tuple[str, str]] = Counter()
    total = 0
    for cause, what, mutate in MUTATIONS:
        found = causes_found(f"all {cause} {what}", mutate, len(right_sessions()) // 4)
        total += found.total()
        confusions.update({(f"{cause} ({what})", other): count for other, count in found.items() if other != cause})
    assert confusions.total() <= (1 - ENOUGH) * total, confusions


def test_right_sessions_pass() -> None:
    for right in right_sessions()[::20]:
        assert judge(right.test, right.transcript, right.outcome).diagnosis is None
