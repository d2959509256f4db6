"""Sentences are their English text, and know how they were made."""

import json
import pickle
from copy import deepcopy

from grader.text.sentence import Sentence, joined, say, say_plural

INNER = say("{name} is {found!r}.", name="x", found="é")
NESTED = say("Line {line}: {said:clause}{more}.", line=3, said=INNER, more="")


def test_a_sentence_equals_its_text_and_is_stored_as_that() -> None:
    assert NESTED == "Line 3: x is 'é'."
    assert hash(NESTED) == hash("Line 3: x is 'é'.")
    assert {str(NESTED): 1}["Line 3: x is 'é'."] == 1
    assert json.dumps([NESTED], ensure_ascii=False) == """["Line 3: x is 'é'."]"""
    assert type(json.loads(json.dumps(NESTED))) is str


def test_a_sentence_survives_the_way_from_a_worker() -> None:
    for copy in (pickle.loads(pickle.dumps(NESTED)), deepcopy(NESTED)):
        assert (copy, type(copy)) == (NESTED, Sentence)
        assert (copy.forms, copy.values) == (NESTED.forms, NESTED.values)
        assert isinstance(copy.values["said"], Sentence)


def test_braces_in_values_are_text() -> None:
    assert say("{text} is printed", text="{line} {") == "{line} { is printed"
    assert joined(", ", ["{", "}", say("{text}", text="{x}")]) == "{, }, {x}"
    assert joined(", ", []) == ""


def test_parts_of_sentences_lose_their_full_stop_and_capital() -> None:
    said = say("The end.")
    assert say("{said:clause}; {said:lower}", said=said) == "The end; the end."
    assert say("But {said:lower clause}!", said=said) == "But the end!"
    assert say("{said:clause}.", said="全对。") == "全对."
    assert say("{said:clause}{said:lower}", said="") == ""


def test_the_count_chooses_the_form() -> None:
    counts = [say_plural(count, "one line", "{count} lines of {all}", all=5) for count in (0, 1, 2)]
    assert counts == ["0 lines of 5", "one line", "2 lines of 5"]


def test_values_are_found_in_sentences_that_are_parts() -> None:
    assert NESTED.value("line") == 3
    assert NESTED.value("found") == "é"
    assert NESTED.value("nothing") is None
