"""The model of fuzz.yaml: the random sessions to play, and the behaviour that the handout leaves open."""

import re
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from grader.config.scalars import FormatOne, Identifier, Line, Name, Pattern, Sentence
from grader.config.validation import AT_LEAST_ONE, SpecModel
from grader.errors import GraderError, unexpected

_MOST_TIMES = 1000


class FuzzError(GraderError):
    """Sessions cannot be played at random."""


class VariedDeal(StrEnum):
    """Another property that varies from session to session."""

    DECK = "deck"
    RANDOM_SEED = "random_seed"


def _times(value: object) -> object:
    match = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", value) if isinstance(value, str) else None
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not least <= most <= _MOST_TIMES:
        raise unexpected(value, f"a number up to {_MOST_TIMES}, or a range such as 0..6")
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
"""A text, or several of which one is chosen."""


class RepeatEntry(SpecModel):
    """A text that is repeated, anew each time."""

    repeat: TextOrChoice
    """The text to repeat, drawn anew each time: a text, or a list, which is a choice."""
    times: Times
    """The number of times: a number, or a range such as `0..6`; at most 1000."""
    between: Line | None = None
    """In `rules`: what stands between two of them, such as `", "`."""


RandomText = Annotated[_OneText | _Choice | Annotated[RepeatEntry, Tag("repeated")], Discriminator(_form)]
"""A text, a choice, or what is repeated."""


def _one_or_several(value: object) -> str:
    return "several" if isinstance(value, list | tuple) else "one"


NameOrNames = Annotated[
    Annotated[Name, Tag("one")] | Annotated[tuple[Name, ...], AT_LEAST_ONE, Tag("several")],
    Discriminator(_one_or_several),
]
"""A name, or several."""


class SessionsEntry(SpecModel):
    """Sessions that are like one of some tests, with random input or a random call."""

    id: Name
    """A name. Tests that are written are called by it and a number, such as `random-moves-1`, and stand in
    `tests/random-moves.yaml`.
    """
    test: NameOrNames
    """The test that the sessions are like in all that is not said here: how programs start and how output is compared;
    or a list of such tests of one program and one kind. It has `input`, `repl`, `stdin`, `stdin_text`, `call` or
    `calls`; tests with `expect`, `own_tests` or an interactor cannot be varied.
    """
    rules: Annotated[dict[Identifier, RandomText], Field(default_factory=dict)]
    """Texts by name. A list is a choice of texts, a mapping with `repeat` a text that is repeated. A rule may come
    upon itself, if there is a choice without that.
    """
    input: tuple[RandomText, ...] | None = None
    """The lines that are typed, or read as standard input. A list is a choice of lines, a mapping with `repeat`
    several lines.
    """
    call: TextOrChoice | None = None
    """Of a function test: the call. A list is a choice."""
    generator: Line | None = None
    """Of a test with `stdin` or `stdin_text`: a Python program beside the references that prints what is read."""
    arguments: TextOrChoice | None = None
    """With `generator`: what it is called with. A list is a choice."""
    vary: VariedDeal | None = None
    """Something else to change: `deck` (the cards of `pack` are shuffled; as many are stated as in the deck of the
    test, or all) or `random_seed`, a number up to 9999.
    """
    pack: Line | None = None
    """With `vary: deck`: the cards, separated by blanks; by default 52, `A♣` to `K♠`. After `...` at the end come the
    others, as in `deck`.
    """
    deck: TextOrChoice | None = None
    """With `vary: deck`, in place of `pack`: the deck as a text, with rules, numbers and words in braces; a list is a
    choice.
    """

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that the sessions are like."""
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
    """Lines, calls or output of the reference that the handout does not speak of, and why they are not played."""

    input: Pattern | None = None
    """A regular expression of Python; a session is left out when it is found in one of its lines, or in its call."""
    output: Pattern | None = None
    """In place of `input`: a session is left out when this is found in what the reference prints; `^` and `$` are
    where a line begins and ends.
    """
    because: Sentence
    """Why."""

    @model_validator(mode="after")
    def _input_or_output(self) -> "LeftOpenEntry":
        if (self.input is None) is (self.output is None):
            raise ValueError("expected either `input`, for lines and calls, or `output`, for what the reference prints")
        return self


class FuzzFile(SpecModel):
    """Sessions to play at random, and what the handout leaves open.

    In a text, `{-5..20}` is a whole number, both ends included, `{pile}` the text of the rule of this name, and `{y|n}`
    one of these words. Braces themselves are doubled: `{{` and `}}`.
    """

    format: FormatOne
    """Version of this format: `1`."""
    sessions: Annotated[tuple[SessionsEntry, ...], AT_LEAST_ONE]
    """The sessions."""
    leave_out: tuple[LeftOpenEntry, ...] = ()
    """Sessions that are not played, because the handout does not say what they come to."""
