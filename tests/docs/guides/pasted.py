"""Guides with what appears: `python -m tests.docs.guides.pasted docs/guides/NAME.md` pastes it anew from a run.

A `text` block that follows a block of commands is what these print. A line `...` in it stands for any lines, `…` in
a line for any words.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import without_progress
from tests.docs.running import run_command
from tools.document_steps import BLOCK, File

HOME = "/home/you/course"
OPENINGS = "In this guide you'll ", "This guide shows you how to "
"""How a guide begins."""
_EXIT_CODE = re.compile(r"# exit code (\d)")


@dataclass(frozen=True)
class Pasted:
    """What a guide shows of a run, where it stands in the guide, and what was printed."""

    span: tuple[int, int]
    shown: str
    printed: str


def follow(document: Path, folder: Path) -> list[Pasted]:
    """Write the files of a guide in `folder` and run all its commands there; returns what it shows."""
    folder.mkdir(exist_ok=True)
    return list(_steps(document.read_text(encoding="utf-8"), folder))


def check_guide(document: Path, folder: Path) -> int:
    """Follow a guide and compare what it shows; returns how many places these are."""
    pasted = follow(document, folder)
    for place in pasted:
        assert _pattern(place.shown).fullmatch(place.printed), f"{place.shown}\nPrinted:\n{place.printed}"
    return len(pasted)


def _steps(text: str, folder: Path) -> Iterator[Pasted]:
    printed: str | None = None
    for block in BLOCK.finditer(text):
        kind, _, file = block["info"].partition(" file=")
        if file:
            File(file, block["body"]).write(folder)
        elif kind == "sh":
            printed = "".join(_run(line, folder) for line in block["body"].replace("\\\n", "").splitlines())
            continue
        elif kind == "text" and printed is not None:
            yield Pasted(block.span("body"), block["body"], printed)
        printed = None


def _run(line: str, folder: Path) -> str:
    """Run a command and check its exit code; returns what it printed, without what depends on the machine."""
    code, printed = run_command(line, folder)
    promised = _EXIT_CODE.search(line)
    assert code == (int(promised[1]) if promised else 0), f"{line}\n{printed}"
    lines = without_progress(printed.replace("\r", "").replace(str(folder), HOME)).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _pattern(shown: str) -> re.Pattern[str]:
    return re.compile("".join(map(_line_pattern, shown.splitlines())))


def _line_pattern(line: str) -> str:
    if line == "...":
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split("…"))) + r"\n"


def renew(document: Path) -> None:
    """Paste what appears into a guide, but where it leaves lines out and the others are right."""
    text = document.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        for place in reversed(follow(document, Path(name, "course"))):
            if not _pattern(place.shown).fullmatch(place.printed):
                text = text[: place.span[0]] + place.printed + text[place.span[1] :]
    document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        renew(Path(argument))
