"""Records the frames of a program that draws."""

import re
from collections.abc import Callable

from grader.model.outcome import Outcome, Termination
from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.frame_text import END, KEY, text_of
from grader.plugins.screens.settings import ScreenSettings
from grader.run.interface import Launch
from grader.run.transcript import TranscriptRecorder, transcript_of

_LEAVES_SCREEN = b"\x1b[?1049l"
_CONTROL = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|\r")
# On a busy machine, the output of several seconds is read at once.
_LATEST_BYTES = 2_000_000
_MAX_FRAME_BYTES = 1 << 30
"""A limit that frames never reach: the output of the program is limited instead."""


class FrameRecorder(TranscriptRecorder):
    """A recorder that draws the output of a program on a screen, and keeps the frames taken from it."""

    def __init__(self, settings: ScreenSettings, limit_bytes: int) -> None:
        """Draw at most `limit_bytes` of output."""
        super().__init__(_MAX_FRAME_BYTES)
        self._settings = settings
        self._unread_bytes = limit_bytes
        self._compared: str | None = None
        self.latest = bytearray()
        """The latest output."""
        self.size = 0
        """The number of bytes of all output."""
        self.keys = 0
        """The number of times that something was typed."""
        self.held: str | None = None
        """The text of the next frame, if it is certain already."""
        self.answer: Callable[[], None] = lambda: None
        """Sends the answers of the terminal to queries of the program."""
        self.emulator = ScreenEmulator(settings.rows, settings.columns)

    def show(self, text: str) -> None:
        """Draw output of the program; everything beyond the limit is dropped."""
        output = text.encode("utf-8", "surrogateescape")
        self.emulator.draw(output[: self._unread_bytes])
        self._unread_bytes -= len(output)
        self.size += len(output)
        self._compared = None
        self.latest += output
        del self.latest[:-_LATEST_BYTES]
        self.is_over = self.is_over or self._unread_bytes < 0 or self.emulator.is_over
        if self.emulator.has_replies:
            self.answer()

    def compared_text(self) -> str:
        """Return the compared part of the present screen."""
        if self._compared is None:
            self._compared = text_of(self.emulator.frame(), self._settings)
        return self._compared

    def take_frame(self) -> None:
        """Add the present screen, or the held one, to the transcript."""
        super().show(self.compared_text() if self.held is None else self.held)

    def press(self, keys: str) -> None:
        """Record that `keys` are pressed now."""
        self.take_frame()
        super().show(KEY)
        # Blanks at an end of a line are hard to see.
        shown = keys if keys == keys.strip(" ") else keys.replace(" ", "<space>")
        self.type(shown)
        super().show(f"{shown}\n")

    def finish(self) -> None:
        """Add the screen that the program has left behind."""
        super().show(f"{END}\n")
        self.held = None
        self.take_frame()

    def last_words(self, outcome: Outcome, launch: Launch) -> str:
        """Return the text that a failed program printed after it left its screen, such as a traceback."""
        if outcome.ending is not Termination.EXITED or outcome.exit_code == 0:
            return ""
        printed = bytes(self.latest.rpartition(_LEAVES_SCREEN)[2])
        return transcript_of(_CONTROL.sub(b"", printed), launch).text
