"""Sessions drawn from a grammar, and made shorter."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from grader.model.ending import ExitsBetween
from grader.model.interaction import Dialogue
from grader.model.program import Program, ProvidedSettings
from grader.model.test import Test, Visibility
from grader.plugins.searching.decks import PACK, REST
from grader.plugins.searching.fuzzing.fuzz_file import VariedDeal
from grader.plugins.searching.fuzzing.grammar import (
    LinePattern,
    OneLine,
    PlainText,
    RepeatedLines,
    RepeatedText,
    SessionGrammar,
    TextChoice,
    TextPattern,
    text_pattern,
)
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan
from grader.plugins.searching.fuzzing.session_source import SessionSource
from grader.plugins.searching.fuzzing.sessions import numbers_in
from grader.plugins.searching.fuzzing.strategies import session_strategy
from grader.plugins.searching.test_templates import TestTemplate

MOVES = SessionGrammar(
    {
        "pile": text_pattern("{0..9}"),
        "move": TextChoice(tuple(map(text_pattern, ("u", "d", "m {pile} {pile}", "add {-100000..100000}")))),
    },
    (RepeatedLines(text_pattern("{move}"), 0, 40), OneLine(text_pattern("q"))),
)


GAME = Test(
    id="game",
    title="",
    program="game.py",
    part="all",
    points=Decimal(1),
    visibility=Visibility.PUBLIC,
    interaction=Dialogue(("u", "q")),
    provision=ProvidedSettings(deck="A♠ K♠ 3♦ ..."),
    ending=ExitsBetween(0, 0),
)


def plan(grammar: SessionGrammar, vary: VariedDeal | None = None, tests: int = 1) -> FuzzPlan:
    return FuzzPlan(
        id="random",
        program=Program(file="game.py", reference=Path("game.py"), variants=("canonical",)),
        templates=(TestTemplate(GAME, {}),) * tests,
        grammar=grammar,
        vary=vary,
        pack=PACK,
        generator=None,
        left_open=(),
        left_open_output=(),
    )


def source(
    grammar: SessionGrammar, *, occurring: tuple[int, ...] = (), known: tuple[RandomSession, ...] = ()
) -> SessionSource:
    return of_plan(plan(grammar), occurring, known)


def of_plan(
    drawn_from: FuzzPlan, occurring: tuple[int, ...] = (), known: tuple[RandomSession, ...] = ()
) -> SessionSource:
    return SessionSource(session_strategy(drawn_from, occurring, known), seed=1, count=60)


def single(pattern: TextPattern) -> SessionGrammar:
    lines: tuple[LinePattern, ...] = (OneLine(pattern),)
    return SessionGrammar({}, lines)


@cache
def drawn_moves() -> tuple[RandomSession, ...]:
    """What is drawn from that grammar; a draw takes long."""
    return source(MOVES).draw()


@pytest.mark.slow
def test_sessions_are_those_of_the_grammar_and_the_same_again() -> None:
    drawn = drawn_moves()
    assert len(drawn) == len(set(drawn)) > 40
    move = re.compile(r"u|d|m \d \d|add -?\d{1,6}")
    for session in drawn:
        *moves, last = session.texts
        assert last == "q"
        assert len(moves) <= 40
        assert all(move.fullmatch(one) for one in moves)
        assert session.deck is None
    assert source(MOVES).draw() == drawn
    other = SessionSource(session_strategy(plan(MOVES), [], ()), seed=2, count=60).draw()
    assert other != drawn


def test_long_sessions_are_drawn_and_short_ones() -> None:
    lengths = [len(session.texts) - 1 for session in drawn_moves()]
    assert min(lengths) < 5
    assert max(lengths) > 30


def test_all_sessions_of_a_small_grammar_are_drawn() -> None:
    drawn = source(single(text_pattern("{a|b}{0..3}"))).draw()
    assert sorted(session.texts[0] for session in drawn) == [f"{word}{digit}" for word in "ab" for digit in range(4)]


def test_numbers_that_occur_are_preferred_with_their_neighbours() -> None:
    drawn = source(single(text_pattern("{0..1000000}")), occurring=(77777, -3, 2000000)).draw()
    numbers = {int(session.texts[0]) for session in drawn}
    assert {77776, 77777, 77778} <= numbers
    assert len(numbers) > 10
    assert numbers <= set(range(1000001))


@pytest.mark.slow
def test_repetitions_in_a_text_and_a_rule_in_itself() -> None:
    listed = RepeatedText(text_pattern("{0..9}"), 2, 4, ", ")
    assert all(re.fullmatch(r"\d(, \d){1,3}", session.texts[0]) for session in source(single(listed)).draw())
    nested = TextChoice((text_pattern("1"), text_pattern("({sum}+{sum})")))
    grammar = SessionGrammar({"sum": nested}, (OneLine(text_pattern("{sum}")),))
    assert {eval(session.texts[0]) for session in source(grammar).draw()} >= {1, 2, 3}


@pytest.mark.slow
def test_decks_and_random_seeds_are_drawn() -> None:
    drawn = of_plan(plan(MOVES, VariedDeal.DECK)).draw()
    decks = {session.deck for session in drawn}
    assert None in decks
    assert len(decks) > 20
    assert all(deck is None or len(deck.split()) == 52 for deck in decks)
    drawn = of_plan(plan(MOVES, VariedDeal.RANDOM_SEED)).draw()
    assert len({session.random_seed for session in drawn}) > 20
    assert {session.deck for session in drawn} == {None}


def test_a_deck_may_begin_with_some_cards() -> None:
    few = replace(plan(single(text_pattern("q")), VariedDeal.DECK), pack=("A♠", "K♠", REST))
    assert {session.deck for session in of_plan(few).draw()} == {None, "A♠ K♠ ...", "K♠ A♠ ..."}


@pytest.mark.slow
def test_decks_that_are_stated_as_a_text_are_drawn_and_varied() -> None:
    stated = replace(MOVES, deck=TextChoice((text_pattern("{A♠|A♥} K♠ {pile}♦"), PlainText("Q♣"))))
    new = of_plan(plan(stated, VariedDeal.DECK)).draw()
    decks = {session.deck for session in new}
    assert "Q♣" in decks
    assert {"A♠", "A♥"} == {deck.split()[0] for deck in decks - {"Q♣"} if deck is not None}
    assert all(deck == "Q♣" or re.fullmatch(r"A[♠♥] K♠ \d♦", deck or "") for deck in decks)
    known = RandomSession(KNOWN.texts, deck="J♣ 10♣")
    varied = {session.deck for session in of_plan(plan(stated, VariedDeal.DECK), known=(known,)).draw()}
    assert {"J♣ 10♣", "10♣ J♣"} <= varied


def test_sessions_are_like_any_of_the_tests() -> None:
    assert {session.like for session in of_plan(plan(MOVES, tests=3)).draw()} == {0, 1, 2}


KNOWN = RandomSession(("m 9 9",) * 30 + ("q",), deck="A♠ K♠ 3♦ ...")


@pytest.mark.slow
def test_known_sessions_are_varied() -> None:
    drawn = of_plan(plan(MOVES, VariedDeal.DECK), known=(KNOWN,)).draw()
    varied = [session for session in drawn if session.texts.count("m 9 9") >= 5]
    assert len(varied) >= 10
    assert any(len(set(session.texts)) > 3 for session in varied)
    assert all(session.texts[-1] == "q" for session in varied)
    assert len({len(session.texts) for session in varied}) > 5
    decks = {session.deck for session in varied}
    assert KNOWN.deck in decks
    others = [deck.split() for deck in decks if deck is not None and deck != KNOWN.deck]
    assert others
    assert all(sorted(deck[:3]) == ["3♦", "A♠", "K♠"] and deck[3:] == ["..."] for deck in others)


def test_what_is_not_repeated_is_not_varied() -> None:
    once = single(text_pattern("{0..3}"))
    assert {session.texts for session in source(once, known=(KNOWN,)).draw()} == {(str(n),) for n in range(4)}


def has(text: str) -> Callable[[RandomSession], bool]:
    return lambda session: text in session.texts


@pytest.mark.parametrize(
    ("differs", "shortest"),
    [
        (has("d"), ("d", "q")),
        (lambda session: len(session.texts) > 8, ("u",) * 8 + ("q",)),
        (
            lambda session: any(int(one[4:]) >= 1234 for one in session.texts if one.startswith("add")),
            ("add 1234", "q"),
        ),
        (lambda session: has("u")(session) and has("d")(session), ("u", "d", "q")),
    ],
)
def test_the_shortest_session_that_differs_is_found(
    differs: Callable[[RandomSession], bool], shortest: tuple[str, ...]
) -> None:
    found = source(MOVES, occurring=(5, 1300)).shortest(differs)
    assert found is not None
    assert sorted(found.texts) == sorted(shortest)


@pytest.mark.slow
def test_shortening_begins_with_the_session_that_was_drawn() -> None:
    drawn = drawn_moves()
    asked: list[RandomSession] = []

    def differs(session: RandomSession) -> bool:
        asked.append(session)
        return session == drawn[8]

    assert source(MOVES).shortest(differs) == drawn[8]
    assert tuple(dict.fromkeys(asked))[:9] == drawn[:9]


def test_none_is_found_where_none_differs() -> None:
    assert source(MOVES).shortest(lambda _: False) is None


def test_the_numbers_of_a_text() -> None:
    assert numbers_in(["x = n-1 if n > 20 else a1 + 2.5", "[-3, 20]"]) == [0, 1, -1, 3, -3, 20][1:]
