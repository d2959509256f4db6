"""The interaction of a test with `keys`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.results import TestResult
from grader.model.test import Test
from grader.plugins.screens.settings import OnScreen, ScreenSettings
from grader.plugins.screens.written_frames import frames_in
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter
from grader.run.plugin_session import PluginDialogue, StartedProgram, WholeProgram
from grader.text.difference import lines_of
from grader.text.sentence import say

if TYPE_CHECKING:
    from rich.text import Text

    from grader.run.terminal.session import SessionDrivers

_TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "ESCDELAY": "25"}
"""Variables that describe the terminal. ESCDELAY is how long curses waits, in milliseconds, for a key after Escape."""
_AGAINST_COLOURS = ("NO_COLOR",)


def on_screen(launch: Launch, variables: Mapping[str, str]) -> Launch:
    """Return a launch in a terminal that can draw, in which the test sets `variables`."""
    environment = {**launch.environment, **_TERMINAL, **variables}
    kept = {name: value for name, value in environment.items() if name not in _AGAINST_COLOURS}
    return replace(launch, environment=kept)


@dataclass(frozen=True)
class ProgramOnScreen(WholeProgram):
    """The program of a test, started in a terminal that can draw."""

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        return on_screen(super().launch(interpreter, workdir, variables), variables)


@dataclass(frozen=True, kw_only=True)
class ScreenDialogue(OnScreen, PluginDialogue):
    """A dialogue with a program that draws: `lines` are the keys to press, and the transcript consists of frames."""

    carried: ClassVar[tuple[str, ...]] = ("grader.plugins.screens.session",)
    carried_packages: ClassVar[tuple[str, ...]] = ("bittty", "wcwidth")

    between: ClassVar[str] = " "

    screen: ScreenSettings

    def reported(self, test: Test, _limits: Limits, /) -> AbstractContextManager[StartedProgram]:
        """Return the program to start for a test."""
        return nullcontext(ProgramOnScreen(test))

    def session(self, launch: Launch, limits: Limits, cancelled: Event, drivers: "SessionDrivers", /) -> Outcome:
        """Hold a session with the started program. Raises SessionError as `run_dialogue` does."""
        from grader.plugins.screens.session import run_with_screen

        return run_with_screen(self.lines, self.screen, launch, limits=limits, cancelled=cancelled, drivers=drivers)

    def printed_text(self, text: str, /) -> str:
        """Return the text of all frames, row by row."""
        rows = (frame.rows.items() for frame in frames_in(lines_of(text)))
        return "".join(f"{row}\n" for frame in rows for _, row in sorted(frame))

    def difference_text(self, result: TestResult, width: int | None, /) -> "Iterator[Text]":
        """Yield the first frame that differs and the expected one."""
        from grader.plugins.screens.beside_text import difference_text

        return difference_text(result, width)

    def difference_html(self, result: TestResult, /) -> str:
        """Return the first frame that differs and the expected one."""
        from grader.plugins.screens.beside_html import difference_html

        return difference_html(result)

    def place(self, lines: Sequence[str], index: int, /) -> str:
        """Return the frame that contains a line of the transcript."""
        from grader.plugins.screens.beside import moment

        frame = next(frame for frame in reversed(frames_in(lines)) if frame.line <= index + 1)
        return say("{moment:lower}, ", moment=moment(frame.key))

    def steps_html(self, result: TestResult, /) -> Sequence[tuple[str, bool]]:
        """Return the frames before each key and at the end, each with the expected one."""
        from grader.plugins.screens.beside_html import steps_html

        return steps_html(result)
