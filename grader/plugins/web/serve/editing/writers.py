"""Recognises files that other programs are writing."""

import os
from pathlib import Path

from grader.files.replace_file import held_file


def is_being_written(file: Path) -> bool:
    """Return whether a program has `file` open for writing, as far as the system reveals this. Raises OSError."""
    try:
        with held_file(Path(os.path.realpath(file))):
            return False
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
