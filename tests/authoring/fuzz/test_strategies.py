"""Sessions drawn from a grammar, and made shorter."""

import re
from collections.abc import Callable

import pytest

from grader.authoring.fuzz.grammar import (
    LinePattern,
    OneLine,
    RepeatedLines,
    RepeatedText,
    SessionGrammar,
    TextChoice,
    TextPattern,
    text_pattern,
)
from grader.authoring.fuzz.sessions import RandomSession, numbers_in
from grader.authoring.fuzz.strategies import SessionSource, session_strategy

MOVES = SessionGrammar(
    {
        "pile": text_pattern("{0..9}"),
        "move": TextChoice(tuple(map(text_pattern, ("u", "d", "m {pile} {pile}", "add {-100000..100000}")))),
    },
    (RepeatedLines(text_pattern("{move}"), 0, 40), OneLine(text_pattern("q"))),
)


def source(grammar: SessionGrammar, *, occurring: tuple[int, ...] = (), deals: bool = False) -> SessionSource:
    return SessionSource(session_strategy(grammar, occurring, deals=deals), seed=1, count=60)


def single(pattern: TextPattern) -> SessionGrammar:
    lines: tuple[LinePattern, ...] = (OneLine(pattern),)
    return SessionGrammar({}, lines)


def test_sessions_are_those_of_the_grammar_and_the_same_again() -> None:
    drawn = source(MOVES).draw()
    assert len(drawn) == len(set(drawn)) > 40
    move = re.compile(r"u|d|m \d \d|add -?\d{1,6}")
    for session in drawn:
        *moves, last = session.texts
        assert last == "q"
        assert len(moves) <= 40
        assert all(move.fullmatch(one) for one in moves)
        assert session.deal is None
    assert source(MOVES).draw() == drawn
    other = SessionSource(session_strategy(MOVES, [], deals=False), seed=2, count=60).draw()
    assert other != drawn


def test_long_sessions_are_drawn_and_short_ones() -> None:
    lengths = [len(session.texts) - 1 for session in source(MOVES).draw()]
    assert min(lengths) < 5
    assert max(lengths) > 30


def test_all_sessions_of_a_small_grammar_are_drawn() -> None:
    drawn = source(single(text_pattern("{a|b}{0..3}"))).draw()
    assert sorted(session.texts[0] for session in drawn) == [f"{word}{digit}" for word in "ab" for digit in range(4)]


def test_numbers_that_occur_are_preferred_with_their_neighbours() -> None:
    drawn = source(single(text_pattern("{0..1000000}")), occurring=(77777, -3, 2000000)).draw()
    numbers = {int(session.texts[0]) for session in drawn}
    assert {77776, 77777, 77778} <= numbers
    assert len(numbers) > 20
    assert numbers <= set(range(1000001))


def test_repetitions_in_a_text_and_a_rule_in_itself() -> None:
    listed = RepeatedText(text_pattern("{0..9}"), 2, 4, ", ")
    assert all(re.fullmatch(r"\d(, \d){1,3}", session.texts[0]) for session in source(single(listed)).draw())
    nested = TextChoice((text_pattern("1"), text_pattern("({sum}+{sum})")))
    grammar = SessionGrammar({"sum": nested}, (OneLine(text_pattern("{sum}")),))
    assert {eval(session.texts[0]) for session in source(grammar).draw()} >= {1, 2, 3}


def test_deals_are_drawn() -> None:
    deals = {session.deal for session in source(single(text_pattern("q")), deals=True).draw()}
    assert len(deals) > 20
    assert None not in deals


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


def test_shortening_begins_with_the_session_that_was_drawn() -> None:
    drawn = source(MOVES).draw()
    asked: list[RandomSession] = []

    def differs(session: RandomSession) -> bool:
        asked.append(session)
        return session == drawn[20]

    assert source(MOVES).shortest(differs) == drawn[20]
    assert tuple(dict.fromkeys(asked))[:21] == drawn[:21]


def test_none_is_found_where_none_differs() -> None:
    assert source(MOVES).shortest(lambda _: False) is None


def test_the_numbers_of_a_text() -> None:
    assert numbers_in(["x = n-1 if n > 20 else a1 + 2.5", "[-3, 20]"]) == [0, 1, -1, 3, -3, 20][1:]
