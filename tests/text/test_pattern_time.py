"""No regular expression of the grader takes a time that grows with the square of the text.

Such a pattern holds the interpreter's lock while it looks, and no signal ends it.
"""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator, Set
from functools import partial
from pathlib import Path

import pytest

import grader

PIECES = ["a", "1", " ", "\n", ".", "_", "(", "111,"]
SEARCHING = {"search", "finditer", "findall", "split", "sub", "subn"}
HARMLESS = {
    "grader.class_files.all_files._OF_COPIES": "sees names of files, of at most 255 characters",
    "grader.intake.nameless._NO_TEXT": "sees pages of the grader, in which a `<` of a student is escaped",
    "grader.plugins.bundling.explain._LINK": "sees documents of the grader",
    "grader.plugins.explaining.api._CELL": "sees documents of the grader",
    "grader.plugins.explaining.api._LINK": "sees documents of the grader",
    "grader.plugins.importing.classroom.convert._SEPARATOR": "sees files of the instructor",
    "grader.plugins.importing.classroom.convert._SOURCE": "sees files of the instructor",
    "grader.plugins.importing.printed_samples._COMMENT": "sees files of the instructor",
    "grader.plugins.importing.printed_samples._TAG": "sees files of the instructor",
    "grader.plugins.importing.python_2._STATEMENTS": "sees files of the instructor",
    "grader.plugins.platforms.brightspace.download._FURTHER_TIME": "sees names of folders, of at most 255 characters",
    "grader.plugins.postgres.rows._ADDRESS": "sees an address that the instructor gives",
    "grader.plugins.requests.fields._FIELD": "is only tried at the start of a line",
    "grader.plugins.screens.written_frames._ROW": "is only tried on whole lines",
}
"""The patterns that may be slow, and why this does no harm."""


def searched_names() -> Set[str]:
    """The names of patterns that are tried at every place of a text, wherever they are defined."""
    files = Path(grader.__path__[0]).rglob("*.py")
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    values = [node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr in SEARCHING]
    return {value.id for value in values if isinstance(value, ast.Name)}


def patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    for module in pkgutil.walk_packages(grader.__path__, "grader."):
        if not module.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern):
                    yield f"{module.name}.{name}", value


def seconds(pattern: re.Pattern[str] | re.Pattern[bytes], piece: str, count: int) -> float:
    text = piece * (count // len(piece)) + "\x01"
    started = time.thread_time()
    if isinstance(pattern.pattern, bytes):
        sum(1 for _ in pattern.finditer(text.encode()))
    else:
        sum(1 for _ in pattern.finditer(text))
    return time.thread_time() - started


def is_slow(pattern: re.Pattern[str] | re.Pattern[bytes], piece: str) -> bool:
    if seconds(pattern, piece, 100) < 0.002 and seconds(pattern, piece, 1500) < 0.003:
        return False
    # Longer texts decide: a busy machine disturbs short times.
    return min(seconds(pattern, piece, 8000) for _ in range(2)) > 0.05


@pytest.mark.slow
def test_no_pattern_takes_the_square_of_the_time() -> None:
    names = searched_names()
    looked_for = {name: value for name, value in patterns() if name.rpartition(".")[2] in names}
    assert len(looked_for) > 100
    slow = {name for name, pattern in looked_for.items() if any(map(partial(is_slow, pattern), PIECES))}
    assert slow <= HARMLESS.keys()


def test_a_pattern_of_square_time_would_be_noticed() -> None:
    assert is_slow(re.compile(r"\w+@"), "a")
