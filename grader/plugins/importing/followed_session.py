"""Follows a printed session with the reference: text that it prints is compared, and everything else was typed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Protocol

from grader.model.outcome import Outcome, Termination
from grader.plugins.importing.printed_samples import PrintedSample, SampleLine, trimmed

_MAX_LINES_TYPED = 500
_LIKE = 0.6
"""The minimum similarity for a line to be taken for a prompt."""
_LONGEST_QUOTED = 150
_ENDS_PROMPT = tuple(":?>=])")
_LEAVES_OUT = re.compile(r"[\[(]?\s*(?:\.\s?\.\s?\.|…|⋮)\s*[\])]?|\(.*\.\.\.\)")
_END_OF_INPUT = re.compile(r"\^[DZ]|[<\[(]?\s*(?:ctrl|control|eof)(?:\s*[-+ ]\s*[dz])?\s*[>\])]?", re.IGNORECASE)


class Player(Protocol):
    """A solution that can be run."""

    def run(self, typed: Sequence[str]) -> Outcome:
        """Run it with typed lines, until it asks for more."""

    def run_to_end(self, typed: Sequence[str]) -> Outcome:
        """Run it with typed lines and the end of the input."""


@dataclass(kw_only=True)
class FollowedSession:
    """A sample that is followed: the lines typed so far, and how the solution differs from it."""

    player: Player
    sample: PrintedSample
    typed: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)
    """The numbers of the lines that represent other lines."""
    shown: int = 0
    """The lines and prompts of the sample, without typed text."""
    agreeing: int = 0
    """How many of these the program prints."""
    is_cut: bool = False
    """True if the sample ends where the program asks for more."""
    another: PrintedSample | None = None
    """The next session, if the sample shows several in a row."""

    @property
    def outcome(self) -> Outcome:
        """The outcome of the solution with all lines that were typed."""
        return (self.player.run if self.is_cut else self.player.run_to_end)(self.typed)

    def follow(self) -> None:
        """Type the sample's text after each prompt, until the program or the sample ends."""
        lines, place = self.sample.lines, 0
        while len(self.typed) < _MAX_LINES_TYPED:
            outcome = self.player.run(self.typed)
            *printed, prompt = _new_text(outcome).split("\n")
            asks = outcome.ending is Termination.ASKED_AGAIN
            at = self._place_of(printed, prompt, place) if asks else None
            if at is None:
                self._end(printed, prompt, place, asks=asks)
                return
            before, line = _split_typed(lines[at], (prompt, _last(printed)))
            self._compare(printed, prompt, place, at, before)
            place = at + 1
            if _END_OF_INPUT.fullmatch(line):
                rest = self.player.run_to_end(self.typed).transcript[len(outcome.transcript) :]
                self._compare(rest.split("\n"), "", place, len(lines), "")
                return
            if not line and place >= len(lines):
                self.is_cut = True
                return
            self.typed.append(line)

    def _end(self, printed: list[str], prompt: str, place: int, *, asks: bool) -> None:
        """Compare the rest when the program has ended, or asks for something that the sample does not show."""
        lines = self.sample.lines
        after = min(place + len(printed), len(lines)) if asks else self._begins_again(place)
        if not asks and after < len(lines):
            self.another = self.sample.rest(after)
            self.sample = replace(self.sample, lines=trimmed(lines[:after]))
        self._compare(printed, "" if asks else prompt, place, after, "")
        self.is_cut = asks
        if asks and after < len(lines):
            self.differences.append(
                f"from line {lines[after].number} on, it was not followed: the program asks {prompt!r}"
            )

    def _begins_again(self, place: int) -> int:
        """Return the index of the line with which another session begins, after the program has ended."""
        lines = self.sample.lines
        start = _first(self.player.run(()).transcript.splitlines())
        if not self.typed or not start:
            return len(lines)
        asks = (
            _matches_prompt
            if _matches_prompt(_first([line.text for line in lines]), start) is not None
            else _resembles_prompt
        )
        return next((at for at in range(place + 1, len(lines)) if asks(lines[at].text, start) is not None), len(lines))

    def _place_of(self, printed: Sequence[str], prompt: str, place: int) -> int | None:
        """Return the index of the line that ends with the next typed text."""
        lines, likely = self.sample.lines, place + len(printed)
        marked = next((at for at in range(place, len(lines)) if lines[at].marked is not None), None)
        if marked is not None:
            return marked
        if prompt.strip():
            at = self._nearest(_matches_prompt, prompt, place, likely)
            return self._nearest(_resembles_prompt, prompt, place, likely) if at is None else at
        at = self._line_after(printed, place)
        if at < len(lines) and not lines[at].text.strip() and not self._is_empty_line(at):
            at = next(later for later in range(at, len(lines)) if lines[later].text.strip())
        return at if at < len(lines) else None

    def _is_empty_line(self, at: int) -> bool:
        """Return whether the program continues as the sample does if only Enter is pressed."""
        shown = _first(_new_text(self.player.run([*self.typed, ""])).split("\n"))
        return _matches_prompt(_first([line.text for line in self.sample.lines[at:]]), shown or "\0") is not None

    def _nearest(self, asks: Callable[[str, str], str | None], prompt: str, place: int, likely: int) -> int | None:
        places = range(place, len(self.sample.lines))
        asking = [at for at in places if asks(self.sample.lines[at].text, prompt) is not None]
        return min(asking, key=lambda at: abs(at - likely), default=None)

    def _line_after(self, printed: Sequence[str], place: int) -> int:
        """Return the index of the line after the lines that the program has printed, ignoring blank lines.

        The sample may have the last printed line before the typed text.
        """
        texts = [_plain(line.text).lower() for line in self.sample.lines]
        printed_lines = [_plain(line).lower() for line in printed]
        if texts[place : place + len(printed_lines)] == printed_lines:
            return place + len(printed_lines)
        full = [at for at in range(place, len(texts)) if texts[at]]
        words = [text for text in printed_lines if text]
        after = full[len(words)] if len(words) < len(full) else len(texts)
        if not words:
            return after
        if same := sorted((at for at in full if texts[at] == words[-1]), key=lambda at: abs(at - after)):
            return next((at for at in full if at > same[0]), len(texts))
        last = _last(printed)
        for asks in (_matches_prompt, _resembles_prompt) if last.rstrip()[-1:] in _ENDS_PROMPT else (_matches_prompt,):
            if (at := self._nearest(asks, last, place, after)) is not None:
                return at
        return after

    def _compare(self, printed: Sequence[str], prompt: str, begin: int, end: int, before: str) -> None:
        """Note where the solution prints something that differs from these lines of the sample, ignoring blanks.

        These lines are followed by a prompt, for which the sample has the text `before`.
        """
        lines = self.sample.lines
        number = lines[min(end, len(lines) - 1)].number
        sample_lines = [(line.number, _plain(line.text)) for line in lines[begin:end] if line.text.strip()]
        sample_lines += [(number, _plain(before))] if before.strip() else []
        here = [_plain(line) for line in (*printed, prompt) if line.strip()]
        if before.strip() and not prompt.strip():
            self.differences.append(f"line {number}: the program ends the line {before.rstrip()!r} before it reads")
        elif prompt.strip() and end < len(lines) and not before.strip():
            self.differences.append(f"line {number}: the program reads on the line of its prompt {prompt.rstrip()!r}")
        self.shown += len(sample_lines)
        matcher = SequenceMatcher(None, [text for _, text in sample_lines], here, autojunk=False)
        for kind, first, last, first_here, last_here in matcher.get_opcodes():
            if kind == "equal":
                self.agreeing += last - first
                continue
            at = sample_lines[first][0] if first < len(sample_lines) else number + (end >= len(lines))
            self._differs(sample_lines[first:last], here[first_here:last_here], at)

    def _differs(self, sample_lines: Sequence[tuple[int, str]], here: Sequence[str], at: int) -> None:
        self.left_out += [number for number, text in sample_lines if _LEAVES_OUT.fullmatch(text)]
        in_sample = [text for _, text in sample_lines if not _LEAVES_OUT.fullmatch(text)]
        if in_sample or len(in_sample) == len(sample_lines):
            sample, printed = (shortened(" / ".join(texts) or "nothing") for texts in (in_sample, here))
            self.differences.append(f"line {at}: the sample has {sample!r}, the program prints {printed!r}")


def _split_typed(line: SampleLine, prompts: Sequence[str]) -> tuple[str, str]:
    """Split a line into the part that the program prints and the typed part."""
    if line.marked is not None:
        return line.text.removesuffix(line.marked), line.marked.strip()
    for asks in (_matches_prompt, _resembles_prompt):
        for prompt in prompts:
            before = asks(line.text, prompt) if prompt.strip() else None
            if before is not None:
                return before, line.text.removeprefix(before).strip()
    return "", line.text.strip()


def _matches_prompt(text: str, prompt: str) -> str | None:
    """Return the start of a line that is this prompt, ignoring case."""
    for start in (prompt, prompt.strip("\n").rstrip()):
        if text.lower().startswith(start.lower()):
            return text[: len(start)]
    return None


def _resembles_prompt(text: str, prompt: str) -> str | None:
    """Return the start of a line that resembles this prompt."""
    starts = [text[: match.end()] for match in re.finditer(r"[:?>=\])]+(?=\s|$)", text)]
    likeness = {
        start: SequenceMatcher(None, start.lower(), prompt.strip().lower(), autojunk=False).ratio() for start in starts
    }
    best = max(starts, key=lambda start: likeness[start], default="")
    return best if best and likeness[best] >= _LIKE else None


def _last(printed: Sequence[str]) -> str:
    return next((line for line in reversed(printed) if line.strip()), "")


def _first(printed: Sequence[str]) -> str:
    return next((line for line in printed if line.strip()), "")


def shortened(text: str) -> str:
    """Shorten a string from a handout for quoting."""
    return text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]} ..."


def _plain(text: str) -> str:
    return " ".join(text.split())


def _new_text(outcome: Outcome) -> str:
    """Return the output after the last typed line."""
    if not outcome.typed:
        return outcome.transcript
    last = outcome.typed[-1]
    return outcome.transcript[last.offset + len(last.text) :].removeprefix("\n")
