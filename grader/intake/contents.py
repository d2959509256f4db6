"""Where the files of a submission may be: in a folder, loose among those of others, in an archive, nowhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from grader.intake.arrival import Space
from grader.intake.found_file import FoundFile, files_in
from grader.intake.refused import RefusedError
from grader.intake.unpack import unpack


@dataclass(frozen=True)
class FolderContents:
    """A folder that belongs to one student; `owned` says that what lies in it is of the instructor's making."""

    folder: Path
    owned: bool = True

    def files(self, space: Space, /) -> tuple[FoundFile, ...]:
        """Everything in it; after as many files as an archive may have, nobody looks further."""
        return files_in(self.folder, space.limits.files)

    def said_in(self) -> Path | None:
        return self.folder if self.owned else None


@dataclass(frozen=True)
class FileContents:
    """Single files."""

    found: tuple[FoundFile, ...] = ()

    def files(self, _: Space, /) -> tuple[FoundFile, ...]:
        return self.found

    def said_in(self) -> Path | None:
        return None


@dataclass(frozen=True)
class ArchiveContents:
    """An archive that a student handed in."""

    archive: Path

    def files(self, space: Space, /) -> tuple[FoundFile, ...]:
        try:
            folder = unpack(self.archive, space.new(), space.limits, space.zone).folder
        except RefusedError as error:
            raise RefusedError(f"{self.archive.name} is refused: {error}") from None
        found = FolderContents(folder, owned=False).files(space)
        stamp = os.stat(self.archive).st_mtime_ns
        for file in found:
            # The times in it are the student's word.
            os.utime(file.path, ns=(stamp, stamp))
        return found

    def said_in(self) -> Path | None:
        return None


@dataclass(frozen=True)
class RefusedContents:
    """What is not taken."""

    reason: str

    def files(self, _: Space, /) -> tuple[FoundFile, ...]:
        raise RefusedError(self.reason)

    def said_in(self) -> Path | None:
        return None


NOTHING = FileContents()
