"""No regular expression of the grader takes a time that grows with the square of the text.

Such a pattern holds the interpreter's lock while it looks, and no signal ends it.
"""

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator

import pytest

import grader

PIECES = [
    "a",
    "1",
    " ",
    "\n",
    ".",
    ",",
    "-",
    "_",
    "A",
    "(",
    "'",
    '"',
    "#",
    "=",
    ":",
    "/",
    "é",
    "111,",
    "a ",
    "1.",
    " a",
    "a\n",
]
BEGINNINGS = ["", "x"]
HARMLESS = {
    "grader.class_files.all_files._OF_COPIES": "only sees names of files, of at most 255 characters",
    "grader.grading.other_syntax.NOTEBOOK": "is only tried at the start",
    "grader.intake.nameless._NO_TEXT": "only sees pages of the grader, in which a `<` of a student is escaped",
    "grader.intake.source_note.NOTEBOOK": "is only tried at the start",
    "grader.plugins.bundling.explain._LINK": "only sees documents of the grader",
    "grader.plugins.code_rules.made_classes._CLASS_NAME": "only sees whole names, tried at the start",
    "grader.plugins.code_rules.style._ENCODING": "is only tried at the start of a line",
    "grader.plugins.explaining.api._LINK": "only sees documents of the grader",
}
"""The patterns that may be slow, and why this does no harm."""


def patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    for module in pkgutil.walk_packages(grader.__path__, "grader."):
        if not module.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern):
                    yield f"{module.name}.{name}", value


def seconds(pattern: re.Pattern[str] | re.Pattern[bytes], beginning: str, piece: str, count: int) -> float:
    text = beginning + piece * (count // len(piece)) + "\x01"
    started = time.thread_time()
    if isinstance(pattern.pattern, bytes):
        sum(1 for _ in pattern.finditer(text.encode()))
    else:
        sum(1 for _ in pattern.finditer(text))
    return time.thread_time() - started


def is_slow(pattern: re.Pattern[str] | re.Pattern[bytes], beginning: str, piece: str) -> bool:
    if seconds(pattern, beginning, piece, 100) < 0.002 and seconds(pattern, beginning, piece, 1500) < 0.003:
        return False
    # Whether it really is slow is decided by longer texts: a busy machine disturbs short times.
    return min(seconds(pattern, beginning, piece, 30_000) for _ in range(2)) > 0.2


@pytest.mark.slow
def test_no_pattern_takes_the_square_of_the_time() -> None:
    slow = {
        name
        for name, pattern in patterns()
        for beginning in BEGINNINGS
        for piece in PIECES
        if is_slow(pattern, beginning, piece)
    }
    assert slow <= HARMLESS.keys()


def test_a_pattern_of_square_time_would_be_noticed() -> None:
    assert is_slow(re.compile(r"\w+@"), "", "a")
