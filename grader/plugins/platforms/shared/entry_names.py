"""The entries of a download whose names follow the pattern of a platform, and notes on the other entries."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import SubmissionRequirements
from grader.intake.plain_folder import INSTRUCTORS

NamedEntries = list[tuple[os.DirEntry[str], re.Match[str]]]


@dataclass(frozen=True, kw_only=True)
class EntryNames:
    """The names that `platform` gives to entries; `whose` returns the part that tells students apart.

    If `only_files` is set, folders do not match. The platform may add files with the names in `further`.
    """

    platform: str
    pattern: re.Pattern[str]
    whose: Callable[[re.Match[str]], str]
    only_files: bool = False
    further: tuple[str, ...] = ()

    def fits(self, entry: os.DirEntry[str], _: SubmissionRequirements) -> bool:
        """Return whether the platform names entries like this one."""
        return self._match(entry) is not None

    def match_entries(self, where: ClassFolder) -> tuple[NamedEntries, list[str]]:
        """Return the entries in a folder with the platform's kind of name, and notes on doubtful and other entries."""
        named: NamedEntries = []
        notes: list[str] = []
        for entry in where.entries():
            if match := self._match(entry):
                named.append((entry, match))
            elif entry.name not in (*INSTRUCTORS, *self.further):
                notes.append(f"{entry.name}: passed over, it is not named as {self.platform} does")
        named = self._settled(named)
        return named, [*notes, *self._look_alike_notes(named)]

    def _match(self, entry: os.DirEntry[str]) -> re.Match[str] | None:
        if not os.path.isdir(entry.path):
            return self.pattern.fullmatch(entry.name)
        return None if self.only_files else self._long_name_pattern.fullmatch(entry.name)

    def _settled(self, named: NamedEntries) -> NamedEntries:
        """Attribute a file to a later student in its name if the first one is called differently in other entries.

        Students choose their own names and the names of their files, and both can contain the platform's words.
        """
        long = [(entry, self._long_name_pattern.fullmatch(entry.name) or match) for entry, match in named]
        names: dict[str, set[str]] = {}
        for (_, match), (_, other) in zip(named, long, strict=True):
            if self.whose(match) == self.whose(other):
                names.setdefault(self.whose(match), set()).add(_name(match))

        def fits(match: re.Match[str]) -> bool:
            return _name(match) in names.get(self.whose(match), {_name(match)})

        return [
            (entry, other if fits(other) and not fits(match) else match)
            for (entry, match), (_, other) in zip(named, long, strict=True)
        ]

    @cached_property
    def _long_name_pattern(self) -> re.Pattern[str]:
        """Match everything before the platform's last words as the name; folders are not named after files."""
        return re.compile(self.pattern.pattern.replace("(?P<name>.+?)", r"(?P<name>.*\S)"), self.pattern.flags)

    def _look_alike_notes(self, named: NamedEntries) -> Iterator[str]:
        """Yield a note on each file that a student named as the platform names another student's files.

        The platform puts its words first, so the first student in the name is the owner.
        """
        students = {self.whose(match) for _, match in named}
        for _, match in named:
            inner = self.pattern.fullmatch(match["file"] or "")
            if inner and self.whose(inner) != self.whose(match) and self.whose(inner) in students:
                owner, rival = self.whose(match), self.whose(inner)
                yield f"{match[0]} is taken for {owner}'s: its student called it like a file of {rival}"


def _name(match: re.Match[str]) -> str:
    return str(match.groupdict().get("name"))
