"""What identifies the content of a submission."""

from collections.abc import Iterable

from grader.intake.submission import SubmittedFile
from grader.store.digest import digest, file_digest


def submission_digest(files: Iterable[SubmittedFile]) -> str:
    """The digest of the names and contents of `files`; one that cannot be read counts as such."""
    return digest(sorted((file.name, _content(file)) for file in files))


def _content(file: SubmittedFile) -> str:
    try:
        return file_digest(file.path)
    except OSError:
        return "unreadable"
