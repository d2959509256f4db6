"""The interaction used by tests that have an `interactor`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Self

from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.interactors.settings import Channel, InteractorSettings
from grader.run.interface import Launch
from grader.run.plugin_session import PluginSession
from grader.run.terminal.session import SessionDrivers
from grader.text.sentence import Sentence, say


@dataclass(frozen=True)
class InteractorRun(PluginSession):
    """An interaction in which an interactor plays the other side: it reads output, types lines, and judges."""

    words = "an interactor"
    not_partial = "beside `interactor`, which gives a share itself; expected one of them"
    needs_reference = False
    is_game = True
    carried = ("grader.plugins.interactors.child",)

    interactor: InteractorSettings
    channel: Channel = Channel.TERMINAL

    @property
    def shows_typing(self) -> bool:
        """Return whether the transcript contains typed text."""
        return self.channel is Channel.TERMINAL

    @property
    def judging_file(self) -> Path:
        """Return the course file that judges; all other files in its folder are needed too."""
        return self.interactor.file

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the options passed to this file."""
        return self.interactor.options

    def moved(self, place: Callable[[Path], Path], /) -> Self:
        """Return the interaction with its judging file at another path."""
        return replace(self, interactor=replace(self.interactor, file=place(self.interactor.file)))

    def without_digest(self) -> Self:
        """Return the interaction without a digest of files that are not handed out."""
        return replace(self, interactor=replace(self.interactor, content=""))

    def session(self, launch: Launch, limits: Limits, cancelled: Event, drivers: SessionDrivers, /) -> Outcome:
        """Run a session with the started program. Raises SessionError like `run_dialogue`."""
        from grader.plugins.interactors.session import run_with_interactor

        return run_with_interactor(self, launch, limits, cancelled, drivers)

    def judge(self, test: Test, outcome: Outcome, /) -> Judgement:
        """Judge the outcome of a test."""
        from grader.plugins.interactors.judge import judge_play

        return judge_play(test, outcome)

    def how_to_repeat(self, _test: Test, command: str, /) -> Sentence:
        """Return a line that explains how a student can repeat a test whose program `command` runs."""
        name = self.interactor.name
        if self.channel is Channel.PIPES:
            further = say("   without a terminal, against the interactor {name}", name=name)
        else:
            further = say("   against the interactor {name}", name=name)
        return say("run: {command}{further}", command=command, further=further)
