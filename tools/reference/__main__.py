"""Writes the generated pages of docs/reference, or reports outdated pages with `--check`."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.reference import causes, commands, files
from tools.reference.contents import contents_page

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
GENERATED = ("files", "commands")
"""The folders in which every page is generated."""


def pages() -> Mapping[str, str]:
    """Return the generated pages by their paths from docs/reference."""
    made = {**dict(files.file_pages()), **dict(commands.command_pages()), causes.PAGE: causes.cause_page()}
    written = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.md")}
    return {**made, "index.md": contents_page({**written, **made})}


def stale(made: Mapping[str, str]) -> list[str]:
    """Return the pages that differ from those in docs/reference, are missing there, or should not be there."""
    there = {path.relative_to(FOLDER).as_posix() for name in GENERATED for path in (FOLDER / name).glob("*.md")}
    differing = {
        name
        for name, text in made.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != text
    }
    return sorted(differing | (there - made.keys()))


def main() -> int:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a page is not fresh")
    options = parser.parse_args()
    made = pages()
    names = stale(made)
    for name in names:
        print(f"docs/reference/{name}")
        if not options.check:
            (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
            (FOLDER / name).write_text(made[name], encoding="utf-8") if name in made else (FOLDER / name).unlink()
    return int(options.check and bool(names))


if __name__ == "__main__":
    sys.exit(main())
