"""The functions that a search for repairs needs in each language of programs."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.plugins.locating.repairing.edits import Edit
from grader.plugins.locating.repairing.program_lines import ProgramLine
from grader.plugins.locating.repairing.renaming import NamedProgram
from grader.plugins.locating.repairing.texts import PrintedLine
from grader.plugins.locating.rewriting import SmallChange

Lines: TypeAlias = tuple[ProgramLine, ...]


@dataclass(frozen=True, kw_only=True)
class RepairableLanguage:
    """A language: `read` gives a program's own lines, and `formatted` those of its usual form.

    `shown` gives the own lines with their depth, for words. `can_be_read` tells quickly whether a version may have a
    meaning. `text` writes lines, and `edited` makes edits in the
    program's own text. `named` reads its names, and `texts` what it prints. The others propose changed programs.
    """

    read: Callable[[str], Lines]
    formatted: Callable[[str], Lines]
    shown: Callable[[str], Lines]
    can_be_read: Callable[[str], bool]
    text: Callable[[Sequence[ProgramLine]], str]
    edited: Callable[[str, Sequence[Edit]], str]
    named: Callable[[str], NamedProgram]
    texts: Callable[[str], frozenset[str]]
    guarded: Callable[[str], Iterator[str]]
    changes: Callable[[str, Collection[int]], Iterator[SmallChange]]
    texts_for_line: Callable[[str, PrintedLine], Iterator[SmallChange]]
    texts_of_accepted: Callable[[str, Sequence[frozenset[str]]], Iterator[str]]
