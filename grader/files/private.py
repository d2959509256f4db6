"""Folders and files about students, which only their owner may read."""

from pathlib import Path


def private_folder(folder: Path) -> None:
    """Make a folder and those around it; what is made is the owner's alone, what is there stays as it is.

    Raises OSError.
    """
    if folder.is_dir():
        return
    private_folder(folder.parent)
    # A umask can only take more away.
    folder.mkdir(mode=0o700, exist_ok=True)
