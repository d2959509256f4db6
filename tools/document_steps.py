"""The steps of a document that readers follow: files to write and commands to type."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.M | re.S)
_EXIT_CODE = re.compile(r"# exit code (\d)")


@dataclass(frozen=True)
class File:
    """A file that the reader writes; `name` is relative to the course folder."""

    name: str
    content: str

    def write(self, folder: Path) -> None:
        """Write the file below `folder`, with the folders that it needs."""
        file = folder / self.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.content, encoding="utf-8")


@dataclass(frozen=True)
class Command:
    """A line for the shell, and the expected exit code: the one in its comment, or 0."""

    line: str
    exit_code: int


def steps(document: Path) -> Iterator[File | Command]:
    """Yield files, and commands of this program, of pytest and of the self-check, in the order of the document."""
    yield from steps_of(document.read_text(encoding="utf-8"))


def steps_of(text: str) -> Iterator[File | Command]:
    """Yield the steps of a text, as `steps` does."""
    for block in BLOCK.finditer(text):
        kind, _, file = block["info"].partition(" file=")
        if file:
            yield File(file, block["body"])
        for line in block["body"].splitlines() if kind == "sh" else ():
            if line.startswith(("grader ", "pytest ", "python3 grader.pyz")):
                promised = _EXIT_CODE.search(line)
                yield Command(line, int(promised[1]) if promised else 0)
