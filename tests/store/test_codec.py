"""What is encoded comes back equal, whatever a program printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.run.outcome import Ending, Outcome, Typed
from grader.store.codec import DamagedError, decode, encode

TEXT = st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")) | st.text()
SECONDS = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
OUTCOMES = st.builds(
    Outcome,
    transcript=TEXT,
    typed=st.lists(st.builds(Typed, st.integers(min_value=0), TEXT)).map(tuple),
    ending=st.sampled_from(Ending),
    exit_code=st.none() | st.integers(0, 255),
    signal=st.none() | st.integers(1, 64),
    unsent=st.integers(min_value=0),
    wall_seconds=SECONDS,
    cpu_seconds=SECONDS,
)


@given(OUTCOMES)
def test_there_and_back(outcome: Outcome) -> None:
    assert decode(encode(outcome)) == outcome


@given(st.binary())
def test_other_bytes(data: bytes) -> None:
    with pytest.raises(DamagedError):
        decode(data)
