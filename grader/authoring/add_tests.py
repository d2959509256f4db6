"""Adds tests to a tests file along with their expected files, all or none."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.errors import GraderError
from grader.expected.transcripts import write_transcript


class TestFileError(GraderError):
    """A tests file or an expected file cannot be written."""


@contextmanager
def replaced_file(file: Path, content: bytes) -> Iterator[None]:
    """Replace the content of `file`, and restore it if the block raises an exception. Raises TestFileError."""
    before = file.read_bytes() if file.exists() else None
    try:
        _put(file, content)
        yield
    except BaseException:
        if before is None:
            file.unlink(missing_ok=True)
        else:
            _put(file, before)
        raise


def _put(file: Path, content: bytes) -> None:
    """Write a file atomically. Raises TestFileError."""
    real = file.resolve()
    new = real.with_name(f".{real.name}.new")
    try:
        new.write_bytes(content)
        if real.exists():
            shutil.copymode(real, new)
        new.replace(real)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise TestFileError(f"{file} cannot be written: {error.strerror}") from None


def write_expected(generated: Mapping[Path, str]) -> None:
    """Write expected files, all or none. Raises TestFileError."""
    files: list[Path] = []
    try:
        for file, text in generated.items():
            files.append(file)
            write_transcript(file, text)
    except BaseException as error:
        for file in files:
            with suppress(OSError):
                file.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise TestFileError(f"{files[-1]} cannot be written: {error.strerror}") from None
        raise
