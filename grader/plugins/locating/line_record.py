"""Records which lines of a submission a run executes.

The record goes to an unnamed file. The program has it open too, and could write anything into it, so it is only a hint
for the instructor, and marks do not depend on it.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import IO

from grader.model.outcome import CodeLine, Outcome, TraceStep
from grader.model.program import Limits
from grader.run.error_watch import SessionWatch, WatchReport
from grader.run.interface import Launch

_FOLDER = ".line-recorder"

_MAX_BYTES = 1_000_000

_MAX_DIGITS = 8


@dataclass(frozen=True)
class LineRecord(WatchReport):
    """The record of the lines that one run executes in the files with these `names`."""

    names: tuple[str, ...]
    record: IO[bytes]

    def launch(self, launch: Launch) -> Launch:
        """Return the launch with the recorder, which Python finds before anything else."""
        number = max([2, *launch.descriptors]) + 1
        others = launch.environment.get("PYTHONPATH")
        path = os.pathsep.join([str(launch.workdir / _FOLDER), *([others] if others else [])])
        variables = {"PYTHONPATH": path, "RECORDED_LINES": "\n".join((str(number), *self.names))}
        return replace(
            launch,
            environment={**launch.environment, **variables},
            descriptors={**launch.descriptors, number: self.record.fileno()},
        )

    def outcome(self, outcome: Outcome, _launch: Launch) -> Outcome:
        """Return the outcome with the recorded lines."""
        content = os.pread(self.record.fileno(), _MAX_BYTES, 0)
        return replace(outcome, trace=tuple(_trace(self.names, content)))


@dataclass(frozen=True)
class LineWatch(SessionWatch):
    """A watch that records which lines run in the Python files with these `names` in the submission."""

    names: tuple[str, ...]

    def files_beside(self) -> Mapping[str, bytes]:
        """Return the recorder."""
        source = files(__package__).joinpath("line_recorder.py").read_bytes()
        return {f"{_FOLDER}/sitecustomize.py": source}

    @contextmanager
    def report(self, _limits: Limits, /) -> Iterator[LineRecord]:
        """Open a recording of the lines of one run."""
        with tempfile.TemporaryFile(buffering=0) as record:
            yield LineRecord(self.names, record)


def _trace(names: tuple[str, ...], content: bytes) -> Iterator[TraceStep]:
    """Yield the steps, ignoring anything that a recorder does not write."""
    # Python may begin a line in several places, and reports each of them.
    lines: dict[CodeLine, None] = {}
    for entry in content.splitlines():
        match entry.split():
            case [b"+", count] if _is_number(count):
                yield TraceStep(tuple(lines), int(count))
                lines = {}
            case [place, line] if _is_number(place) and _is_number(line) and int(place) < len(names):
                lines[CodeLine(names[int(place)], int(line))] = None
    yield TraceStep(tuple(lines), 0)


def _is_number(text: bytes) -> bool:
    return text.isdigit() and len(text) < _MAX_DIGITS
