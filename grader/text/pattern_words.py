"""Describes course authors' regular expressions in words for students."""

import re

from grader.text.escape import quote
from grader.text.patterns import fitting_groups
from grader.text.sentence import Sentence, joined, say

_VARIES = "…"
_ESCAPED_OR_SET = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
_FLAGS = re.compile(r"\A(?:\(\?[a-z]+\))+")
_GROUP = re.compile(rf"\((?:{_ESCAPED_OR_SET}|[^()\[\]\\])*\)")
_PIECE = re.compile(
    rf"(?P<anchor>\\[AbBZ]|[\^$]|(?:\\[ns][*+?]?)+(?=\\Z|\$|\Z))|\\(?P<sign>\W)|(?P<varies>{_ESCAPED_OR_SET}|\.|{_VARIES})|(?P<or>\|)|(?P<plain>.)",
    re.DOTALL,
)

_REPEAT = re.compile(r"(?:[*+?]|\{\d*,?\d*\})[?+]?")
_NUMBERS, _NO_NUMBERS = ("7", "12", "0.5", "12.50"), ("", "a", "ab", " ")


def form_words(pattern: str) -> Sentence | None:
    """Return a description of the form that `pattern` requires, based on its fixed text; None if it has none."""
    forms = _forms(pattern)
    if not all(any(sign.isalnum() for sign in form) for form in forms):
        return None
    return joined(say(" or "), [quote(form) for form in forms])


def stands_for(pattern: str) -> Sentence:
    """Return a short description of the text that `pattern` matches."""
    if any(_fits(pattern, text) for text in _NUMBERS) and not any(_fits(pattern, text) for text in _NO_NUMBERS):
        return say("a number")
    if re.fullmatch(r"\(?\.[*+]\??\)?", pattern):
        return say("any text in this line")
    form = form_words(pattern)
    return say("a text of a certain form") if form is None else say("a text of the form {form}", form=form)


def _fits(pattern: str, text: str) -> bool:
    return fitting_groups(pattern, text, ignore_case=False) is not None


def _forms(pattern: str) -> list[str]:
    """Return the alternatives in `pattern`, with `…` for every variable part."""
    text = _FLAGS.sub("", pattern)
    while (shorter := _GROUP.sub(_VARIES, text)) != text:
        text = shorter
    forms, place = [""], 0
    while piece := _PIECE.match(text, place):
        place = piece.end()
        repeat = None if piece["anchor"] or piece["or"] else _REPEAT.match(text, place)
        place = repeat.end() if repeat else place
        if piece["or"]:
            forms.append("")
        elif piece["varies"] or repeat:
            forms[-1] = forms[-1].rstrip(_VARIES) + _VARIES
        else:
            forms[-1] += piece["sign"] or piece["plain"] or ""
    return forms
