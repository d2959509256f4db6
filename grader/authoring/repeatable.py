"""Finds references whose behaviour changes between runs because of randomness, the clock or the order of a set."""

import re
import time
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from pathlib import Path
from threading import Event

from grader.checkers.ask import ask
from grader.errors import GraderError
from grader.grading.grade_submission import judge_outcome
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.run.plugin_session import PluginDialogue
from grader.text.escape import quote

SECOND_RUN_ENVIRONMENT = {"PYTHONHASHSEED": "1"}
"""The environment of a second run. Students' programs keep the usual hash seed, so that sets print in a fixed order."""

_MIN_RUNS_AGAIN = 8
_READS_CLOCK = re.compile(rb"time|date|clock|now\b", re.IGNORECASE)


class NondeterministicReferenceError(GraderError):
    """A reference behaved differently when a test was run again."""

    def __init__(self, name: str, test: Test, change: str) -> None:
        super().__init__(
            f"The reference {name} does not behave the same each time it runs the test {test.id}: {change}. "
            "Does it use random numbers without a seed, read the clock, or print a set without sorting it? A reference "
            "must do the same every time: take the seed from the input or from `random_seed`, sort the set, or let a "
            "checker or `compare` accept every right answer."
        )


def wait_for_next_second(sources: Iterable[Path], cancelled: Event) -> None:
    """Wait for the next second, which is often used as a seed, if one of these files may read the time."""
    if any(_READS_CLOCK.search(file.read_bytes()) for file in sources if file.is_file()):
        cancelled.wait(1 - time.time() % 1)


def rerun_count(tests: int) -> int:
    """Return how often to rerun each of `tests` tests: the fewer tests, the more often, to catch even a coin toss."""
    return -(-_MIN_RUNS_AGAIN // max(1, tests))


def difference(test: Test, first: Mapping[Path, str], again: Mapping[Path, str], outcome: Outcome) -> str | None:
    """Return the first line that differs in a second run with this outcome, or None if both are equal.

    `first` and `again` map the files that each run produced to their texts, with the expected file first.
    """
    changed = next((file for file in first if first[file] != again.get(file)), None)
    if changed is None:
        return None
    if changed == next(iter(first)) and judge_outcome(test, first[changed], outcome, ask).verdict is Verdict.PASSED:
        return None
    before, after = first[changed].split("\n"), again.get(changed, "").split("\n")
    number = next((number for number, pair in enumerate(zip_longest(before, after)) if pair[0] != pair[1]), 0)
    lines = (quote(text[number]) if number < len(text) else "not there" for text in (before, after))
    place = test.interaction.place(before, number) if isinstance(test.interaction, PluginDialogue) else ""
    return f"{place}line {number + 1} is {' at first and '.join(lines)} the second time"
