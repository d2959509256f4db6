"""A reference program with one mistake in it."""

import difflib
import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A faulty version of a reference: `source` is its text, `original` that of the reference it was made of."""

    program: str
    about: str
    original: str
    source: str

    @property
    def id(self) -> str:
        """A short name, the same as long as the function that it changes is the same down to the change."""
        lines = [line for line in self._hunks(0) if not line.startswith("@@")]
        start = _start(next(line for line in self._hunks(0) if line.startswith("@@")))
        definition = self._definition(start)
        where = start - self.original.splitlines().index(definition) if definition else start
        words = "\n".join([self.program, definition, str(where), *lines])
        return hashlib.sha256(words.encode()).hexdigest()[:8]

    @property
    def diff(self) -> str:
        """What was changed, as a unified diff that names the function."""
        return "\n".join(
            f"{line} {self._definition(_start(line) + 2).strip()}".rstrip() if line.startswith("@@") else line
            for line in self._hunks(2)
        )

    def _hunks(self, context: int) -> list[str]:
        before, after = self.original.splitlines(), self.source.splitlines()
        return list(difflib.unified_diff(before, after, n=context, lineterm=""))[2:]

    def _definition(self, line: int) -> str:
        """The line that begins the function or class which the line is in, empty if it is in none."""
        above = reversed(self.original.splitlines()[:line])
        return next((text for text in above if text.lstrip().startswith(("def ", "class "))), "")


def _start(hunk: str) -> int:
    """The line at which a hunk begins, from its heading `@@ -4,5 +4,5 @@`."""
    return int(hunk.split()[1].split(",")[0].lstrip("-"))
