"""One session of a program that draws: a key is pressed, and a frame taken, whenever the program waits for input."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event

from grader.errors import SessionError
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.plugins.screens.frame_recorder import FrameRecorder
from grader.plugins.screens.keystrokes import Keystroke, parse_keys
from grader.plugins.screens.settings import ScreenSettings
from grader.plugins.screens.stillness import StillnessProbe
from grader.plugins.screens.terminal import ScreenTerminal
from grader.plugins.screens.watched_screen import WatchedScreen
from grader.run.interface import Launch
from grader.run.terminal.session import ProgramDialogue, SessionDrivers, SessionEnds, hold_session
from grader.run.terminal.waiting import ProbeMaker
from grader.run.terminal.waiting_syscall import SyscallProbe

_MAX_REPLIED = 1_000


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


class _KeyPlayer:
    """The side of a person who presses `keys`."""

    def __init__(self, terminal: ScreenTerminal, recorder: FrameRecorder, keys: Sequence[str]) -> None:
        self._terminal = terminal
        self._recorder = recorder
        self._screen = WatchedScreen(terminal, recorder)
        self._keys = keys

    def probes(self, drivers: SessionDrivers) -> tuple[ProbeMaker, ...]:
        """Return the probes of `drivers`, of which the best also watches the screen."""
        watching = partial(StillnessProbe, screen=self._screen)
        return tuple(watching if make is SyscallProbe else make for make in drivers.probes)

    def talk(self, dialogue: ProgramDialogue) -> Termination:
        """Press all keys. Return why the dialogue is over; ASKED_AGAIN if the program waits for further keys."""
        self._screen.allow = dialogue.allow
        self._recorder.answer = partial(self._answer, dialogue)
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

    def _answer(self, dialogue: ProgramDialogue) -> None:
        """Answer questions to the terminal at once, because a program may look for the answer again and again.

        While the terminal edits lines, the answer would be part of a line, so the program may be about to change that.
        """
        if not self._terminal.edits_lines():
            self._recorder.keys += 1
            with suppress(SessionError):
                dialogue.type_text(self._recorder.emulator.take_replies().decode("utf-8", "surrogateescape"))

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
        self._screen.release()
        dialogue.type_text(code.decode("utf-8", "surrogateescape"))
