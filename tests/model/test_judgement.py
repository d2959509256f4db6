"""A deferred diagnosis behaves like any other, but its cause is only found when it is read."""

import pickle
from collections.abc import Callable
from copy import copy
from dataclasses import replace

import pytest

from grader.model.codec import to_json
from grader.model.general_causes import CHECKER
from grader.model.judgement import Diagnosis, Judgement, Verdict
from grader.text.difference import FirstDifference, find_first_difference

DIFFERENCE = find_first_difference("a\n", "b\n")
WHOLE = Diagnosis(CHECKER, "It is wrong.", DIFFERENCE)


def test_a_cause_is_found_once_and_not_before_it_is_read() -> None:
    searches: list[str] = []

    def find() -> Diagnosis:
        searches.append("search")
        return WHOLE

    judgement = Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=Diagnosis.deferred(find))
    judgement = replace(judgement, wrong_line=1)
    assert judgement.verdict is Verdict.WRONG_OUTPUT
    assert not searches
    assert judgement.telling == DIFFERENCE
    assert judgement == Judgement(verdict=Verdict.WRONG_OUTPUT, diagnosis=WHOLE, wrong_line=1)
    assert searches == ["search"]


@pytest.mark.parametrize("telling", [DIFFERENCE, None])
@pytest.mark.parametrize(
    "use",
    [
        lambda diagnosis: diagnosis,
        hash,
        repr,
        copy,
        to_json,
        lambda diagnosis: pickle.loads(pickle.dumps(diagnosis)),
        lambda diagnosis: replace(diagnosis, sentence="Else."),
        lambda diagnosis: diagnosis.followed_by("more"),
        lambda diagnosis: Diagnosis.deferred(lambda: diagnosis),
    ],
)
def test_every_use_of_it_is_that_of_the_diagnosis(
    use: Callable[[Diagnosis], object], telling: FirstDifference | None
) -> None:
    whole = replace(WHOLE, telling=telling)
    assert use(Diagnosis.deferred(lambda: whole)) == use(whole)


def test_a_missing_attribute_and_an_error_of_the_search_are_raised() -> None:
    with pytest.raises(AttributeError):
        vars(Diagnosis)["__getattr__"](Diagnosis.deferred(lambda: WHOLE), "reason")
    with pytest.raises(ZeroDivisionError):
        _ = Diagnosis.deferred(lambda: replace(WHOLE, sentence=str(1 / 0))).cause
