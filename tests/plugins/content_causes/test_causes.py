"""Each cause is named where it should be, and only there, in words that a student understands."""

import re
from operator import attrgetter

import pytest

from grader.judge.causes.text import TEXT
from grader.judge.judge import judge
from grader.model.cause import Cause
from grader.plugins.content_causes import board, cards, exchanged, groups
from grader.plugins.content_causes.family import CONTENT
from tests import ROOT
from tests.judge.causes.examples import Example, texts
from tests.judge.causes.failures import Failure
from tests.judge.causes.test_examples import cause_of, refuse_long_words
from tests.judge.causes.test_language import foreign as foreign
from tests.judge.causes.test_language import untranslated
from tests.judge.sessions import explain
from tests.plugins.content_causes.failures import FAILURES

EXAMPLES = (
    texts(
        board.BOARD_SHAPE,
        "a\nb\n\tXX\tXX\n\t6C\tKH\n",
        "a\nb\n\t2D\tXX\n\tXX\tKH\n",
        "a\nb\n\tXX\t??\n\t2D\tKH\n",
        "text",
    ),
    texts(cards.WRONG_DEAL, "\U0001f0a1\nbye\n", "\U0001f0b1\nbye\n", "\U0001f0a1\nby\n", "line-cut-short"),
    texts(cards.CARD_NOTATION, "a\nb\nHand: TH\n", "a\nb\nHand: 10H\n", "a\nb\nHand TH\n", "text"),
    texts(
        groups.CARD_GROUP,
        "a\nb\n \U0001f0a1 \U0001f0a2  \U0001f0a3 \U0001f0a4\n \U0001f0b1 \U0001f0b2  \U0001f0b3 \U0001f0b4\n",
        "a\nb\n \U0001f0a1 \U0001f0a2  \U0001f0a5 \U0001f0a6\n \U0001f0b1 \U0001f0b2  \U0001f0b3 \U0001f0b4\n",
        "a\nb\n \U0001f0a1 \U0001f0a2  \U0001f0a5\n \U0001f0b1 \U0001f0b2  \U0001f0b3 \U0001f0b4\n",
        "text",
    ),
    texts(exchanged.WORD_ORDER, "TH\nb\nHand: TH 9C\n", "TH\nb\nHand: 9C TH\n", "TH\nb\nHand: 9D TH\n", "text"),
    texts(cards.CARD, "TH\nb\nHand: TH 9C\n", "TH\nb\nHand: TH 9D\n", "TH\nb\nHand: 3D 9D\n", "text"),
    texts(cards.CARD_LINE, "TH\nb\n\n9C\nc\n", "TH\nb\n9C\n\nx\n", "TH\nb\n9C 9D\n\nx\n", "text"),
)
OWN: set[Cause] = {cause for finder in CONTENT.finders for cause in finder.causes} - {TEXT}
DOCUMENT = (ROOT / "docs" / "reference" / "causes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.id)
def test_diagnosis(failure: Failure) -> None:
    assert explain(failure.test, failure.expected, failure.outcome) == (failure.cause, failure.sentence)
    refuse_long_words(failure.sentence)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.cause.id)
def test_a_session_shows_the_cause_and_a_close_one_does_not(example: Example) -> None:
    assert (cause_of(example.shows), cause_of(example.close)) == (example.cause.id, example.instead)
    assert example.cause.id != example.instead


def test_every_cause_has_a_failure_and_an_example() -> None:
    assert {failure.cause for failure in FAILURES} == {cause.id for cause in OWN} | {TEXT.id}
    assert {example.cause for example in EXAMPLES} == OWN


@pytest.mark.parametrize("cause", sorted(OWN, key=attrgetter("id")), ids=lambda cause: cause.id)
def test_the_example_of_the_document_is_what_the_grader_says(cause: Cause) -> None:
    example = re.search(rf"^### `{cause.id}`\n\n.+\n\n> (?P<example>.+)\n", DOCUMENT, re.M)
    assert example is not None
    assert example["example"] in {failure.sentence for failure in FAILURES}


@pytest.mark.usefixtures("foreign")
def test_nothing_of_a_diagnosis_stays_english() -> None:
    for failure in FAILURES:
        judgement = judge(failure.test, failure.expected, failure.outcome)
        session = f"{failure.test!r} {failure.expected} {failure.outcome!r}"
        assert untranslated(judgement, session) == {}
