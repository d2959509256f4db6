"""Gradescope: its export of all submissions, its results.json, and its autograder."""

from functools import partial
from pathlib import Path

from grader.platforms.gradescope.download import DOWNLOAD_FORMAT
from grader.platforms.platform import (
    AutograderBuilder,
    AutograderExport,
    ExportError,
    ExportOptions,
    Platform,
    StudentExport,
    StudentRenderer,
    SubmissionMetadata,
)

_AFTER_PUBLISHED = "after_published"


_HIDDEN_TESTS = ("hidden", _AFTER_PUBLISHED)


def _results(options: ExportOptions) -> StudentRenderer:
    from grader.platforms.gradescope.results import gradescope_results

    hidden = options.hidden_tests or _AFTER_PUBLISHED
    if hidden not in _HIDDEN_TESTS:
        raise ExportError(f"--hidden-tests cannot be `{hidden}`; expected one of: {', '.join(_HIDDEN_TESTS)}.")
    return partial(gradescope_results, hidden=hidden)


def _autograder() -> AutograderBuilder:
    from grader.platforms.gradescope.autograder import gradescope_autograder

    return gradescope_autograder


def _metadata(file: Path) -> SubmissionMetadata:
    from grader.platforms.gradescope.autograder import read_metadata

    return read_metadata(file)


PLATFORM = Platform(
    download=DOWNLOAD_FORMAT,
    exports=(
        StudentExport(
            name="gradescope",
            about="`gradescope/STUDENT.json`: results.json of Gradescope",
            suffix=".json",
            renderer=_results,
            options=("hidden_tests",),
            read_metadata=_metadata,
        ),
        AutograderExport(
            name="gradescope-autograder",
            about="`autograder.zip`: the autograder of a programming assignment",
            builder=_autograder,
        ),
    ),
)
