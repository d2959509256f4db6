"""What a program leaves apart from its transcript: standard error, if it is kept apart, and files that it writes."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from grader.files.digest import read_regular_file
from grader.model.interaction import StdinRun
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.interface import Launch
from grader.run.sandbox.sandbox import NOTHING_WANTED, WantedFiles
from grader.run.transcript import TranscriptRecorder, head_and_tail


@dataclass(frozen=True)
class SideFiles:
    """Files without a name that take what a run leaves: standard error and copies of what it writes."""

    errors: IO[bytes] | None
    written: IO[bytes] | None
    names: tuple[str, ...]

    @property
    def wanted(self) -> WantedFiles:
        """What a sandbox is to copy."""
        return NOTHING_WANTED if self.written is None else WantedFiles(self.names, (self.written.fileno(),))

    def launch(self, launch: Launch) -> Launch:
        """The same with standard error kept apart, if it is to be."""
        return (
            launch
            if self.errors is None
            else replace(launch, descriptors={**launch.descriptors, 2: self.errors.fileno()})
        )

    def with_errors(self, outcome: Outcome, launch: Launch, limits: Limits) -> Outcome:
        """The outcome with what was printed on standard error, without the path of the private folder."""
        if self.errors is None:
            return outcome
        recording = TranscriptRecorder(limits.output_bytes)
        recording.show(os.pread(self.errors.fileno(), limits.output_bytes + 1, 0).decode("utf-8", "surrogateescape"))
        whole = recording.transcript(launch.workdir)
        return replace(outcome, errors=(head_and_tail(whole) if recording.is_over else whole).text)

    def with_copies(self, outcome: Outcome) -> Outcome:
        """The outcome with the files that a sandbox copied."""
        if self.written is None:
            return outcome
        self.written.seek(0)
        return replace(outcome, written={name: _next_copy(self.written) for name in self.names})


def with_written_files(outcome: Outcome, folder: Path, names: Sequence[str]) -> Outcome:
    """The outcome with the files that the program wrote into `folder`."""
    return replace(outcome, written={name: _content(folder, name) for name in names}) if names else outcome


def _content(folder: Path, name: str) -> str | None:
    file = folder / name
    try:
        # A link could lead to what the program must not see.
        return _text(read_regular_file(file)) if file.resolve() == file else None
    except OSError:
        return None


def _next_copy(copies: IO[bytes]) -> str | None:
    size = int(copies.readline() or b"-1")
    return None if size < 0 else _text(copies.read(size))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


@contextmanager
def side_files(test: Test) -> Iterator[SideFiles]:
    """Open what takes the side output of one run of `test`."""
    side = test.side_output
    apart = test.keeps_errors_apart and not isinstance(test.interaction, StdinRun)
    with ExitStack() as stack:

        def opened(*, needed: bool) -> IO[bytes] | None:
            return stack.enter_context(tempfile.TemporaryFile(buffering=0)) if needed else None

        yield SideFiles(opened(needed=apart), opened(needed=bool(side.files)), side.files)
