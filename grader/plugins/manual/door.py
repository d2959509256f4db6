"""A part of the manual."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True)
class Door:
    """A part of the manual; the paths of its pages, without their suffix, are listed with or without headings."""

    title: str
    folder: str
    headings: Mapping[str, tuple[str, ...]]

    def arranged(self, pages: frozenset[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each heading with its existing pages; unlisted pages come after the others.

        Each folder of this part has a separate heading, with its pages by name.
        """
        inside = {page for page in pages if page.startswith(f"{self.folder}/")}
        ordered = {f"{self.folder}/{name}" for names in self.headings.values() for name in names}
        direct = sorted(page for page in inside - ordered if str(PurePosixPath(page).parent) == self.folder)
        for number, (heading, names) in enumerate(self.headings.items(), 1):
            listed = [f"{self.folder}/{name}" for name in names if f"{self.folder}/{name}" in inside]
            yield heading, (*listed, *(direct if number == len(self.headings) else ()))
        for folder in sorted({PurePosixPath(page).parent for page in inside} - {PurePosixPath(self.folder)}):
            pages_there = sorted(page for page in inside if PurePosixPath(page).parent == folder)
            yield folder.name.capitalize(), tuple(pages_there)
