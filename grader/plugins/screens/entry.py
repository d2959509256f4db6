"""The keys `keys` and `screen` of a test: a program that draws in the terminal."""

import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from grader.config.scalars import Line
from grader.config.validation import AT_LEAST_ONE, DISTINCT, SpecModel
from grader.config.yaml_reader import KeyPath
from grader.errors import quoted
from grader.installation import install_command
from grader.model.partial_credit import PartialCredit
from grader.model.test import Visibility
from grader.plugins.screens.interaction import ScreenDialogue
from grader.plugins.screens.keystrokes import parse_keys
from grader.plugins.screens.partial_frames import PartialFrames
from grader.plugins.screens.settings import LARGEST, ScreenPart, ScreenSettings, Span
from grader.spec.beside import NotBesideError
from grader.spec.counting_entries import PartialWord
from grader.spec.tests_file import TestEntry

_SPAN = re.compile(r"(\d{1,3})\.\.(\d{1,3})")
_FOR_LINES = ("checker", "checker_options", "milestones", "compare_stderr", "sample", "sealed")
"""Keys for judging lines."""
_PARTIAL_OF_LINES = ("lines", "steps")


def _keys(text: str) -> str:
    parse_keys(text)
    return text


def _span(text: str) -> str:
    match = _SPAN.fullmatch(text)
    if match is None or not 0 < int(match[1]) <= int(match[2]):
        expected = f"expected two numbers from 1 to {LARGEST}, the smaller one first, such as `3..8`"
        raise ValueError(f"found {quoted(text)}; {expected}")
    return text


_Keys = Annotated[Line, AfterValidator(_keys)]
_SpanText = Annotated[str, AfterValidator(_span)]
_Size = Annotated[int, Field(ge=1, le=LARGEST)]


class ScreenEntry(SpecModel):
    """The size of the screen, and what is compared."""

    rows: _Size = 24
    """The number of rows."""
    columns: _Size = 80
    """The number of columns."""
    compare: Annotated[tuple[ScreenPart, ...], AT_LEAST_ONE, DISTINCT] = (ScreenPart.TEXT,)
    """The parts to compare: `text`, `colours` with attributes such as bold, and `cursor`, the cursor's position."""
    only_rows: _SpanText | None = None
    """The rows of the screen to compare, such as `3..8`. By default, all rows are compared."""
    only_columns: _SpanText | None = None
    """The columns of the screen to compare, such as `1..40`. By default, all columns are compared."""

    @model_validator(mode="after")
    def _compares_cells_of_the_screen(self) -> "ScreenEntry":
        for key, text, size in (("rows", self.only_rows, self.rows), ("columns", self.only_columns, self.columns)):
            if text is not None and int(text.rpartition("..")[2]) > size:
                fault = f"found `only_{key}: {text}` on a screen of {size} {key}"
                raise ValueError(f"{fault}; expected at most `{size}` as the last number, or a larger `{key}`")
        return self

    def settings(self) -> ScreenSettings:
        """Return the settings of the screen."""
        return ScreenSettings(
            rows=self.rows,
            columns=self.columns,
            parts=frozenset(self.compare),
            shown_rows=_span_in(self.only_rows, self.rows),
            shown_columns=_span_in(self.only_columns, self.columns),
        )


def _span_in(text: str | None, size: int) -> Span:
    if text is None:
        return Span(1, size)
    first, last = map(int, text.split(".."))
    return Span(first, last)


class TestOfScreen(TestEntry):
    """A test with `keys`."""

    way = "keys"
    way_words = "the keys to press in a program that draws"

    keys: tuple[_Keys, ...] | None = None
    """Starts a program that draws in the terminal, such as a curses game, and presses these keys, each when the
    program waits for input. An item is text, a key such as `<up>`, `<enter>`, `<esc>`, `<f1>` or `<ctrl-c>`, or a
    mixture. If the terminal edits lines for the program, each item is a line. The expected transcript consists of
    the screens before each item and at the end. Checks in `expect` see the text of these screens, row by row.
    """
    screen: ScreenEntry | None = None
    """The screen of a test with `keys`. By default, it has 24 rows and 80 columns, and its text is compared."""

    def refuse_misplaced(self) -> None:
        """Raise ValueError for keys that conflict with those of a plugin."""
        super().refuse_misplaced()
        if self.keys is None and self.screen is not None:
            raise ValueError("found `screen` without `keys`, the keys to press in a program that draws")
        misplaced = next((key for key in _FOR_LINES if getattr(self, key) not in (None, False, ())), None)
        if self.keys is not None and (misplaced is not None or not self.echo):
            raise ValueError(f"found `{misplaced or 'echo'}` beside `keys`; expected one of them")
        if self.keys is not None and self.partial in _PARTIAL_OF_LINES:
            raise ValueError(
                f"found `partial: {self.partial}` beside `keys`; expected `frames`, or `checks` with `expect`"
            )

    def types_input(self) -> bool:
        """Return whether the entry lists what to type."""
        return self.keys is not None or super().types_input()

    def partial_credit(self, default: PartialWord | None, fill: Callable[[str], str]) -> PartialCredit | None:
        """Return the partial credit."""
        if self.keys is not None and self.partial == "frames":
            return PartialCredit(PartialFrames(), self.partial_if_stopped)
        return super().partial_credit(default, fill)

    def plugin_texts(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the texts at keys of a plugin that may contain loop values, each with its location."""
        yield from super().plugin_texts()
        yield from ((("keys", index), text) for index, text in enumerate(self.keys or ()))

    def plugin_interaction(
        self, _tests_file: Path, fill: Callable[[str], str], _visibility: Visibility, /
    ) -> ScreenDialogue | None:
        """Return the interaction of a plugin's test; None for any other test. Raises NotBesideError."""
        if self.keys is None:
            return None
        if find_spec("bittty") is None:
            raise NotBesideError(
                f"found `keys`, which needs a terminal emulator; install it with: {install_command('screens')}"
            )
        screen = self.screen or ScreenEntry()
        return ScreenDialogue(tuple(map(fill, self.keys)), screen=screen.settings())
