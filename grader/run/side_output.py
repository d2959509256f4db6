"""A program's streams and files apart from its terminal: standard input or error, and files that it writes."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from grader.files.digest import read_regular_file
from grader.files.unnamed_file import unnamed_file
from grader.model.interaction import Dialogue, StdinRun
from grader.model.outcome import Outcome
from grader.model.program import Limits
from grader.model.test import Test
from grader.run.interface import Launch
from grader.run.sandbox.sandbox import WantedFiles
from grader.run.stdin_session import stdin_file
from grader.run.transcript import TranscriptRecorder, transcript_of


@dataclass(frozen=True)
class SideFiles:
    """Unnamed files: the standard input, and the files that receive standard error and copies of written files."""

    stdin: int | None
    errors: IO[bytes] | None
    written: IO[bytes] | None
    names: tuple[str, ...]

    @property
    def wanted(self) -> WantedFiles:
        """The files that the sandbox should copy."""
        return WantedFiles() if self.written is None else WantedFiles(self.names, (self.written.fileno(),))

    def launch(self, launch: Launch) -> Launch:
        """Return the launch with the standard streams that differ from the terminal."""
        descriptors = {} if self.stdin is None else {0: self.stdin}
        if self.errors is not None:
            descriptors[2] = self.errors.fileno()
        return replace(launch, descriptors={**launch.descriptors, **descriptors}) if descriptors else launch

    def with_errors(self, outcome: Outcome, launch: Launch, limits: Limits) -> Outcome:
        """Return the outcome with the text of standard error, without the path of the private folder."""
        if self.errors is None:
            return outcome
        recording = TranscriptRecorder(limits.output_bytes)
        recording.show(os.pread(self.errors.fileno(), limits.output_bytes + 1, 0).decode("utf-8", "surrogateescape"))
        return replace(outcome, errors=recording.shown(launch).text)

    def with_copies(self, outcome: Outcome, launch: Launch) -> Outcome:
        """Return the outcome with the files that a sandbox copied."""
        if self.written is None:
            return outcome
        self.written.seek(0)
        copies = {name: _next_copy(self.written) for name in self.names}
        return replace(outcome, written=_written(copies, launch))


def with_written_files(outcome: Outcome, launch: Launch, names: Sequence[str]) -> Outcome:
    """Return the outcome with the files that the program wrote to its folder."""
    contents = {name: _content(launch.workdir, name) for name in names}
    return replace(outcome, written=_written(contents, launch)) if names else outcome


def _written(files: Mapping[str, bytes | None], launch: Launch) -> dict[str, str | None]:
    """Return the texts of files without the path of the private folder."""
    return {name: None if content is None else transcript_of(content, launch).text for name, content in files.items()}


def _content(folder: Path, name: str) -> bytes | None:
    file = folder / name
    try:
        # A link could lead to a file that the program must not see.
        return read_regular_file(file) if file.resolve() == file else None
    except OSError:
        return None


def _next_copy(copies: IO[bytes]) -> bytes | None:
    size = int(copies.readline() or b"-1")
    return None if size < 0 else copies.read(size)


@contextmanager
def side_files(test: Test) -> Iterator[SideFiles]:
    """Open the streams and files that a run of `test` uses in addition to its terminal."""
    side = test.side_output
    is_apart = test.keeps_errors_apart and not isinstance(test.interaction, StdinRun)
    with ExitStack() as stack:

        def opened(*, needed: bool) -> IO[bytes] | None:
            return stack.enter_context(unnamed_file()) if needed else None

        stdin = None
        if isinstance(test.interaction, Dialogue) and test.interaction.stdin is not None:
            stdin = stack.enter_context(stdin_file(test.interaction.stdin.text))
        yield SideFiles(stdin, opened(needed=is_apart), opened(needed=bool(side.files)), side.files)
