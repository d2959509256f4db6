"""Random sessions as strategies of Hypothesis, which the extra `fuzz` installs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from grader.plugins.searching.decks import REST, cards_stated, shuffled_deck
from grader.plugins.searching.fuzzing.fuzz_file import VariedDeal
from grader.plugins.searching.fuzzing.grammar import (
    JoinedTexts,
    LinePattern,
    NumberRange,
    OneLine,
    PlainText,
    RepeatedLines,
    RepeatedText,
    RuleReference,
    TextChoice,
    TextPattern,
)
from grader.plugins.searching.fuzzing.playing.sessions import RandomSession
from grader.plugins.searching.fuzzing.session_plan import FuzzPlan

_MAX_NUMBERS = 60
"""The number of occurring numbers that are preferred, the ones nearest to 0 first."""
_MAX_DEALS = 9999
_MAX_EDITS = 3
_MAX_ADDED = 12


def session_strategy(
    plan: FuzzPlan, occurring: Sequence[int], seen: Sequence[RandomSession]
) -> SearchStrategy[RandomSession]:
    """Return the sessions of a plan: half from its grammar alone, half variations of the `seen` ones.

    Half of the numbers are at most 1 away from a number in `occurring` within the range.
    """
    texts = _Texts(plan.grammar.rules, occurring)
    new = _new_sessions(plan, texts)
    if not seen or not any(isinstance(line, RepeatedLines) for line in plan.grammar.lines):
        return new
    return st.one_of(new, _varied_sessions(plan, texts, seen))


def _new_sessions(plan: FuzzPlan, texts: "_Texts") -> SearchStrategy[RandomSession]:
    deals = st.integers(0, (_MAX_DEALS + 1) * len(plan.templates) - 1).map(lambda number: _dealt(plan, number))
    lines = _joined(texts, plan.grammar.lines).map(tuple)
    if plan.grammar.deck is not None:
        deals = st.builds(lambda deal, deck: replace(deal, deck=deck), deals, texts.text(plan.grammar.deck))
    return st.builds(lambda deal, said: replace(deal, texts=said), deals, lines)


def _dealt(plan: FuzzPlan, number: int) -> RandomSession:
    """Return a session without lines: the test on which it is based, and its cards or random seed."""
    deal, like = divmod(number, len(plan.templates))
    session, test = RandomSession((), like), plan.templates[like].test
    if plan.vary is VariedDeal.RANDOM_SEED:
        return replace(session, random_seed=deal)
    is_own = deal == 0 and test.provision.deck is not None
    if plan.vary is not VariedDeal.DECK or is_own:
        return session
    cards = plan.pack[:-1] if plan.pack[-1] == REST else plan.pack
    deck = shuffled_deck(cards, deal, cards_stated(test))
    return replace(session, deck=deck if cards is plan.pack else f"{deck} {REST}")


def _varied_sessions(plan: FuzzPlan, texts: "_Texts", seen: Sequence[RandomSession]) -> SearchStrategy[RandomSession]:
    """Vary a known session or its beginning: change, remove and add lines, and swap cards."""
    patterns = plan.grammar.lines
    repeated = [number for number, pattern in enumerate(patterns) if isinstance(pattern, RepeatedLines)]
    before, after = patterns[: repeated[0]], patterns[repeated[-1] + 1 :]
    heads, tails = _joined(texts, before), _joined(texts, after)
    line = st.one_of([texts.text(patterns[number].text) for number in repeated])
    few, more = st.lists(line, max_size=2), st.lists(line, max_size=_MAX_ADDED)

    @st.composite
    def varied(draw: st.DrawFn) -> RandomSession:
        session = draw(st.sampled_from(seen))
        head = draw(heads) if draw(st.booleans()) else list(session.texts[: len(before)])
        middle = list(session.texts[len(before) :])
        if len(middle) >= len(after) and all(map(_may_be, after, middle[len(middle) - len(after) :])):
            middle = middle[: len(middle) - len(after)]
        if draw(st.booleans()):
            # Many rare events happen shortly before the end.
            first = draw(st.sampled_from([0, max(0, len(middle) - _MAX_ADDED)]))
            middle = middle[: draw(st.integers(first, len(middle)))]
        for _ in range(draw(st.integers(0, _MAX_EDITS))):
            place = draw(st.integers(0, len(middle)))
            middle[place : place + draw(st.integers(0, 2))] = draw(few)
        middle += draw(more)
        return replace(
            session,
            texts=(*head, *middle, *draw(tails)),
            deck=draw(_changed_decks(plan, session)),
        )

    return varied()


def _joined(texts: "_Texts", patterns: Sequence[LinePattern]) -> SearchStrategy[list[str]]:
    return st.tuples(*map(texts.lines, patterns)).map(lambda groups: [line for group in groups for line in group])


def _may_be(pattern: LinePattern, line: str) -> bool:
    """Return whether the line may match the pattern, as far as the pattern is a literal text."""
    return not isinstance(pattern.text, PlainText) or pattern.text.text == line


def _changed_decks(plan: FuzzPlan, session: RandomSession) -> SearchStrategy[str | None]:
    """Return the deck of the session, often with some cards swapped."""
    deck = session.deck or plan.templates[session.like].test.provision.deck
    cards = [card for card in (deck or "").split() if card != REST]
    if plan.vary is not VariedDeal.DECK or deck is None or len(cards) < 2:
        return st.just(session.deck)

    def changed(swaps: list[tuple[int, int]]) -> str:
        dealt = deck.split()
        for first, second in swaps:
            dealt[first], dealt[second] = dealt[second], dealt[first]
        return " ".join(dealt)

    place = st.integers(0, len(cards) - 1)
    return st.one_of(st.just(session.deck), st.lists(st.tuples(place, place), min_size=1, max_size=4).map(changed))


class _Texts:
    """The strategies of the texts of a grammar."""

    def __init__(self, rules: Mapping[str, TextPattern], occurring: Sequence[int]) -> None:
        self._patterns = rules
        self._occurring = occurring
        self._rules = {name: self._deferred(name) for name in rules}

    def _deferred(self, name: str) -> SearchStrategy[str]:
        return st.deferred(lambda: self.text(self._patterns[name]))

    def lines(self, pattern: LinePattern) -> SearchStrategy[list[str]]:
        match pattern:
            case OneLine(text=text):
                return st.lists(self.text(text), min_size=1, max_size=1)
            case RepeatedLines(text=text, least=least, most=most):
                return _repeated(self.text(text), least, most)

    def text(self, pattern: TextPattern) -> SearchStrategy[str]:
        match pattern:
            case PlainText(text=text):
                return st.just(text)
            case NumberRange(least=least, most=most):
                return self._number(least, most)
            case RuleReference(name=name):
                return self._rules[name]
            case TextChoice(options=options):
                return st.one_of([self.text(option) for option in options])
            case JoinedTexts(parts=parts):
                return st.tuples(*map(self.text, parts)).map("".join)
            case RepeatedText(item=item, least=least, most=most, between=between):
                return _repeated(self.text(item), least, most).map(between.join)

    def _number(self, least: int, most: int) -> SearchStrategy[str]:
        whole = (least, most)
        near = [
            (max(least, number - 1), min(most, number + 1)) for number in self._occurring if least <= number <= most
        ]
        windows = [*[whole] * max(1, len(near[:_MAX_NUMBERS])), *near[:_MAX_NUMBERS]]
        # The whole range comes first, so Hypothesis can simplify the window to it without changing the number.
        return st.sampled_from(windows).flatmap(lambda window: st.integers(*window)).map(str)


def _repeated(item: SearchStrategy[str], least: int, most: int) -> SearchStrategy[list[str]]:
    """Draw short and long lists equally often; on its own, Hypothesis rarely makes lists longer than ten."""
    fewest = dict.fromkeys(least + (most - least) * quarter // 4 for quarter in range(4))
    return st.sampled_from(list(fewest)).flatmap(lambda fewer: st.lists(item, min_size=fewer, max_size=most))
