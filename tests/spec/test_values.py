"""Values of function tests as they are written in YAML."""

import pytest

from grader.config.yaml_reader import QuotedText
from grader.model.plain_values import Plain, holds_cards, words
from grader.spec.values import plain_value

VALUES: list[tuple[object, Plain, str]] = [
    ("3", 3, "3"),
    ("-03", -3, "-3"),
    ("2.50", 2.5, "2.5"),
    ("true", True, "True"),
    ("None", None, "None"),
    (QuotedText("3"), "3", "'3'"),
    (QuotedText("None"), "None", "'None'"),
    (QuotedText("10♠"), {"card": "10♠"}, "10♠"),
    ([QuotedText("2.5"), "2.5"], ["2.5", 2.5], "['2.5', 2.5]"),
    ("3 cards", "3 cards", "'3 cards'"),
    ("10♠", {"card": "10♠"}, "10♠"),
    ("3♥ face down", {"card": "3♥ face down"}, "3♥ face down"),
    ("XX", {"card": "XX"}, "XX"),
    ("1♠", "1♠", "'1♠'"),
    ({"text": "10♠"}, "10♠", "'10♠'"),
    ([["A♥"], []], [[{"card": "A♥"}], []], "[[A♥], []]"),
    ({"deck": "3♠ 8♠"}, {"deck": [{"card": "3♠"}, {"card": "8♠"}]}, "a deck of 3♠, 8♠ (top first)"),
    ({"deck": []}, {"deck": []}, "an empty deck"),
    ({"tuple": ["1"]}, {"tuple": [1]}, "(1,)"),
    ({"set": ["1", "2"]}, {"set": [1, 2]}, "{1, 2}"),
    ({"set": []}, {"set": []}, "set()"),
    ({"a": "1"}, {"dict": [["a", 1]]}, "{'a': 1}"),
]


@pytest.mark.parametrize(("written", "plain", "shown"), VALUES)
def test_what_is_written_is_meant_and_shown(written: object, plain: Plain, shown: str) -> None:
    assert plain_value(written) == plain
    assert type(plain_value(written)) is type(plain)
    assert words(plain) == shown


@pytest.mark.parametrize("deck", ["3♠ 1♠", ["3♠", ["4♠"]], {"a": "b"}])
def test_a_deck_is_made_of_cards(deck: object) -> None:
    with pytest.raises(ValueError, match="expected the cards of a deck, the top card first, such as 3♠ 10♥"):
        plain_value({"deck": deck})


def test_cards_are_found_wherever_they_are() -> None:
    assert holds_cards(plain_value({"a": [{"tuple": ["1", "3♥"]}]}))
    assert holds_cards({"deck": []})
    assert not holds_cards(plain_value([["3"], {"a": "b"}]))
