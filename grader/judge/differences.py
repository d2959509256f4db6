"""Kinds of difference that are hard to see: each is a rewriting after which two texts become equal."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grader.judge.characters import LOOK_ALIKES, is_odd, name

_SELECTORS = re.compile("[\ufe00-\ufe0f]")


@dataclass(frozen=True)
class Kind:
    """A kind of difference. `say` words it for an expected and an actual line that differ only so."""

    cause: str
    rewrite: Callable[[str], str]
    say: Callable[[str, str], str]


def _trailing_blanks(_: str, actual: str) -> str:
    count = len(actual) - len(actual.rstrip(" \t"))
    return f"the line ends with {_blanks(count)} too many" if count else "blanks are missing at the end of the line"


def _blanks(count: int) -> str:
    return "one blank" if count == 1 else f"{count} blanks"


def _tabs(expected: str, actual: str) -> str:
    if actual.count("\t") > expected.count("\t"):
        return "there is a tab where blanks are expected"
    return "there are blanks where a tab is expected"


def _amount_of_blanks(expected: str, actual: str) -> str:
    wanted = len(expected) - len(expected.lstrip(" "))
    found = len(actual) - len(actual.lstrip(" "))
    if wanted != found:
        return f"the line begins with {found} blanks, expected {wanted}"
    more = "too many" if len(actual) > len(expected) else "too few"
    return f"there are {more} blanks between the words"


def _selector(expected: str, actual: str) -> str:
    missing = len(_SELECTORS.findall(expected)) > len(_SELECTORS.findall(actual))
    found = _SELECTORS.findall(expected if missing else actual)
    symbol = _before_selector(expected if missing else actual)
    verb = "is missing" if missing else "is too much"
    return f"the invisible character {name(found[0])} {verb} after {symbol}"


def _before_selector(text: str) -> str:
    match = re.search("(.)[\ufe00-\ufe0f]", text)
    return match[1] if match else "the start of the line"


def _look_alike(expected: str, actual: str) -> str:
    odd = next((character for character in actual if is_odd(character) and character not in expected), None)
    if odd is not None:
        plain = odd.translate(LOOK_ALIKES)
        return f"there is {name(odd)} where {name(plain)} is expected"
    missing = next((character for character in expected if is_odd(character) and character not in actual), None)
    return f"{name(missing)} is expected" if missing else "a character looks like another one"


def _composition(expected: str, _: str) -> str:
    composed = unicodedata.is_normalized("NFC", expected)
    is_now, should = ("two characters", "one") if composed else ("one character", "two")
    return f"an accented letter is written as {is_now} instead of {should}, though it looks the same"


KINDS: tuple[Kind, ...] = (
    Kind("trailing-blanks", lambda text: text.rstrip(" \t"), _trailing_blanks),
    Kind("variation-selector", lambda text: _SELECTORS.sub("", text), _selector),
    Kind(
        "carriage-return", lambda text: text.replace("\r", ""), lambda *_: "there is a carriage return (U+000D) in it"
    ),
    Kind("tabs", lambda text: re.sub(r"[ \t]+", " ", text) if "\t" in text else re.sub(" +", " ", text), _tabs),
    Kind("blanks", lambda text: re.sub(" +", " ", text.strip(" ")), _amount_of_blanks),
    Kind("case", str.casefold, lambda *_: "capital and small letters differ"),
    Kind("look-alike", lambda text: text.translate(LOOK_ALIKES), _look_alike),
    Kind("composition", lambda text: unicodedata.normalize("NFC", text), _composition),
)
"""In the order in which they are tried."""


def kinds_between(expected: str, actual: str) -> Iterator[Kind]:
    """The kinds that alone explain how two lines differ."""
    for kind in KINDS:
        if kind.cause == "tabs" and expected.count("\t") == actual.count("\t"):
            continue
        if kind.rewrite(expected) == kind.rewrite(actual):
            yield kind
