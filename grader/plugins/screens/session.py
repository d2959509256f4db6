"""One session of a program that draws: a key is pressed, and a frame taken, whenever the program waits for input."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from threading import Event

from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.plugins.screens.emulator import ScreenEmulator
from grader.plugins.screens.frame_text import END, KEY, text_of
from grader.plugins.screens.keystrokes import Keystroke, parse_keys
from grader.plugins.screens.settings import ScreenSettings
from grader.plugins.screens.stillness import ScreenState, StillnessProbe
from grader.plugins.screens.terminal import ScreenTerminal
from grader.run.interface import Launch
from grader.run.terminal.session import ProgramDialogue, SessionDrivers, SessionEnds, hold_session
from grader.run.terminal.waiting import ProbeMaker
from grader.run.terminal.waiting_syscall import SyscallProbe
from grader.run.transcript import TranscriptRecorder, transcript_of

_LEAVES_SCREEN = b"\x1b[?1049l"
_CONTROL = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])|\r")
_LATEST_BYTES = 50_000
_MAX_REPLIED = 1_000
_MAX_FRAME_BYTES = 1 << 30
"""A limit that frames never reach: the output of the program is limited instead."""


def run_with_screen(
    keys: Sequence[str],
    settings: ScreenSettings,
    launch: Launch,
    *,
    limits: Limits,
    cancelled: Event,
    drivers: SessionDrivers,
) -> Outcome:
    """Run a program, press each of `keys` when it waits for input, and return the outcome with the frames.

    Raises SessionError as `run_dialogue` does.
    """
    recorder = FrameRecorder(settings, limits.output_bytes)
    with ScreenTerminal(settings.rows, settings.columns) as terminal:
        player = _KeyPlayer(terminal, recorder, keys)
        ends = SessionEnds(terminal, recorder, player.talk)
        outcome = hold_session(
            launch, ends, limits=limits, cancelled=cancelled, drivers=replace(drivers, probes=player.probes(drivers))
        )
    return replace(outcome, unsent=len(keys) - recorder.typed_count, errors=recorder.last_words(outcome, launch))


class FrameRecorder(TranscriptRecorder):
    """A recorder that draws the output of a program on a screen, and keeps the frames taken from it."""

    def __init__(self, settings: ScreenSettings, limit_bytes: int) -> None:
        """Draw at most `limit_bytes` of output."""
        super().__init__(_MAX_FRAME_BYTES)
        self._settings = settings
        self._unread_bytes = limit_bytes
        self._latest = b""
        self._size = 0
        self._compared: str | None = None
        self.keys = 0
        """The number of times that something was typed."""
        self.emulator = ScreenEmulator(settings.rows, settings.columns)

    def show(self, text: str) -> None:
        """Draw output of the program; everything beyond the limit is dropped."""
        output = text.encode("utf-8", "surrogateescape")
        self.emulator.draw(output[: self._unread_bytes])
        self._unread_bytes -= len(output)
        self._size += len(output)
        self._compared = None
        self._latest = (self._latest + output)[-_LATEST_BYTES:]
        self.is_over = self.is_over or self._unread_bytes < 0 or self.emulator.is_over

    def state(self) -> ScreenState:
        """Return the present state of the screen."""
        if self._compared is None:
            self._compared = text_of(self.emulator.frame(), self._settings)
        return ScreenState(self._compared, self._size, self._latest, self.keys)

    def take_frame(self) -> None:
        """Add the present screen to the transcript."""
        super().show(text_of(self.emulator.frame(), self._settings))

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
        self.take_frame()

    def last_words(self, outcome: Outcome, launch: Launch) -> str:
        """Return the text that a failed program printed after it left its screen, such as a traceback."""
        if outcome.ending is not Termination.EXITED or outcome.exit_code == 0:
            return ""
        printed = self._latest.rpartition(_LEAVES_SCREEN)[2]
        return transcript_of(_CONTROL.sub(b"", printed), launch).text


class _KeyPlayer:
    """The side of a person who presses `keys`."""

    def __init__(self, terminal: ScreenTerminal, recorder: FrameRecorder, keys: Sequence[str]) -> None:
        self._terminal = terminal
        self._recorder = recorder
        self._keys = keys

    def probes(self, drivers: SessionDrivers) -> tuple[ProbeMaker, ...]:
        """Return the probes of `drivers`, of which the best also watches the screen."""
        watching = partial(StillnessProbe, screen=self._screen)
        return tuple(watching if make is SyscallProbe else make for make in drivers.probes)

    def _screen(self) -> ScreenState:
        """Draw all output, and return the state of the screen."""
        while not self._recorder.is_over and (text := self._terminal.read_output()) is not None:
            self._recorder.show(text)
        return self._recorder.state()

    def talk(self, dialogue: ProgramDialogue) -> Termination:
        """Press all keys. Return why the dialogue is over; ASKED_AGAIN if the program waits for further keys."""
        ending = dialogue.pass_time()
        for keys in self._keys:
            ending = ending or self._wait(dialogue)
            if ending:
                break
            self._recorder.press(keys)
            ending = self._press(dialogue, keys)
        ending = ending or self._wait(dialogue)
        if ending is Termination.EXITED:
            dialogue.end_program()
            self._recorder.finish()
        elif ending is None:
            self._recorder.take_frame()
        return ending or Termination.ASKED_AGAIN

    def _wait(self, dialogue: ProgramDialogue) -> Termination | None:
        """Wait until the program waits for a key, answering its questions to the terminal."""
        while True:
            ending = dialogue.wait_until_asked()
            replies = self._recorder.emulator.take_replies()
            if ending or not replies:
                return ending
            # As a terminal does, drop answers for which there is no room.
            self._type(dialogue, replies[:_MAX_REPLIED])

    def _press(self, dialogue: ProgramDialogue, keys: str) -> Termination | None:
        """Press keys: a whole line if the terminal edits lines, otherwise each key when the program waits again."""
        strokes = parse_keys(keys)
        if self._terminal.edits_lines():
            line = strokes if strokes and strokes[-1].is_enter else (*strokes, Keystroke("enter"))
            self._type(dialogue, b"".join(map(self._code_of, line)))
            return None
        for index, stroke in enumerate(strokes):
            ending = self._wait(dialogue) if index else None
            if ending:
                return ending
            self._type(dialogue, self._code_of(stroke))
        return None

    def _code_of(self, stroke: Keystroke) -> bytes:
        return self._recorder.emulator.code_of(stroke)

    def _type(self, dialogue: ProgramDialogue, code: bytes) -> None:
        self._recorder.keys += 1
        dialogue.type_text(code.decode("utf-8", "surrogateescape"))
