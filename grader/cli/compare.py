"""`grader compare`: what differs between two runs."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.cli.request import Format
from grader.report.comparison import Comparison, compare
from grader.report.comparison_formats import comparison_csv, comparison_json, comparison_text
from grader.report.results_file import read_run

_WRITERS: Mapping[Format, Callable[[Comparison], str]] = {
    Format.TEXT: comparison_text,
    Format.JSON: comparison_json,
    Format.CSV: comparison_csv,
}


def run_compare(first: Path, second: Path, written: Format) -> int:
    """Print what differs from the run `first` to the run `second`; returns 0 when nothing does, else 1."""
    comparison = compare(read_run(first), read_run(second))
    text = _WRITERS[written](comparison)
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()
    return 1 if comparison.changes else 0
