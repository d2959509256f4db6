"""What appears at the steps of a document: blocks of text with what a run of it shows.

A block `text shown` has what the commands of the block before it print; a block `text shown=FILE` has a file that they
wrote, or `FILE:5` its first five lines.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.docs.running import environment, in_pipes
from tools.document_steps import BLOCK, Command, File, steps_of

COLUMNS = 88
# How long something took, and the version of Python, differ from run to run.
_VARYING = re.compile(r"\b\d+(?:\.\d+)? (?:s|ms)\b|(?<=Python)( +)3\.[\d.]+")
_PLACE = "~/course"
_WAITING = "grader watch", "grader serve", "python3 grader.pyz watch"


def renewed(document: Path, folder: Path) -> str:
    """Follow a document in `folder`; returns its text with what appeared there.

    Commands that end with a key are left out. What differs in durations and versions of Python alone stays as it was.
    """
    text = document.read_text(encoding="utf-8")
    pieces: list[str] = []
    end, printed = 0, ""
    for block in BLOCK.finditer(text):
        _, _, shown = block["info"].partition("text shown")
        if block["info"].startswith("text shown"):
            body = _beginning(folder, shown.removeprefix("=")) if shown else printed
            kept = block["body"] if without_varying(body) == without_varying(block["body"]) else body
            pieces += [text[end : block.start("body")], kept]
            end = block.end("body")
        else:
            printed = "".join(_follow(block[0], folder))
    return "".join([*pieces, text[end:]])


def without_varying(text: str) -> str:
    """Return the text with marks in place of durations and versions of Python."""
    return _VARYING.sub("?", text)


def is_shown(document: Path) -> bool:
    """Return whether a document shows what appears."""
    return "\n```text shown" in document.read_text(encoding="utf-8")


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


def _follow(block: str, folder: Path) -> Iterator[str]:
    """Take the steps of a block; yields what the commands print."""
    variables = {**environment(folder), "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
    for step in steps_of(block):
        if isinstance(step, File):
            step.write(folder)
        elif not step.line.startswith(_WAITING):
            code, output = in_pipes(step.line, folder, variables)
            assert code == step.exit_code, f"{step.line}\n{output}"
            yield re.sub(r"[ \t]+$", "", output.replace(str(folder), _PLACE), flags=re.M)


def _beginning(folder: Path, name: str) -> str:
    """Return a file, or its first lines."""
    file, _, most = name.partition(":")
    lines = (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(lines[: int(most)] if most else lines)
