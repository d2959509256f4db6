"""Facts about a reference that its transcript does not show: the rules behind its lines, and when it read its input.

They are stored next to the transcript in TEST.VARIANT.because.json: `format` (1), and `because`, a list of objects with
a `rule` and its `places`. A place is a line (`"4"`), a range of lines (`"4-9"`), or a line from a given column
(`"4:12"`) to its end or to the next place in it. Lines and columns are numbered from 1. `typed` contains the number of
characters printed before each input line was read. It is only present if typing is not shown or steps earn points.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from grader.errors import GraderError
from grader.expected import because
from grader.text.difference import FirstDifference

MODULE = (Path(because.__file__), "because.py")
"""The module placed next to a reference, and its name there."""


_FORMAT = 1
_IMPORT = re.compile(rb"^[ \t]*(?:from\s+|import\b.*\b)because\b", re.M)
_MARK = re.compile(f"{because.START}([^{because.START}{because.END}]*){because.END}")
# Punctuation, separators and control characters, as Unicode classifies them.
_FORM = "PZC"


def need_module(files: Collection[tuple[Path, str]]) -> bool:
    """Return whether any of `files`, each with its name, imports the module without the module being among them.

    The module is only added when needed, because a program may list the files in its folder.
    """
    if any(name == MODULE[1] for _, name in files):
        return False
    return any(_IMPORT.search(file.read_bytes()) for file, _ in files if file.suffix == ".py")


class RationaleError(GraderError):
    """A file of reasons is not in the format that `grader generate` writes."""


@dataclass(frozen=True, order=True)
class RuleReason:
    """A rule that the reference followed from `column` of `line` onwards, both counted from 1."""

    line: int
    column: int
    rule: str


@dataclass(frozen=True)
class RuleReasons:
    """The reasons in a transcript, ordered by their places.

    `typed` holds the offsets where the reference read its input lines, if they are needed.
    """

    reasons: tuple[RuleReason, ...] = ()
    typed: tuple[int, ...] = ()

    def at(self, divergence: FirstDifference) -> str | None:
        """Return the rule behind a transcript's first difference; None if the reference does not give one.

        A line with the right content in a different form does not have a rule.
        """
        if divergence.expected is not None and divergence.actual is not None:
            content = _content(divergence.expected)
            if content and content == _content(divergence.actual):
                return None
        here = (
            reason for reason in self.reasons if reason.line == divergence.line and reason.column <= divergence.column
        )
        nearest_reason = max(here, default=None, key=lambda reason: reason.column)
        return nearest_reason.rule or None if nearest_reason else None

    def text(self) -> str:
        """Return the content of the file for these reasons: JSON with one rule per line."""
        by_rule: dict[str, list[RuleReason]] = defaultdict(list)
        for reason in self.reasons:
            by_rule[reason.rule].append(reason)
        rows = ",\n".join(
            json.dumps({"rule": rule, "places": list(_line_ranges(where))}, ensure_ascii=False)
            for rule, where in by_rule.items()
        )
        typed = f', "typed": {list(self.typed)}' if self.typed else ""
        because = f"[\n{rows}\n]" if rows else "[]"
        return f'{{"format": {_FORMAT}, "because": {because}{typed}}}\n'


def _content(line: str) -> str:
    """Return a line in lower case, without spaces or punctuation.

    Hyphens are kept because they mark negative numbers, and leading tabs because they determine the column.
    """
    column = "\t" * (len(line) - len(line.lstrip("\t")))
    return column + "".join(
        character
        for character in line.casefold()
        if character == "-" or unicodedata.category(character)[0] not in _FORM
    )


def reasons_in(marked: str) -> tuple[str, RuleReasons]:
    """Split the output of a reference into its transcript and the reasons marked by `because`."""
    pieces: list[str] = []
    reasons: list[RuleReason] = []
    done = column = 0
    line = 1
    for mark in _MARK.finditer(marked):
        piece = marked[done : mark.start()]
        pieces.append(piece)
        line += piece.count("\n")
        column = len(piece) - piece.rfind("\n") - 1 if "\n" in piece else column + len(piece)
        reasons.append(RuleReason(line, column + 1, " ".join(mark[1].split())))
        done = mark.end()
    return "".join(pieces) + marked[done:], RuleReasons(tuple(reasons))


def offset_without_marks(marked: str, offset: int) -> int:
    """Convert an offset in a reference's raw output to an offset in the transcript."""
    return len(_MARK.sub("", marked[:offset]))


def read_reasons(file: Path) -> RuleReasons:
    """Read the reasons in `file`; a missing file contains none. Raises RationaleError if it is damaged."""
    try:
        content = _parsed(file.read_text(encoding="utf-8"))
        reasons = (
            RuleReason(line, column, str(entry["rule"]))
            for entry in content["because"]
            for place in entry["places"]
            for line, column in _read_line_range(place)
        )
        return RuleReasons(tuple(sorted(reasons)), tuple(map(int, content.get("typed", []))))
    except FileNotFoundError:
        return RuleReasons()
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise RationaleError(
            f"{file} cannot be read; expected what `grader generate` writes: run it, and do not edit the file"
        ) from None


def _parsed(text: str) -> Any:
    """Return the content of a file with reasons. Raises ValueError or LookupError if it has a different format."""
    content = json.loads(text)
    if content["format"] != _FORMAT:
        raise ValueError(content["format"])
    return content


def _line_ranges(reasons: Sequence[RuleReason]) -> Iterator[str]:
    """Yield the places of a rule as strings, with adjacent lines combined into ranges."""
    for (column, _), group in groupby(enumerate(reasons), key=lambda item: (item[1].column, item[1].line - item[0])):
        lines = [reason.line for _, reason in group]
        if column > 1:
            yield from (f"{line}:{column}" for line in lines)
        else:
            yield str(lines[0]) if len(lines) == 1 else f"{lines[0]}-{lines[-1]}"


def _read_line_range(place: str) -> Iterator[tuple[int, int]]:
    lines, _, column = place.partition(":")
    first, _, last = lines.partition("-")
    yield from ((line, int(column or 1)) for line in range(int(first), int(last or first) + 1))
