"""The model of fuzz.yaml: the random sessions to play, and the behaviour that the handout leaves open."""

import re
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from grader.config.scalars import FormatOne, Identifier, Line, Name, Pattern, Sentence
from grader.config.validation import AT_LEAST_ONE, SpecModel
from grader.errors import GraderError, unexpected

_MAX_TIMES = 1000


class FuzzError(GraderError):
    """Sessions cannot be played at random."""


class VariedDeal(StrEnum):
    """The other setting that changes from session to session."""

    DECK = "deck"
    RANDOM_SEED = "random_seed"


def _times(value: object) -> object:
    match = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", value) if isinstance(value, str) else None
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not least <= most <= _MAX_TIMES:
        raise unexpected(value, f"a number up to {_MAX_TIMES}, or a range such as 0..6")
    return least, most


Times = Annotated[
    tuple[int, int],
    BeforeValidator(_times),
    WithJsonSchema({"type": ["integer", "string"], "pattern": r"^[0-9]+(\.\.[0-9]+)?$"}),
]


def _form(value: object) -> str:
    match value:
        case dict() | RepeatEntry():
            return "repeated"
        case list() | tuple():
            return "choice"
        case _:
            return "text"


def _plain_form(value: object) -> str:
    return "choice" if isinstance(value, list | tuple) else "text"


_OneText = Annotated[Line, Tag("text")]
_Choice = Annotated[tuple[Line, ...], AT_LEAST_ONE, Tag("choice")]
TextOrChoice = Annotated[_OneText | _Choice, Discriminator(_plain_form)]
"""A string, or several texts to choose from."""


class RepeatEntry(SpecModel):
    """A string that is repeated and drawn again each time."""

    repeat: TextOrChoice
    """The text to repeat. It is drawn again each time, and can be a string or a list of choices."""
    times: Times
    """The number of repetitions: a number, or a range such as `0..6`. The maximum is 1000."""
    between: Line | None = None
    """For `rules`: the separator between repetitions, such as `", "`."""


RandomText = Annotated[_OneText | _Choice | Annotated[RepeatEntry, Tag("repeated")], Discriminator(_form)]
"""A string, a choice, or a repetition."""


def _one_or_several(value: object) -> str:
    return "several" if isinstance(value, list | tuple) else "one"


NameOrNames = Annotated[
    Annotated[Name, Tag("one")] | Annotated[tuple[Name, ...], AT_LEAST_ONE, Tag("several")],
    Discriminator(_one_or_several),
]
"""A name, or several names."""


class SessionsEntry(SpecModel):
    """Sessions based on one or more tests, with random input or a random call."""

    id: Name
    """A name. New tests get this name and a number, such as `random-moves-1`, and are stored in
    `tests/random-moves.yaml`.
    """
    test: NameOrNames
    """The test on which the sessions are based, or a list of tests of one program and one kind. It determines all
    other settings, such as how the program starts and how output is compared. The test must have `input`,
    `repl`, `stdin`, `stdin_text`, `call` or `calls`. Tests with `expect`, `own_tests` or an interactor cannot
    be varied.
    """
    rules: Annotated[dict[Identifier, RandomText], Field(default_factory=dict)]
    """Rules by name. Other strings can refer to them. A list is a choice of strings, and a mapping with `repeat` is a
    repeated string. A rule can refer to itself if another choice does not.
    """
    input: tuple[RandomText, ...] | None = None
    """The lines that are typed, or read from standard input. A list is a choice of lines, and a mapping with
    `repeat` stands for several lines.
    """
    call: TextOrChoice | None = None
    """For function tests: the call. A list is a choice."""
    generator: Line | None = None
    """For tests with `stdin` or `stdin_text`: a Python program beside the references that prints the input."""
    arguments: TextOrChoice | None = None
    """With `generator`: its arguments. A list is a choice."""
    vary: VariedDeal | None = None
    """Another setting to vary: `deck` (shuffles the cards in `pack`, and uses as many as the deck of the test has,
    or all) or `random_seed` (a number up to 9999).
    """
    pack: Line | None = None
    """With `vary: deck`: the cards, separated by spaces. By default, these are the 52 cards from `A♣` to `K♠`. A
    final `...` stands for all other cards, as in `deck`.
    """
    deck: TextOrChoice | None = None
    """With `vary: deck`, an alternative to `pack`: the deck as a string, with rules, numbers and words in braces. A
    list is a choice.
    """

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests on which the sessions are based."""
        return (self.test,) if isinstance(self.test, str) else self.test

    @model_validator(mode="after")
    def _keys_that_fit(self) -> "SessionsEntry":
        if sum(value is not None for value in (self.input, self.call, self.generator)) != 1:
            raise ValueError(
                "expected one of `input`, for what is typed or read, `call`, for a test of a function, and "
                "`generator`, for a program that prints what is read"
            )
        if (self.generator is None) is not (self.arguments is None):
            raise ValueError("expected `generator` and `arguments` together")
        if self.pack is not None and self.vary is not VariedDeal.DECK:
            raise ValueError("found `pack`, which is for `vary: deck`")
        if self.deck is not None and (self.vary is not VariedDeal.DECK or self.pack is not None):
            raise ValueError("found `deck`, which is for `vary: deck` without `pack`")
        return self


class LeftOpenEntry(SpecModel):
    """Lines, calls or output that the handout does not cover, and the reason for leaving them out."""

    input: Pattern | None = None
    """A Python regular expression. A session is left out if it matches one of its lines or its call."""
    output: Pattern | None = None
    """An alternative to `input`: a session is left out if this expression matches the reference's output. `^` and
    `$` match at the beginning and end of a line.
    """
    because: Sentence
    """The reason."""

    @model_validator(mode="after")
    def _input_or_output(self) -> "LeftOpenEntry":
        if (self.input is None) is (self.output is None):
            raise ValueError("expected either `input`, for lines and calls, or `output`, for what the reference prints")
        return self


class FuzzFile(SpecModel):
    """Random sessions to play, and cases that the handout leaves open.

    In a string, `{-5..20}` is a whole number including both ends, `{pile}` is the text of the rule with this name,
    and `{y|n}` is one of these words. To write a brace itself, double it: `{{` and `}}`.
    """

    format: FormatOne
    """Version of this format: `1`."""
    sessions: Annotated[tuple[SessionsEntry, ...], AT_LEAST_ONE]
    """The sessions."""
    leave_out: tuple[LeftOpenEntry, ...] = ()
    """Sessions to leave out because the handout does not specify their result."""
