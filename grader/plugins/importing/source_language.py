"""A language of imported programs: how they are built and run, and whether this machine supports the language."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.config.yaml_writer import Writable

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""The search path for system programs when a submission is built and run."""


@dataclass(frozen=True, kw_only=True)
class SourceLanguage:
    """A language: in commands `{main}` is the first source file, `{stem}` its name without the suffix.

    `{memory}` is the memory that a program may use in MiB, and `{kib}` the same in KiB.
    """

    name: str
    suffixes: tuple[str, ...]
    needs: str
    build: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    settings: Mapping[str, Writable] = field(default_factory=dict)
    """The options of the usual commands, if neither `build` nor `run` is given."""
    keeps_names: bool = False
    """True if the name of a file has a meaning, such as the name of a Java class."""
    memory_bytes: int = 0
    """The memory that its runtime reserves, however little the program needs."""

    @property
    def is_here(self) -> bool:
        """Return whether this machine can build and run programs in the language."""
        return shutil.which(self.needs, path=_SYSTEM_PATH) is not None

    def with_usual_commands(self, settings: Mapping[str, Writable]) -> "SourceLanguage":
        """Return the language without its own commands, so that the usual commands apply."""
        return replace(self, build=(), run=(), settings=settings)

    def entry(self, main: str, sources: Sequence[str], memory: int) -> dict[str, Writable]:
        """Return the keys of a program or an alternative in this language, with `memory` in MiB."""
        names = {
            "main": main,
            "stem": Path(main).stem,
            "memory": str(memory),
            "kib": str(memory << 10),
        }
        entry_keys: dict[str, Writable] = {"file": main}
        if self.settings:
            entry_keys["build"] = dict(self.settings)
        if self.build:
            others = (name for name in sources if name != main)
            entry_keys["build"] = [*(word.format(**names) for word in self.build), *others]
        if self.run:
            entry_keys["run"] = [*(word.format(**names) for word in self.run)]
        return entry_keys
