"""The pages of the manual, as installed with the package."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from grader.errors import GraderError, quoted
from grader.installation import documents_folder
from grader.plugins.manual.contents import DOORS

_FILE_OF_BLOCK = re.compile(r"^```(\w+) (?:file|shown)=(\S+)$", re.M)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)]*)\)")
_MAX_SUGGESTED = 3


class ManualError(GraderError):
    """The manual is not installed, or has no such page."""


@dataclass(frozen=True)
class Page:
    """A page; `path` is relative to the manual without a suffix, as in `guides/late-days`."""

    path: str
    text: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return PurePosixPath(self.path).name

    @property
    def title(self) -> str:
        """The heading of the page."""
        return self.text.partition("\n")[0].removeprefix("# ")

    def linked(self) -> Iterator[str]:
        """Yield the paths of the pages that this page links to, each once."""
        links = (target.partition("#")[0] for _, _, target in _LINK.findall(self.text))
        pages = [link.removesuffix(".md") for link in links if link.endswith(".md") and "://" not in link]
        folder = (Path("/") / self.path).parent
        yield from dict.fromkeys(str((folder / page).resolve().relative_to("/")) for page in pages)

    def for_terminal(self) -> str:
        """Return the text without links and pictures, with file names above the contents of files."""
        text = _LINK.sub(lambda link: "" if link[1] else link[2], self.text)
        return _FILE_OF_BLOCK.sub(r"`\2`:\n\n```\1", text)

    def line_with(self, words: Sequence[str]) -> str:
        """Return the first line, other than a heading, with one of the lower-case words, or an empty string."""
        lines = (line.strip() for line in self.for_terminal().splitlines()[1:])
        return next((line for line in lines if any(word in line.casefold() for word in words) and line[0] != "#"), "")


def manual() -> tuple[Page, ...]:
    """Return all pages in the order of the manual. Raises ManualError if they are not installed."""
    folder = documents_folder()
    paths = {
        file.relative_to(folder).with_suffix("").as_posix(): file
        for door in DOORS
        for file in (folder / door.folder).rglob("*.md")
    }
    if not paths:
        raise ManualError("The manual is not installed; install the package with pip.")
    arranged = (page for door in DOORS for _, pages in door.arranged(frozenset(paths)) for page in pages)
    return tuple(Page(path, paths[path].read_text(encoding="utf-8")) for path in arranged)


def find(name: str, pages: Sequence[Page]) -> Page | None:
    """Return the page with this name, path or title, or the first one if there are several."""
    sought = name.strip().casefold().removesuffix(".md")
    return next((page for page in pages if sought in (page.path, page.name, page.title.casefold())), None)


def search(words: Sequence[str], pages: Sequence[Page]) -> list[Page]:
    """Return the pages with all words, first those with a word in the title. Raises ManualError if no page matches."""
    sought = [word.casefold() for word in words]
    having = [page for page in pages if all(word in page.text.casefold() for word in sought)]
    if having:
        return sorted(having, key=lambda page: not any(word in page.title.casefold() for word in sought))
    close = get_close_matches(" ".join(sought), [page.name for page in pages], n=_MAX_SUGGESTED)
    hint = f" The closest pages are {', '.join(map(quoted, close))}." if close else ""
    raise ManualError(f"No page of the manual has {quoted(' '.join(words))}.{hint} `grader docs` lists the guides.")
