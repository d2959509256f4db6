"""Markdown: tables, links between pages of the reference, and the texts beside this package."""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent

_LINKS: Mapping[str, str] = {
    **{
        f"{name}.yaml": f"files/{name}.md"
        for name in (
            *("assignment", "audit", "comments", "extensions", "fuzz", "marks", "overrides", "requests", "roster"),
            *("seeds", "submission", "teams", "term", "times"),
        )
    },
    "results.json": "results.md#resultsjson",
    "results.csv": "results.md#resultscsv",
    "programs in other languages": "languages.md",
    "default build command": "languages.md",
    "default commands": "languages.md",
    "in the program's language": "function-tests.md#calls-in-other-languages",
    "exception_type": "function-tests.md#exceptions",
    "Several calls": "function-tests.md#several-calls",
    "bonus points": "points.md#bonus-points",
    "count together": "points.md#groups-of-tests",
    "equal share": "points.md#equal-shares",
    "only partly right": "points.md#partial-credit",
    "must pass for this test to count": "points.md#required-tests",
    "cause of failure": "causes.md",
    "a bundle only shows them": "seals.md",
    "Runs a command": "command-tests.md",
    "tests written by the student": "own-tests.md",
    "plays the other side": "interactor-protocol.md",
    "checker": "checker-protocol.md",
    "a plugin": "plugins.md",
}
"""Phrases in descriptions, and the pages that explain them, from the folder docs/reference."""
_APART = re.compile(r"(`[^`]*`|\[[^]]*\]\([^)]*\))")


def linked(text: str, page: str) -> str:
    """Return a text of `page`, a path from docs/reference, with each phrase turned into a link once."""
    parts = _APART.split(text)
    for phrase, target in _LINKS.items():
        file = target.partition("#")[0]
        if file == page:
            continue
        way = posixpath.relpath(target, posixpath.dirname(page) or ".")
        pattern = re.compile(rf"(?<![\w./-]){re.escape(phrase)}(?![\w/-])")
        for index, part in enumerate(parts):
            if _APART.fullmatch(part):
                if part == f"`{phrase}`":
                    parts[index] = f"[{part}]({way})"
                    break
            elif match := pattern.search(part):
                before, after = part[: match.start()], part[match.end() :]
                parts[index : index + 1] = [before, f"[{phrase}]({way})", after]
                break
    return "".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    escaped = ((cell.replace("|", "\\|") for cell in line) for line in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in escaped)


def code(text: str, kind: str = "yaml") -> str:
    """Return a block of code."""
    return f"```{kind}\n{text.rstrip()}\n```\n"


def sentences(text: str) -> str:
    """Return paragraphs that are wrapped in a docstring, each on one line."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def package_text(*parts: str) -> str:
    """Return the text of a file in this package, or an empty text if there is none."""
    file = HERE.joinpath(*parts)
    return file.read_text(encoding="utf-8") if file.exists() else ""


def joined(blocks: Iterable[str]) -> str:
    """Return a page."""
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip()) + "\n"
