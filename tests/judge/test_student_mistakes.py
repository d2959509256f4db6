"""Of the mistakes that students make, nearly all are explained as a teacher would."""

import pytest

from grader.run.environment import open_environment
from tests.judge.student_mistakes import explain_all, read_mistakes, wrong_ones

ENOUGH = 0.97
MOST_TYPICAL = 150


@pytest.mark.slow
def test_nearly_every_sentence_says_what_a_teacher_would() -> None:
    with open_environment() as environment:
        explained = list(explain_all(environment))
    wrong = {one.mistake.name: (one.sentence, one.faults) for one in wrong_ones(explained)}
    assert len(wrong) <= (1 - ENOUGH) * len(explained), wrong


def test_the_mistakes_are_many_and_each_is_there_once() -> None:
    names = [mistake.name for mistake in read_mistakes()[1]]
    assert len(names) == len(set(names)) >= MOST_TYPICAL
