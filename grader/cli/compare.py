"""`grader compare`: what differs between two runs."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.cli.formats import ComparisonFormat
from grader.reports.comparison import RunComparison, compare, comparison_csv, comparison_json, comparison_text
from grader.reports.results_reader import read_run

_WRITERS: Mapping[ComparisonFormat, Callable[[RunComparison], str]] = {
    ComparisonFormat.TEXT: comparison_text,
    ComparisonFormat.JSON: comparison_json,
    ComparisonFormat.CSV: comparison_csv,
}


def run_compare(first: Path, second: Path, written: ComparisonFormat) -> int:
    """Print what differs from the run `first` to the run `second`; returns 0 when nothing does, else 1."""
    comparison = compare(read_run(first), read_run(second))
    text = _WRITERS[written](comparison)
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()
    return 1 if comparison.changes else 0
