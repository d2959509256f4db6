"""Checks and renews the blocks of text in which a document shows the output of its steps.

A block `text` after a block of commands shows what they print. A block `text shown=FILE` shows a file that they wrote,
and `text shown=FILE:5` its first five lines. A line `...` stands for any lines, `…` for any words, and durations and
versions of Python may differ. `python -m tests.docs.shown DOCUMENT` renews the blocks of a document.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.conftest import without_progress
from tests.docs.running import run_command
from tools.document_steps import BLOCK, Command, File, steps_of

_PLACE = "/home/you/course"
_EXIT_CODE = re.compile(r"# exit code (\d)")
_VARYING = re.compile(r"\b\d+(?:\.\d+)? (?:s|ms)\b|(?<=Python)( +)3\.[\d.]+")


@dataclass(frozen=True)
class Shown:
    """A block of a document at `span`, with its text and what a run shows there."""

    span: tuple[int, int]
    text: str
    appears: str

    @property
    def is_right(self) -> bool:
        """Return whether the text is what appears."""
        return bool(_pattern(_without_varying(self.text)).fullmatch(_without_varying(self.appears)))


def follow(document: Path, folder: Path) -> list[Shown]:
    """Write the files of a document in `folder` and run all its commands there; returns its shown blocks."""
    folder.mkdir(exist_ok=True)
    return list(_follow(document.read_text(encoding="utf-8"), folder))


def check_shown(document: Path, folder: Path) -> None:
    """Follow a document that shows what appears, and compare."""
    blocks = follow(document, folder)
    assert blocks
    for block in blocks:
        assert block.is_right, f"{block.text}\nAppears:\n{block.appears}\nTo renew: python -m tests.docs.renew"


def renewed(document: Path, folder: Path) -> str:
    """Follow a document; returns its text, where each block that was not right shows what appears."""
    text = document.read_text(encoding="utf-8")
    for block in reversed(follow(document, folder)):
        if not block.is_right:
            begin, end = block.span
            text = text[:begin] + block.appears + text[end:]
    return text


def steps_without_result(document: Path) -> Iterator[str]:
    """Yield the blocks with commands after which neither a text nor a picture shows what appears."""
    text = document.read_text(encoding="utf-8")
    blocks = [*BLOCK.finditer(text)]
    for block, following in pairwise([*blocks, None]):
        commands = [step for step in steps_of(block[0]) if isinstance(step, Command)] if block else []
        between = text[block.end() : following.start() if following else len(text)] if block else ""
        has_text = following is not None and following["info"].startswith("text")
        if block and commands and not has_text and "![" not in between:
            yield block["body"]


def _follow(text: str, folder: Path) -> Iterator[Shown]:
    printed: str | None = None
    for block in BLOCK.finditer(text):
        info, body = block["info"], block["body"]
        _, _, written = info.partition(" file=")
        _, _, shown = info.partition(" shown=")
        if written:
            File(written, body).write(folder)
        elif shown:
            yield Shown(block.span("body"), body, _beginning(folder, shown))
        elif info == "text" and printed is not None:
            yield Shown(block.span("body"), body, printed)
        is_run = info == "sh"
        printed = "".join(_run(line, folder) for line in body.replace("\\\n", "").splitlines()) if is_run else None


def _run(line: str, folder: Path) -> str:
    """Run a command and check its exit code; returns what it printed, without what depends on the machine."""
    code, printed = run_command(line, folder)
    promised = _EXIT_CODE.search(line)
    assert code == (int(promised[1]) if promised else 0), f"{line}\n{printed}"
    lines = without_progress(printed.replace("\r", "").replace(str(folder), _PLACE)).splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _beginning(folder: Path, name: str) -> str:
    """Return a file, or its first lines."""
    file, _, most = name.partition(":")
    lines = (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(lines[: int(most)] if most else lines)


def _without_varying(text: str) -> str:
    return _VARYING.sub("?", text)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("".join(map(_line_pattern, text.splitlines())))


def _line_pattern(line: str) -> str:
    if line == "...":
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split("…"))) + r"\n"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as name:
            Path(argument).write_text(renewed(Path(argument), Path(name, "course")), encoding="utf-8")
