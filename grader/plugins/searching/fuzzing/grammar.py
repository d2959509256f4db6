"""The grammar of random sessions: texts with numbers, words and rules in braces, choices, and repetitions."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from grader.errors import quoted

_TOKEN = re.compile(r"\{\{|\}\}|\{(?P<inside>[^{}]*)\}|(?P<brace>[{}])")
_NUMBERS = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")
_NAME = re.compile(r"[^\W\d]\w*")
_EXPECTED = "a range such as {0..9}, the name of a rule, or words such as {a|b}; a brace itself is written twice"


class GrammarError(Exception):
    """A text in a grammar cannot be parsed; the message describes the problem and the expected form."""


@dataclass(frozen=True)
class PlainText:
    """A literal text."""

    text: str


@dataclass(frozen=True)
class NumberRange:
    """A whole number from `least` to `most`."""

    least: int
    most: int


@dataclass(frozen=True)
class RuleReference:
    """A reference to the rule of this name."""

    name: str


@dataclass(frozen=True)
class TextChoice:
    """A choice of one option."""

    options: "tuple[TextPattern, ...]"


@dataclass(frozen=True)
class JoinedTexts:
    """A sequence of all parts, one after the other."""

    parts: "tuple[TextPattern, ...]"


@dataclass(frozen=True)
class RepeatedText:
    """A repetition of `item`, from `least` to `most` times, drawn again each time, separated by `between`."""

    item: "TextPattern"
    least: int
    most: int
    between: str = ""


TextPattern: TypeAlias = PlainText | NumberRange | RuleReference | TextChoice | JoinedTexts | RepeatedText
"""A pattern for a text of a session."""


@dataclass(frozen=True)
class OneLine:
    """A line."""

    text: TextPattern


@dataclass(frozen=True)
class RepeatedLines:
    """From `least` to `most` lines."""

    text: TextPattern
    least: int
    most: int


LinePattern: TypeAlias = OneLine | RepeatedLines
"""A pattern for the next lines of a session."""


@dataclass(frozen=True)
class SessionGrammar:
    """The lines of a session, which may refer to `rules`, and its deck if that is stated as a text.

    A call of a function is a single line.
    """

    rules: Mapping[str, TextPattern]
    lines: tuple[LinePattern, ...]
    deck: TextPattern | None = None


def text_pattern(text: str) -> TextPattern:
    """Parse a text with numbers, rules and words in braces. Raises GrammarError."""
    parts: list[TextPattern] = []
    plain, end = "", 0
    for token in _TOKEN.finditer(text):
        plain, end = plain + text[end : token.start()], token.end()
        if token["brace"]:
            raise GrammarError(f"found a single {quoted(token['brace'])} in {quoted(text)}; expected {_EXPECTED}")
        if token["inside"] is None:
            plain += token[0][0]
            continue
        if plain:
            parts.append(PlainText(plain))
        plain = ""
        parts.append(_in_braces(token["inside"]))
    plain += text[end:]
    if plain or not parts:
        parts.append(PlainText(plain))
    return parts[0] if len(parts) == 1 else JoinedTexts(tuple(parts))


def _in_braces(inside: str) -> TextPattern:
    numbers = _NUMBERS.fullmatch(inside)
    if numbers:
        least, most = map(int, numbers.groups())
        if least > most:
            raise GrammarError(f"found {quoted(f'{{{inside}}}')}; expected the smaller number first")
        return NumberRange(least, most)
    if "|" in inside:
        return TextChoice(tuple(map(PlainText, dict.fromkeys(inside.split("|")))))
    if _NAME.fullmatch(inside):
        return RuleReference(inside)
    raise GrammarError(f"found {quoted(f'{{{inside}}}')}; expected {_EXPECTED}")


def rules_named(pattern: TextPattern) -> Iterator[str]:
    """Yield the names of the rules that a text refers to directly."""
    match pattern:
        case PlainText() | NumberRange():
            return
        case RuleReference(name=name):
            yield name
        case TextChoice(options=inner) | JoinedTexts(parts=inner):
            for part in inner:
                yield from rules_named(part)
        case RepeatedText(item=item):
            yield from rules_named(item)
        case _:
            assert_never(pattern)


def used_rules(grammar: SessionGrammar) -> set[str]:
    """Return the names of the rules that a session may use."""
    rules = grammar.rules
    texts = [*(line.text for line in grammar.lines), *([] if grammar.deck is None else [grammar.deck])]
    waiting = [name for text in texts for name in rules_named(text)]
    names: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in rules and name not in names:
            names.add(name)
            waiting += rules_named(rules[name])
    return names


def endless_rules(rules: Mapping[str, TextPattern]) -> list[str]:
    """Return the names of the rules that always lead back to themselves, so that no text would ever be complete."""
    ending: set[str] = set()
    while True:
        more = {name for name, pattern in rules.items() if name not in ending and _can_end(pattern, rules, ending)}
        if not more:
            return [name for name in rules if name not in ending]
        ending |= more


def _can_end(pattern: TextPattern, rules: Mapping[str, TextPattern], ending: set[str]) -> bool:
    match pattern:
        case PlainText() | NumberRange():
            return True
        case RuleReference(name=name):
            # A missing rule is reported separately.
            return name in ending or name not in rules
        case TextChoice(options=options):
            return any(_can_end(part, rules, ending) for part in options)
        case JoinedTexts(parts=parts):
            return all(_can_end(part, rules, ending) for part in parts)
        case RepeatedText(item=item, least=least):
            return least == 0 or _can_end(item, rules, ending)
