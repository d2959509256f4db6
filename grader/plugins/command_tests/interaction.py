"""The interaction of a test with `command`."""

import re
import shlex
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from threading import Event

from grader.model.judgement import Judgement
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.interface import Launch
from grader.run.plugin_session import PluginSession, StartedProgram
from grader.run.stdin_session import run_stdin
from grader.run.terminal.session import SessionDrivers
from grader.text.sentence import Sentence, say

_ADDRESSES = 1 << 46
"""The address space that a process may reserve, which is large for programs built with a sanitizer. Actual use is
limited as in other tests.
"""

_MISSING_MODULE = re.compile(r"\bNo module named '?(\w+)")


@dataclass(frozen=True)
class CommandRun(PluginSession):
    """A command that is run instead of the program. Only its exit status counts.

    `words_of_command` holds the program to start and its arguments or, with `is_line`, a single text for a shell.
    """

    words_of_command: tuple[str, ...]
    is_line: bool = False

    words = "`command`"
    not_partial = "in a test with `command`; it is for tests that compare a transcript"
    runs_program = False
    needs_reference = False
    carried = ("grader.plugins.command_tests.shell",)

    @property
    def text(self) -> str:
        """Return the command as typed into a shell."""
        return self.words_of_command[0].strip() if self.is_line else shlex.join(self.words_of_command)

    def reported(self, test: Test, _limits: Limits, /) -> AbstractContextManager[StartedProgram]:
        """Return the program to start for a test."""
        from grader.plugins.command_tests.shell import StartedCommand

        return nullcontext(StartedCommand(self, test))

    def session(self, launch: Launch, limits: Limits, cancelled: Event, drivers: SessionDrivers, /) -> Outcome:
        """Run a session with the started program. Raises SessionError like `run_dialogue`."""
        wide = replace(limits, data_bytes=_ADDRESSES)
        return run_stdin(launch, "", limits=wide, cancelled=cancelled, start=drivers.start)

    def judge(self, test: Test, outcome: Outcome, /) -> Judgement:
        """Judge the outcome of a test."""
        from grader.plugins.command_tests.judge import judge_command

        return judge_command(test, self, outcome)

    def how_to_repeat(self, test: Test, _command: str, /) -> Sentence:
        """Return a line that explains how a student can repeat a test whose program `command` runs."""
        variables = "".join(f"{name}={shlex.quote(value)} " for name, value in test.environment.items())
        return say("run: {command}   in the folder of the program", command=f"{variables}{self.text}")

    def failed_import(self, outcome: Outcome, /) -> str:
        """Return the import of a missing module, if the transcript does not show it."""
        match = _MISSING_MODULE.search(outcome.transcript)
        return f"import {match[1]}" if match else ""
