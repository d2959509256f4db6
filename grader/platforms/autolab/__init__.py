"""Autolab: what its autograder prints, and the files that it runs."""

from grader.platforms.platform import (
    AutograderBuilder,
    AutograderExport,
    ExportOptions,
    Platform,
    StudentExport,
    StudentRenderer,
)


def _output(_: ExportOptions) -> StudentRenderer:
    from grader.platforms.autolab.autograder import autolab_output

    return autolab_output


def _autograder() -> AutograderBuilder:
    from grader.platforms.autolab.autograder import autolab_autograder

    return autolab_autograder


PLATFORM = Platform(
    exports=(
        StudentExport(
            name="autolab",
            about='`autolab/STUDENT.txt`: feedback; the last line is `{"scores": {...}}`',
            suffix=".txt",
            renderer=_output,
            takes_excused=True,
        ),
        AutograderExport(
            name="autolab-autograder",
            about="`autograde-Makefile` and `autograde.tar`: the autograder of an assignment",
            builder=_autograder,
        ),
    ),
)
