"""Has Python take down which lines of the submission a run executes, for those tests that ask for it.

The record goes to a file without a name. The program has it open too, and could write into it what it likes: it is a
hint to the instructor, and no mark depends on it.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import IO

from grader.model.outcome import CodeLine, Outcome, TraceStep
from grader.model.test import Test
from grader.run.interface import Launch

_FOLDER = ".line-recorder"

_MOST_BYTES = 1_000_000

_MOST_DIGITS = 8


def recorder_files(test: Test) -> Mapping[str, bytes]:
    """Return the files that a recorded run needs in its working folder: content by name."""
    if not test.start.recorded:
        return {}
    source = files("grader.run").joinpath("line_recorder.py").read_bytes()
    return {f"{_FOLDER}/sitecustomize.py": source}


@dataclass(frozen=True)
class LineRecord:
    """Where the lines of these `names` go that one run executes; None: they are not recorded."""

    names: tuple[str, ...]
    record: IO[bytes] | None

    def launch(self, launch: Launch) -> Launch:
        """Return the same with the recorder, which Python finds before anything else."""
        if self.record is None:
            return launch
        number = max([2, *launch.descriptors]) + 1
        others = launch.environment.get("PYTHONPATH")
        path = os.pathsep.join([str(launch.workdir / _FOLDER), *([others] if others else [])])
        variables = {"PYTHONPATH": path, "RECORDED_LINES": "\n".join((str(number), *self.names))}
        return replace(
            launch,
            environment={**launch.environment, **variables},
            descriptors={**launch.descriptors, number: self.record.fileno()},
        )

    def outcome(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the lines."""
        if self.record is None:
            return outcome
        content = os.pread(self.record.fileno(), _MOST_BYTES, 0)
        return replace(outcome, trace=tuple(_trace(self.names, content)))


def _trace(names: tuple[str, ...], content: bytes) -> Iterator[TraceStep]:
    """Yield the steps; what a recorder does not write is passed over."""
    # Python may begin a line in several places, and tells of each.
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
    return text.isdigit() and len(text) < _MOST_DIGITS


@contextmanager
def line_record(test: Test) -> Iterator[LineRecord]:
    """Open what takes down the lines that one run of `test` executes."""
    if not test.start.recorded:
        yield LineRecord(names=(), record=None)
        return
    with tempfile.TemporaryFile(buffering=0) as record:
        yield LineRecord(names=test.start.recorded, record=record)
