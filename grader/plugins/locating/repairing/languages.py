"""The languages of programs that can be repaired: how programs are read, changed and written."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.plugins.locating.ranking import parsed
from grader.plugins.locating.repairing.c_changes import (
    c_texts,
    c_texts_for_line,
    c_texts_of_accepted,
    changed_c_programs,
)
from grader.plugins.locating.repairing.c_lines import (
    c_lines,
    c_text,
    edited_c,
    flat_c_lines,
    has_balanced_brackets,
    named_c_program,
)
from grader.plugins.locating.repairing.changes import changed_programs, guarded
from grader.plugins.locating.repairing.edited_source import edited_source
from grader.plugins.locating.repairing.edits import Edit
from grader.plugins.locating.repairing.program_lines import (
    ProgramLine,
    program_lines,
    program_text,
    read_source,
)
from grader.plugins.locating.repairing.renaming import NamedProgram, named_program
from grader.plugins.locating.repairing.texts import PrintedLine, accepted_texts, texts_for_line, texts_of_accepted
from grader.plugins.locating.small_changes import SmallChange

Lines: TypeAlias = tuple[ProgramLine, ...]


@dataclass(frozen=True, kw_only=True)
class Language:
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
    texts_for_line: Callable[[str, PrintedLine], Iterator[str]]
    texts_of_accepted: Callable[[str, Sequence[frozenset[str]]], Iterator[str]]


def _own_lines(text: str) -> Lines:
    return tuple(source.line for source in read_source(text))


def _no_changes(_text: str) -> Iterator[str]:
    yield from ()


PYTHON = Language(
    read=_own_lines,
    formatted=program_lines,
    shown=_own_lines,
    can_be_read=lambda text: parsed(text) is not None,
    text=program_text,
    edited=edited_source,
    named=named_program,
    texts=accepted_texts,
    guarded=guarded,
    changes=changed_programs,
    texts_for_line=lambda text, wrong: (change.text for change in texts_for_line(text, wrong)),
    texts_of_accepted=lambda text, accepted: (change.text for change in texts_of_accepted(text, accepted)),
)

_C = Language(
    read=flat_c_lines,
    formatted=flat_c_lines,
    shown=c_lines,
    can_be_read=has_balanced_brackets,
    text=c_text,
    edited=edited_c,
    named=named_c_program,
    texts=c_texts,
    guarded=_no_changes,
    changes=lambda text, _lines: (SmallChange(1, version) for version in changed_c_programs(text)),
    texts_for_line=c_texts_for_line,
    texts_of_accepted=c_texts_of_accepted,
)

_BY_SUFFIX = {"py": PYTHON, "c": _C}


def language_of(name: str) -> Language | None:
    """Return the language of the file `name`, or None if its programs cannot be repaired."""
    return _BY_SUFFIX.get(name.rpartition(".")[2])
