"""What a function test calls, and what of the call is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.model.plain_value import Plain


class CallCheck(StrEnum):
    """What is compared: the returned value, the printed text, and what the call made of the given values."""

    RETURNED = "returned"
    PRINTED = "printed"
    GIVEN = "given"


@dataclass(frozen=True)
class CardsModule:
    """The provided module whose classes the cards and decks of function tests belong to.

    `card` is made from a rank 1 to 13 and a suit 1 to 4 (clubs, diamonds, hearts, spades); `deck` without arguments.
    """

    file: str
    card: str
    deck: str


@dataclass(frozen=True, kw_only=True)
class FunctionCall:
    """A call of a function of the program.

    `given` are the names that `setup` (Python statements) and `expression` use, beside those of the program.
    """

    expression: str
    given: Mapping[str, Plain]
    setup: tuple[str, ...]
    checks: frozenset[CallCheck]
    cards: CardsModule | None


class Start(StrEnum):
    """What is started: the program in a terminal or without one, Python's interactive prompt, or one function."""

    PROGRAM = "program"
    PROMPT = "prompt"
    FUNCTION = "function"
    STDIN = "stdin"


@dataclass(frozen=True)
class Stdin:
    """A file that is given to a program as its standard input: its name in the folder inputs/, and what is in it."""

    name: str
    text: str
