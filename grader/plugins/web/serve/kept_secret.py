"""Stores a secret beside the reports, readable only by their owner, so that later runs use the same secret."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes

from grader.errors import reported_as
from grader.reports.write import ReportError, private_folder

NUMBERS_KEY = "anonymous-numbers.key"
"""The file of the secret from which students' numbers in anonymous marking are derived."""

_BYTES = 32


def kept_secret(file: Path) -> bytes:
    """Return the secret in `file`, creating the file if it is missing. Raises ReportError."""
    with reported_as(ReportError, f"The secret {file} cannot be read or made"):
        if not file.exists():
            _make(file)
        return file.read_bytes()


def _make(file: Path) -> None:
    private_folder(file.parent)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        new.unlink()
    with open(new, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as target:
        target.write(token_bytes(_BYTES))
        os.fsync(target.fileno())
    try:
        # Another server may have been faster.
        with suppress(FileExistsError):
            os.link(new, file)
    finally:
        new.unlink()
