"""One session in which an interactor plays the other side, in a terminal or through pipes.

The interactor makes one request at a time, which is carried out when the program waits for input or has ended. Its view
therefore does not depend on the speed of either process.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event
from typing import assert_never

from grader.model.outcome import CheckResult, CheckStatus, Outcome, Termination
from grader.model.program import Limits
from grader.plugins.interactors.interaction import InteractorRun
from grader.plugins.interactors.pipes import ProgramPipes
from grader.plugins.interactors.process import InteractorError, InteractorProcess, started_interactor
from grader.plugins.interactors.protocol import EndInput, GiveAnswer, ReadOutput, Request, SendLine, Turn
from grader.plugins.interactors.settings import Channel
from grader.run.interface import Launch
from grader.run.process.terminal import Terminal
from grader.run.terminal.session import ProgramChannel, ProgramDialogue, SessionDrivers, SessionEnds, hold_session
from grader.run.terminal.waiting import WchanProbe
from grader.run.transcript import TranscriptRecorder

_SECONDS_BETWEEN_LOOKS = 0.02


def run_with_interactor(
    run: InteractorRun, launch: Launch, limits: Limits, cancelled: Event, drivers: SessionDrivers
) -> Outcome:
    """Run a program, let the interactor play, and return the outcome with the interactor's answer.

    The interactor's time does not count as the program's. Raises SessionError like `run_dialogue`, and InteractorError.
    """
    hold = partial(_hold, run, launch, limits=limits, cancelled=cancelled)
    match run.channel:
        case Channel.TERMINAL:
            with Terminal(echo=True) as terminal:
                return hold(terminal, drivers=drivers)
        case Channel.PIPES:
            with ProgramPipes(limits.output_bytes) as pipes:
                # This probe only recognises readers of terminals.
                probes = tuple(probe for probe in drivers.probes if probe is not WchanProbe)
                outcome = hold(pipes, drivers=replace(drivers, probes=probes))
                return replace(outcome, errors=pipes.errors(launch))


def _hold(
    run: InteractorRun,
    launch: Launch,
    channel: ProgramChannel,
    *,
    limits: Limits,
    cancelled: Event,
    drivers: SessionDrivers,
) -> Outcome:
    recording = _ListeningRecorder(limits.output_bytes)
    with started_interactor(run) as interactor:
        play = _Play(interactor, channel, recording)
        ends = SessionEnds(channel, recording, play.talk)
        outcome = hold_session(launch, ends, limits=limits, cancelled=cancelled, drivers=drivers)
    return replace(outcome, answer=play.answer)


class _ListeningRecorder(TranscriptRecorder):
    """A recorder that keeps the output since the last message to the interactor."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(limit_bytes)
        self._news: list[str] = []

    def show(self, text: str) -> None:
        """Add shown text."""
        super().show(text)
        self._news.append(text)

    def take_news(self, echo: str) -> str:
        """Return the program's output since the last call, after the `echo` of typed input."""
        news = "".join(self._news)
        self._news = []
        return news.removeprefix(echo)


class _Play:
    """The loop that carries out the interactor's requests until it has its answer or the session must end."""

    def __init__(self, interactor: InteractorProcess, channel: ProgramChannel, recording: _ListeningRecorder) -> None:
        self.answer: CheckResult | None = None
        self._interactor = interactor
        self._channel = channel
        self._recording = recording
        self._echo = ""
        self._has_failed = False
        """True if the program was seen to end with an exception, a signal or similar."""

    def talk(self, dialogue: ProgramDialogue) -> Termination:
        """Play, and return why the dialogue is over; only EXITED and STOPPED have an answer. Raises InteractorError."""
        try:
            return self._talk(dialogue)
        except InteractorError as error:
            if not self._has_failed:
                raise
            # A program that breaks off may print things that no interactor expects, and its ending is informative
            # enough.
            self.answer = CheckResult(CheckStatus.UNKNOWN, str(error), score=None)
            return Termination.EXITED

    def _talk(self, dialogue: ProgramDialogue) -> Termination:
        ending = dialogue.pass_time()
        while ending in (None, Termination.EXITED):
            request = self._next_request(dialogue, ending)
            match request:
                case Termination():
                    return request
                case GiveAnswer(result=result):
                    self.answer = result
                    return ending or _end(dialogue, result)
                case ReadOutput():
                    ending = self._take_turn(dialogue, ending, lambda: None)
                case SendLine(line=line):
                    ending = self._take_turn(dialogue, ending, partial(self._type, dialogue, line))
                case EndInput():
                    ending = self._take_turn(dialogue, ending, dialogue.end_input)
                case _:
                    assert_never(request)
        return ending or Termination.EXITED

    def _next_request(self, dialogue: ProgramDialogue, ending: Termination | None) -> Request | Termination:
        """Return the interactor's next request; its time is not the program's, but all other limits still apply."""
        while True:
            started = time.monotonic()
            request = self._interactor.request(_SECONDS_BETWEEN_LOOKS)
            dialogue.allow(time.monotonic() - started)
            if request is not None:
                return request
            stop = dialogue.record_while_waiting()
            if stop and (ending is None or stop is Termination.CANCELLED):
                return stop

    def _take_turn(
        self, dialogue: ProgramDialogue, ending: Termination | None, act: Callable[[], Termination | None]
    ) -> Termination | None:
        """Wait until the program waits for input or has ended, act if it waits, and tell the interactor."""
        ending = ending or dialogue.wait_until_asked()
        if ending is Termination.EXITED:
            self._has_failed = dialogue.end_program().wait_status != 0
        printed = self._recording.take_news(self._echo)
        self._echo = ""
        stopped = ending or act()
        if ending in (None, Termination.EXITED):
            self._interactor.tell(Turn(printed, ending is not None))
        return stopped

    def _type(self, dialogue: ProgramDialogue, line: str) -> Termination | None:
        self._echo = self._channel.echo_of(line)
        return dialogue.type_line(line)


def _end(dialogue: ProgramDialogue, result: CheckResult) -> Termination:
    """Let a correct program finish, and stop any other program."""
    match result.status:
        case CheckStatus.PASSED:
            return dialogue.end_all_input()
        case CheckStatus.WRONG | CheckStatus.UNKNOWN:
            return Termination.STOPPED
