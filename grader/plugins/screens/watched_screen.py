"""The screen of a running program, as a probe watches it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.plugins.screens.frame_recorder import FrameRecorder
from grader.plugins.screens.terminal import ScreenTerminal

_MAX_CHUNKS = 32


@dataclass(frozen=True)
class ScreenState:
    """The compared part of the screen, the size of all output so far, its latest bytes, and the number of keys."""

    text: str
    size: int
    latest: bytes
    keys: int


class WatchedScreen:
    """The output of a program, which is read at once and drawn later, and the time that watching it takes."""

    def __init__(self, terminal: ScreenTerminal, recorder: FrameRecorder) -> None:
        """Read from the terminal, and draw with the recorder."""
        self._terminal = terminal
        self._recorder = recorder
        self.allow: Callable[[float], None] = lambda _seconds: None
        """Extends the time limit by some seconds."""

    def read(self) -> Sequence[str] | None:
        """Return all output that is not drawn yet; None while the program prints too much to tell where it ends."""
        output: list[str] = []
        while (text := self._terminal.read_output()) is not None:
            output.append(text)
            if len(output) == _MAX_CHUNKS:
                self.draw(output)
                return None
        return output

    def draw(self, output: Sequence[str]) -> None:
        """Draw some output."""
        for text in output:
            if not self._recorder.is_over:
                self._recorder.show(text)

    def state(self, since: int) -> ScreenState:
        """Return the state of the screen, with the latest output after the first `since` bytes."""
        recorder = self._recorder
        latest = bytes(recorder.latest[since - recorder.size :]) if since < recorder.size else b""
        return ScreenState(recorder.compared_text(), recorder.size, latest, recorder.keys)

    def hold(self, text: str) -> None:
        """Let the next frame be this text, although the program may draw meanwhile."""
        self._recorder.held = text

    def release(self) -> None:
        """Let the next frame be the present screen."""
        self._recorder.held = None
