"""Partial credit by frames."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from grader.model.partial_credit import PluginShare
from grader.plugins.screens.written_frames import WrittenFrame, frames_in
from grader.text.difference import lines_of
from grader.text.sentence import Sentence, say_plural


@dataclass(frozen=True)
class PartialFrames(PluginShare):
    """The proportion of right frames among the different ones that are expected.

    Frames that look the same count once, and only if all of them are right. Otherwise, a program that never draws
    anything after its first screen would earn points for each return to it. Empty frames do not count.
    """

    def share(self, expected: str, actual: str, /) -> tuple[Fraction, Sentence]:
        """Return the share that a transcript earns, and the reason in words."""
        is_right: dict[object, list[bool]] = defaultdict(list)
        for wanted, shown in zip_longest(frames_in(lines_of(expected)), frames_in(lines_of(actual))):
            if wanted is not None and wanted.rows:
                is_right[_look(wanted)].append(shown is not None and _is_same(wanted, shown))
        right, count = sum(map(all, is_right.values())), len(is_right)
        # A failed test has a fault, even if it is in a frame that does not count.
        right = min(right, max(count - 1, 0))
        frames = say_plural(count, "{count} screen", "{count} screens")
        words = say_plural(right, "{count} of {frames} is right", "{count} of {frames} are right", frames=frames)
        return Fraction(right, max(count, 1)), words


def _look(frame: WrittenFrame) -> object:
    return tuple(frame.rows.items()), frame.others


def _is_same(wanted: WrittenFrame, shown: WrittenFrame) -> bool:
    return (wanted.key, _look(wanted)) == (shown.key, _look(shown))
