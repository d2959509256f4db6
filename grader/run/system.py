"""Determines the kind of system, and the features that its sessions lack."""

import sys
from enum import StrEnum

from grader.model.ending import AsksAgain
from grader.model.interaction import Dialogue, FunctionCall, PluginInteraction, ReplSession, StdinRun
from grader.model.test import SideOutput, Test
from grader.text.sentence import say

_UNIX_LACKS = (
    say("this system does not say when a program waits for input: a line is typed when it has been still for a moment"),
    say("memory is limited only as far as this system does it"),
)
_PIPES_LACK = (
    say("there is no terminal: a line is typed when the program has been quiet for a moment, and put into its output"),
    say("only time and output are limited"),
    say(
        "functions are not called, checkers not asked, interactors do not play, written files and standard error "
        "are not compared, and programs in other languages than Python are not run"
    ),
)


class SystemKind(StrEnum):
    """The kinds of session that systems support.

    LINUX: in a terminal, with all the information in /proc. UNIX: in a terminal, without /proc, as on macOS. PIPES:
    without a terminal, as on Windows.
    """

    LINUX = "linux"
    UNIX = "unix"
    PIPES = "pipes"


def this_system(platform: str = sys.platform) -> SystemKind:
    """Return the kind of system for a platform, by default this one."""
    if platform == "linux":
        return SystemKind.LINUX
    return SystemKind.PIPES if platform == "win32" else SystemKind.UNIX


def can_run(system: SystemKind, test: Test) -> bool:
    """Return whether `test` can run; calls, checkers, interactors and builds need a Unix."""
    if system is not SystemKind.PIPES:
        return True
    match test.interaction:
        case FunctionCall() | PluginInteraction():
            return False
        case Dialogue(stdin=stdin) as dialogue if stdin is not None or type(dialogue) is not Dialogue:
            return False
        case Dialogue() | ReplSession() | StdinRun():
            plain = test.side_output == SideOutput() and not isinstance(test.ending, AsksAgain)
            return plain and test.recipe is None and test.checker is None


def lacks(system: SystemKind) -> tuple[str, ...]:
    """Return the differences from Linux, in words for students."""
    match system:
        case SystemKind.LINUX:
            return ()
        case SystemKind.UNIX:
            return _UNIX_LACKS
        case SystemKind.PIPES:
            return _PIPES_LACK
