"""Other files in a submission than the programs: the allowed further files, and unused files.

Self-checks need this on any system, so this module does not import any packages.
"""

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from grader.files.archive_reader import is_junk
from grader.text.sentence import joined, say

_ABOUT_THE_SUBMISSION = {"submission.yaml", "verdicts.yaml"}
_BUNDLE = ".pyz"
_MAX_NAMED = 4


def fits_pattern(name: str, patterns: Collection[str]) -> bool:
    """Return whether the file `name`, with `/` between folders, matches any of `patterns`; `*` does not match `/`."""
    parts = name.split("/")
    for pattern in patterns:
        pattern_parts = pattern.split("/")
        if len(pattern_parts) == len(parts) and all(map(fnmatchcase, parts, pattern_parts)):
            return True
    return False


def names_below(name: str, folders: Collection[str]) -> Iterator[str]:
    """Yield the name of a file relative to each of `folders` that contains it, unless it is a leftover.

    Leftovers are files created by operating systems, editors and version control.
    """
    if not is_leftover(name):
        yield from (name.removeprefix(folder) for folder in folders if name.startswith(folder))


def is_leftover(name: str) -> bool:
    """Return whether a file is a leftover: hidden, created by the system, or metadata of other files."""
    parts = name.split("/")
    base = PurePosixPath(name)
    about = base.name in _ABOUT_THE_SUBMISSION or base.stem.upper() == "README" or base.suffix == _BUNDLE
    return about or is_junk(parts) or any(part.startswith(".") for part in parts)


def unused_words(names: Sequence[str]) -> str:
    """Return a sentence about files that were submitted but are not used."""
    more = len(names) - _MAX_NAMED
    listed = [*names[:_MAX_NAMED], say("{more} more", more=more)] if more > 0 else list(names)
    if len(names) == 1:
        return say("{files} is not used: it is not one of the files to hand in", files=names[0])
    files = say("{first} and {last}", first=joined(", ", listed[:-1]), last=listed[-1])
    return say("{files} are not used: they are not among the files to hand in", files=files)
