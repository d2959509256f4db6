"""Compares file names with the name of a missing program, because one of the files may be that program.

Browsers, mail programs and students change names: `game (1).py`, `game.py.txt`, `z1234_Game.py`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import PurePosixPath

from grader.errors import closest

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
# The suffix that browsers add to a second download.
_COPY_NUMBER = re.compile(r" ?\(\d{1,3}\)$")
_OLDER = re.compile(r"[ _.()-](old|older|bak|backup|draft)(?![a-z])")


@dataclass(frozen=True)
class SimilarNames:
    """The similarity of file names to the name of a missing program, and to the names of its `rivals`."""

    program: str
    rivals: Sequence[str]
    names: Sequence[str]

    @cached_property
    def close(self) -> frozenset[str]:
        """Return the names that are most similar to the program's, with the same numbers and suffix."""
        return frozenset(_close(self.program, self.names))

    @cached_property
    def only_other(self) -> frozenset[str]:
        """Return the only name with the program's suffix, which is most likely the program; empty if there are more."""
        candidates = _with_ending_of(self.program, self.names)
        return frozenset(candidates if len(candidates) == 1 else ())

    @cached_property
    def _close_to_rivals(self) -> Mapping[str, frozenset[str]]:
        return {rival: frozenset(_close(rival, self.names)) for rival in self.rivals}

    def lead(self, name: str) -> float:
        """Return how much more similar a name is to the program's than to any rival's, up to 1."""
        rivals = (rival for rival, names in self._close_to_rivals.items() if name in names)
        return _similarity(name, self.program) - max((_similarity(name, rival) for rival in rivals), default=0.0)


def fold_name(name: str) -> str:
    """Return a name in the form for comparisons that ignore case and the composition of characters."""
    return unicodedata.normalize("NFC", name).casefold()


def _similarity(name: str, program: str) -> float:
    return SequenceMatcher(None, _letters(_clean(name)), _letters(program)).ratio()


def _close(program: str, names: Sequence[str]) -> Sequence[str]:
    by_letters: dict[str, list[str]] = {}
    fitting = [
        name for name in _with_ending_of(program, names) if _NUMBER.findall(_clean(name)) == _NUMBER.findall(program)
    ]
    newer = [name for name in fitting if not _OLDER.search(fold_name(name))]
    for name in newer or fitting:
        by_letters.setdefault(_letters(_clean(name)), []).append(name)
    best = closest(_letters(program), by_letters)
    return by_letters[best] if best else _with_whole_name(program, names)


def _with_whole_name(program: str, names: Iterable[str]) -> Sequence[str]:
    """Return the names that contain the program's whole name, as `z1234_game.py` does, except names of tests."""
    program_words = _words(program)
    whole = [name for name in _with_ending_of(program, names) if _contains(_words(_clean(name)), program_words)]
    return [name for name in whole if not _OLDER.search(fold_name(name))] or whole


def _words(name: str) -> Sequence[str]:
    return _WORD.findall(fold_name(PurePosixPath(name).stem))


def _contains(words: Sequence[str], sought_words: Sequence[str]) -> bool:
    """Return whether the sought words appear in sequence in a name that is not a test's."""
    count = len(sought_words)
    starts = range(len(words) - count + 1)
    return any(words[start : start + count] == sought_words for start in starts) and not {"test", "tests"} & {*words}


def _clean(name: str) -> str:
    """Return a name without additions by browsers, editors and mail programs."""
    path = PurePosixPath(_COPY_NUMBER.sub("", name.strip()))
    if path.suffix.lower() == ".txt" and PurePosixPath(path.stem).suffix:
        path = PurePosixPath(path.stem)
    ending = ".py" if path.suffix.lower() == ".pyw" else path.suffix
    return _COPY_NUMBER.sub("", path.stem).strip() + ending


def _letters(name: str) -> str:
    """Return a name without its suffix, case, spaces and punctuation, which students change most often."""
    return "".join(filter(str.isalnum, fold_name(PurePosixPath(name).stem)))


def _with_ending_of(program: str, names: Iterable[str]) -> Sequence[str]:
    suffix = PurePosixPath(program).suffix
    return [name for name in names if fold_name(_clean(name)).endswith(suffix)]
