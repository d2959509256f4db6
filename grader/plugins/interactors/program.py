"""The student's program as an interactor sees it.

Output is searched as a whole, up to the moment when the program waits for input or has ended. A pattern therefore never
matches half a number, and an interactor's view does not depend on timing.
"""

import random
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NoReturn

from grader.checkers import CheckResult, ScoreShare, passed, unknown, wrong
from grader.plugins.interactors.protocol import EndInput, GiveAnswer, ReadOutput, Request, SendLine, Turn
from grader.plugins.interactors.settings import Channel
from grader.text.escape import quote

Exchange = Callable[[Request], Turn]
"""A function that carries out a request and returns the output printed before it."""


class PlayIsOverError(BaseException):
    """The interactor has given its answer. No `except Exception` in an interactor catches this."""

    def __init__(self, result: CheckResult) -> None:
        super().__init__(result.status)
        self.result = result


class _Screen:
    """The printed text, read in turns that end when the program waits for input or has ended."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._text, self._place = "", 0
        self._waits = self._has_ended = False
        self.since_request = ""
        """Everything printed since the last line was typed."""

    def request(self, request: SendLine | EndInput) -> bool:
        """Carry out a request when the program waits for input; return False if it has already ended.

        The line that the program has begun is the prompt: it is consumed by the answer. Complete lines remain.
        """
        printed, has_ended = self.take_all()
        self._text = printed if has_ended else printed[: printed.rfind("\n") + 1]
        if not has_ended:
            self._take_turn(request)
            self._waits = False
            self.since_request = ""
        return not self._has_ended

    def _take_turn(self, request: Request) -> None:
        turn = self._exchange(request)
        self._text, self._place = self._text[self._place :] + turn.printed, 0
        self.since_request += turn.printed
        self._waits, self._has_ended = not turn.has_ended, turn.has_ended

    def _read_next_turn(self) -> bool:
        """Read the next turn unless the program was seen to wait or end; return whether there was one."""
        if self._waits or self._has_ended:
            return False
        self._take_turn(ReadOutput())
        return True

    def find(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the first match of `pattern` and consume all text up to its end; return None if nothing matches."""
        if self._place == len(self._text):
            self._read_next_turn()
        match = pattern.search(self._text[self._place :])
        if match is None and self._read_next_turn():
            match = pattern.search(self._text)
        self._place += match.end() if match else 0
        return match

    def find_line(self) -> str | None:
        """Return the next line. The last line of a program that has ended may not have a newline."""
        end = self._text.find("\n", self._place)
        if end < 0 and self._read_next_turn():
            end = self._text.find("\n", self._place)
        if end < 0 and self._has_ended and self._place < len(self._text):
            end = len(self._text)
        if end < 0:
            return None
        line = self._text[self._place : end]
        self._place = min(end + 1, len(self._text))
        return line

    def take_all(self) -> tuple[str, bool]:
        """Return everything printed until the program waits for input or has ended, and whether it has ended."""
        self._read_next_turn()
        printed = self._text[self._place :]
        self._text, self._place = "", 0
        return printed, self._has_ended


class StudentProgram:
    """The student's program. If it does not meet a method's requirement, the game ends and the program is wrong."""

    def __init__(self, exchange: Exchange, options: Mapping[str, str], seed: str, channel: Channel) -> None:
        self.options = options
        """The `interactor_options` of the test, all as strings."""
        self.random = random.Random(seed)
        """Random numbers, the same in every run of the test."""
        self.result: CheckResult | None = None
        """The first result. An interactor cannot take it back, even by catching the exception that reports it."""
        self._screen = _Screen(exchange)
        self._channel = channel

    def expect(self, pattern: str, what: str = "") -> re.Match[str]:
        """Wait until the program has printed a match of the regular expression `pattern`; `what` describes it in words.

        All output up to the end of the match is consumed. `^` and `$` match at the ends of lines.
        """
        match = self._screen.find(re.compile(pattern, re.MULTILINE))
        return match or self._is_missing(what or f"output that fits {quote(pattern)}")

    def read_line(self, what: str = "") -> str:
        """Return the next line that the program prints, without its newline; `what` describes the expected line."""
        line = self._screen.find_line()
        return self._is_missing(what or "a line of output") if line is None else line

    def read_prompt(self) -> str:
        """Return everything printed until the program waits for input."""
        printed, has_ended = self._screen.take_all()
        return self.wrong("The program ends where it should ask for input.") if has_ended else printed

    def expect_end(self) -> str:
        """Return everything printed until the program ends."""
        printed, has_ended = self._screen.take_all()
        return printed if has_ended else self.wrong("The program asks for input where it should end.")

    def read_output(self) -> tuple[str, bool]:
        """Return everything printed until the program waits for input or has ended, and whether it has ended."""
        return self._screen.take_all()

    def send(self, line: object) -> None:
        """Type `line` when the program waits for input."""
        text = str(line)
        if "\n" in text:
            raise ValueError(f"send() types one line, not {text!r}")
        if not self._screen.request(SendLine(text)):
            self.wrong(f"The program ends before it asks for the input {quote(text)}.")

    def end_of_input(self) -> None:
        """Signal the end of input, as Ctrl-D does, when the program waits for it."""
        if not self._screen.request(EndInput()):
            self.wrong("The program ends before it reads the end of the input.")

    def passed(self, reason: str = "", score: ScoreShare = None) -> NoReturn:
        """End the game: the program is correct if it now ends properly.

        A `score` below 1 gives part of the points, with a reason.
        """
        self._end(passed(reason, score))

    def wrong(self, reason: str, score: ScoreShare = None) -> NoReturn:
        """End the game: the program is wrong for this reason, a sentence for the student; `score` may give points."""
        self._end(wrong(reason, score))

    def unknown(self, reason: str) -> NoReturn:
        """End the game and leave the decision to a person."""
        self._end(unknown(reason))

    def _end(self, result: CheckResult) -> NoReturn:
        self.result = self.result or result
        raise PlayIsOverError(self.result)

    def _is_missing(self, what: str) -> NoReturn:
        has_ended = self._screen.take_all()[1]
        sentence = f"The program {'ends' if has_ended else 'asks for input'} where it should print {what}"
        lines = self._screen.since_request.rstrip("\n").splitlines()
        if lines:
            self.wrong(f"{sentence}; its last line is {quote(lines[-1])}.")
        flushed = has_ended or self._channel is Channel.TERMINAL
        self.wrong(f"{sentence}." if flushed else f"{sentence}; is its output flushed?")


def answer_of(play: Callable[[StudentProgram], object], program: StudentProgram) -> GiveAnswer:
    """Run the interactor's `play` and return its answer; without one, the program is correct. Raises TypeError."""
    returned = None
    with suppress(PlayIsOverError):
        returned = play(program)
    if program.result is not None:
        return GiveAnswer(program.result)
    if returned is not None:
        raise TypeError(f"play() returned {returned!r}; expected program.passed(), program.wrong(reason) or no value")
    return GiveAnswer(passed())
