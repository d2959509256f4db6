"""The files of one student, or of one attempt, in a download."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from grader.intake.attempt import Contents, FileContents, RefusedContents
from grader.intake.class_folder import ClassFolder
from grader.intake.match_files import FoundFile


@dataclass
class ReceivedFiles:
    """Files and folders, the names of their entries in the download, and the reason if one of them is refused."""

    files: list[FoundFile] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, entry: os.DirEntry[str], name: str | None, where: ClassFolder) -> None:
        """Add an entry of a class: a file with its submitted name, or a folder of such files (None)."""
        path = Path(entry.path)
        self.sources.append(entry.name)
        if fault := where.fault(path):
            self.faults.append(fault)
        elif name is None:
            self.folders.append(path)
        else:
            self.files.append(FoundFile(name, path, entry.is_file(follow_symlinks=False)))

    @property
    def contents(self) -> Contents:
        """Return the contents; all are refused if one of them is."""
        return RefusedContents(self.faults[0]) if self.faults else FileContents(tuple(self.files), tuple(self.folders))
