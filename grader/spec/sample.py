"""Samples from the handout that the reference must print."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator

from grader.config.scalars import NameTemplate
from grader.config.validation import DISTINCT, SpecModel
from grader.model.test import HandoutSample, IgnoredDifference
from grader.spec.beside import read_beside


class SampleEntry(SpecModel):
    """A transcript from the handout that the reference must print, stored in the folder samples/."""

    file: NameTemplate
    """The name of the file."""
    ignore: Annotated[tuple[IgnoredDifference, ...], DISTINCT] = ()
    """Differences from the sample that are ignored, such as `[trailing-whitespace, blank-lines]`, with the same
    words as `compare.ignore`.
    """

    def read(self, tests_file: Path, fill: Callable[[str], str]) -> HandoutSample:
        """Return the sample with loop values filled in. Raises NotBesideError."""
        name = fill(self.file)
        return HandoutSample(name, read_sample(tests_file, name), frozenset(self.ignore))


Sample = Annotated[SampleEntry, BeforeValidator(lambda value: {"file": value} if isinstance(value, str) else value)]


def read_sample(tests_file: Path, name: str) -> str:
    """Return the transcript in the file `name` of the folder samples/. Raises NotBesideError.

    Windows line endings and a byte order mark are removed, because they only come from saving the file.
    """
    text = read_beside(tests_file, "samples", name, "file").decode("utf-8", "surrogateescape")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
