"""`grader compare`: what differs between two runs."""

import sys
from pathlib import Path

from grader.reports.comparison import compare, comparison_writer
from grader.reports.results_reader import read_run


def run_compare(first: Path, second: Path, written: str) -> int:
    """Print what differs from the run `first` to the run `second`; returns 0 when nothing does, else 1."""
    write = comparison_writer(written)
    comparison = compare(read_run(first), read_run(second))
    sys.stdout.buffer.write(write(comparison).encode("utf-8", "surrogateescape"))
    sys.stdout.flush()
    return 1 if comparison.changes else 0
