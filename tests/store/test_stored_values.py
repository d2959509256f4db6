"""What is encoded comes back equal, for every output of a program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checkers import CheckResult, CheckStatus
from grader.model.outcome import CodeLine, Outcome, Termination, TraceStep, TypedLine
from grader.store.stored_values import DamagedError, decode_answer, decode_outcome, encode_answer, encode_outcome

TEXT = st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")) | st.text()
SECONDS = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
SHARES = st.decimals(min_value=0, max_value=1, places=4)
ANSWERS = st.builds(CheckResult, status=st.sampled_from(CheckStatus), reason=TEXT, score=st.none() | SHARES)
LINES = st.builds(CodeLine, TEXT, st.integers(min_value=1))
OUTCOMES = st.builds(
    Outcome,
    transcript=TEXT,
    typed=st.lists(st.builds(TypedLine, st.integers(min_value=0), TEXT)).map(tuple),
    ending=st.sampled_from(Termination),
    exit_code=st.none() | st.integers(0, 255),
    signal=st.none() | st.integers(1, 64),
    unsent=st.integers(min_value=0),
    wall_seconds=SECONDS,
    cpu_seconds=SECONDS,
    answer=st.none() | ANSWERS,
    trace=st.lists(st.builds(TraceStep, st.lists(LINES).map(tuple), st.integers(min_value=0))).map(tuple),
)


@given(OUTCOMES)
def test_there_and_back(outcome: Outcome) -> None:
    assert decode_outcome(encode_outcome(outcome)) == outcome


@given(st.binary())
def test_other_bytes(data: bytes) -> None:
    with pytest.raises(DamagedError):
        decode_outcome(data)


@given(ANSWERS)
def test_answers_there_and_back(answer: CheckResult) -> None:
    assert decode_answer(encode_answer(answer)) == answer


@pytest.mark.parametrize("text", ["", "{}", "[]", '["passed", ""]', '["perhaps", "", null]', '["passed", "", "much"]'])
def test_other_texts(text: str) -> None:
    with pytest.raises(DamagedError):
        decode_answer(text)
