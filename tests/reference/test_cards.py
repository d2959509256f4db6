"""The cards module of CSE 231 in its editions."""

import random
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.reference.programs import REFERENCE, environment, load

cards = load("cards")
SUITS = "♣♦♥♠"
RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
IN_ORDER = [rank + suit for suit in SUITS for rank in RANKS]


def dealt(
    program: str = "deck = Deck(); deck.shuffle()", module: str = "cards", left: str = "len(deck)", **told: str
) -> list[str]:
    """What is dealt from the top of a deck, in a process that is told about it."""
    script = f"from {module} import *; {program}; print(*(deck.deal() for _ in range({left})), sep='|', end='')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REFERENCE,
        env=environment(**{f"PROVIDED_{name.upper()}": value for name, value in told.items()}),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.split("|") if done.stdout else []


def shuffled(seed: int, times: int = 1) -> list[str]:
    """The lab edition's deck, top first, after so many shuffles with a seed."""
    deck = list(IN_ORDER)
    random_numbers = random.Random(seed)
    for _ in range(times):
        random_numbers.shuffle(deck)
    return deck[::-1]


def unpadded(names: Sequence[str]) -> list[str]:
    return [name.strip() for name in names]


def test_a_card_has_methods() -> None:
    card = cards.Card(11, 3)
    assert (card.rank(), card.value(), card.suit(), card.is_face_up(), str(card)) == (11, 10, 3, True, " J♥")
    assert [cards.Card(rank, 1).value() for rank in range(1, 14)] == [*range(1, 11), 10, 10, 10]
    assert repr([cards.Card(10, 4), cards.Card(1, 1)]) == "[10♠,  A♣]"


def test_turning_a_card_over() -> None:
    card = cards.Card(10, 4)
    assert card.flip_card() is None
    assert (str(card), card.is_face_up(), card.rank()) == (" XX", False, 10)
    card.flip_card()
    assert str(card) == "10♠"


@pytest.mark.parametrize("faulty", [(), (14, 1), (1, 5), (0, 1), (-1, 2), ("A", 1), (1.0, 1), (True, True)])
def test_a_blank_card(faulty: tuple[object, ...]) -> None:
    card = cards.Card(*faulty)
    assert (str(card), card.rank(), card.suit(), card.value()) == (" XX", 0, 0, 0)


def test_equality() -> None:
    assert cards.Card(2, 3) == cards.Card(2, 3)
    assert cards.Card(2, 3) != cards.Card(2, 4)
    assert (cards.Card(2, 3) == " 2♥") is False
    with pytest.raises(TypeError):
        hash(cards.Card(2, 3))
    with pytest.raises(TypeError):
        assert cards.Card(2, 3) < cards.Card(3, 3)


def test_a_deck_goes_from_the_ace_of_clubs_up() -> None:
    deck = cards.Deck()
    assert unpadded(str(deck).split(", ")) == IN_ORDER
    assert str(deck).startswith(" A♣,  2♣")
    assert (len(deck), deck.is_empty()) == (52, False)
    assert [str(deck.deal()) for _ in range(52)][:4] == [" K♠", " Q♠", " J♠", "10♠"]
    assert (len(deck), deck.is_empty(), deck.deal()) == (0, True, None)


def test_display(capsys: pytest.CaptureFixture[str]) -> None:
    cards.Deck().display(26)
    first, second = ("".join(f"{rank + suit:>3} " for suit in suits for rank in RANKS) for suits in ("♣♦", "♥♠"))
    assert capsys.readouterr().out == f"\n{first}\n{second}\n\n"


def test_editions_print_cards_differently() -> None:
    top = "deck = Deck(); deck.deal(); deck.deal(); deck.deal()"
    for face, wanted in {"padded": ["10♠", " 9♠"], "lab": ["10♠", "9♠"], "letters": ["10s", "9s"]}.items():
        assert dealt(top, left="2", edition=f"{face}-unshuffled") == wanted
    assert dealt("deck = Deck(); deck.deal = Card", left="1", edition="lab-unshuffled") == ["XX"]


def test_editions_shuffle_differently() -> None:
    twice = "deck = Deck(); deck.shuffle(); deck = Deck(); deck.shuffle()"
    assert dealt(edition="lab-unshuffled") == IN_ORDER[::-1]
    assert dealt(edition="lab-seeded") == dealt(twice, edition="lab-seeded") == shuffled(10)
    assert " ".join(dealt(edition="lab-seeded")[:12]) == "J♥ 3♣ 2♥ 5♥ K♠ A♣ A♦ 4♥ 6♥ 5♦ 3♠ J♣"
    assert dealt(edition="lab-random") != dealt(edition="lab-random")


def test_a_random_seed() -> None:
    twice = "deck = Deck(); deck.shuffle(); deck.shuffle()"
    assert dealt(edition="lab-random", random_seed="5") == shuffled(5)
    assert dealt(twice, edition="lab-random", random_seed="5") == shuffled(5, times=2)
    assert dealt(edition="lab-seeded", random_seed="5") == shuffled(5)
    assert dealt("import random; random.seed(6); deck = Deck(); deck.shuffle()", random_seed="5") != dealt(
        random_seed="5"
    )


def test_a_stated_deck_is_the_whole_deck_and_stays() -> None:
    assert unpadded(dealt(deck="3♠ 10♠ Qh as 3♠")) == ["3♠", "10♠", "Q♥", "A♠", "3♠"]
    assert dealt(deck="") == []


def test_the_rest_may_follow_a_stated_deck() -> None:
    found = unpadded(dealt(deck="3♠ A♥ ...", edition="lab-seeded"))
    assert found == ["3♠", "A♥", *(card for card in IN_ORDER[::-1] if card not in ("3♠", "A♥"))]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"PROVIDED_DECK": "3♠ 1♠"}, "PROVIDED_DECK names '1♠'; expected a card such as 10♠ or Qh"),
        ({"PROVIDED_DECK": "... 3♠♠"}, "PROVIDED_DECK names '3♠♠'; expected a card such as 10♠ or Qh"),
        ({"PROVIDED_EDITION": "lab"}, "PROVIDED_EDITION is 'lab'; cards has "),
        ({"PROVIDED_EDITION": "small-random"}, "PROVIDED_EDITION is 'small-random'; cards has "),
    ],
)
def test_what_the_module_does_not_understand(told: dict[str, str], message: str) -> None:
    command = [sys.executable, "-c", "import cards; cards.Deck()"]
    done = subprocess.run(
        command, cwd=REFERENCE, env=environment(**told), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(message)


def two_packs(**told: str) -> list[str]:
    return unpadded(
        dealt("deck = Deck(); deck.add_deck(); deck.shuffle()", "cards_spider", "deck.cards_left()", **told)
    )


def test_spider_has_two_packs() -> None:
    found = two_packs(random_seed="3")
    assert sorted(found) == sorted(rank + suit for rank in RANKS for suit in "CCDDHHSS")
    assert found == two_packs(random_seed="3") != two_packs(random_seed="4")


def test_spiders_stated_cards_lie_on_top() -> None:
    found = two_packs(deck="3S 3S 10h KC")
    assert found[:4] == ["3S", "3S", "10H", "KC"]
    assert sorted(found) == sorted(two_packs())


def test_spiders_cards_can_be_hidden() -> None:
    card = load("cards_spider").Card(12, "H")
    assert (card.get_rank(), card.get_suit(), card.is_hidden(), str(card)) == (12, "H", False, " QH")
    card.set_hidden()
    assert (card.is_hidden(), repr(card)) == (True, " XX")
    card.show_card()
    assert str(card) == " QH"
