"""Texts with numbers, rules and words in braces."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.plugins.searching.fuzzing.grammar import (
    GrammarError,
    JoinedTexts,
    NumberRange,
    OneLine,
    PlainText,
    RepeatedText,
    RuleReference,
    SessionGrammar,
    TextChoice,
    TextPattern,
    endless_rules,
    rules_named,
    text_pattern,
    used_rules,
)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", PlainText("")),
        ("q", PlainText("q")),
        ("{0..9}", NumberRange(0, 9)),
        ("{-5..-5}", NumberRange(-5, -5)),
        ("{pile}", RuleReference("pile")),
        ("{a|b|a|}", TextChoice((PlainText("a"), PlainText("b"), PlainText("")))),
        ("m {pile} {0..1}", JoinedTexts((PlainText("m "), RuleReference("pile"), PlainText(" "), NumberRange(0, 1)))),
        ("{{1: {x}}}", JoinedTexts((PlainText("{1: "), RuleReference("x"), PlainText("}")))),
        ("{{x}}", PlainText("{x}")),
    ],
)
def test_what_a_text_stands_for(text: str, pattern: TextPattern) -> None:
    assert text_pattern(text) == pattern


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{9..0}", "found `{9..0}`; expected the smaller number first"),
        ("{}", "found `{}`; expected a range such as"),
        ("{a b}", "found `{a b}`; expected a range such as"),
        ("{1..}", "found `{1..}`; expected a range such as"),
        ("f({x)", "found a single `{` in `f({x)`"),
        ("x}", "found a single `}` in `x}`"),
    ],
)
def test_what_no_text_can_be(text: str, said: str) -> None:
    with pytest.raises(GrammarError) as error:
        text_pattern(text)
    assert said in str(error.value)


@given(st.text("ab{}|0. ", max_size=12))
def test_braces_that_are_doubled_stand_for_themselves(text: str) -> None:
    assert text_pattern(text.replace("{", "{{").replace("}", "}}")) == PlainText(text)


@given(st.text("ab{}|.01", max_size=12))
def test_every_text_is_read_or_refused(text: str) -> None:
    with suppress(GrammarError):
        assert all(f"{{{name}}}" in text for name in rules_named(text_pattern(text)))


def rules(**texts: str) -> dict[str, TextPattern]:
    return {name: text_pattern(text) for name, text in texts.items()}


def test_rules_that_never_end() -> None:
    more = TextChoice((PlainText("1"), text_pattern("({sum}+{sum})")))
    assert endless_rules({"sum": more}) == []
    assert endless_rules(rules(a="x{b}", b="{a}", c="{a}", d="1")) == ["a", "b", "c"]
    assert endless_rules({"a": RepeatedText(RuleReference("a"), 0, 3)}) == []
    assert endless_rules({"a": RepeatedText(RuleReference("a"), 1, 3)}) == ["a"]
    # That a rule is not there is said elsewhere.
    assert endless_rules(rules(a="{missing}")) == []


def test_rules_that_are_used() -> None:
    known = rules(a="{b}", b="{a}{c}", c="1", d="{c}")
    assert used_rules(SessionGrammar(known, (OneLine(RuleReference("a")),))) == {"a", "b", "c"}
    assert used_rules(SessionGrammar(known, (OneLine(PlainText("a")),))) == set()
    assert used_rules(SessionGrammar(known, (), text_pattern("A♠ {d}"))) == {"c", "d"}
