"""Autolab: the output of its autograder, and the files that it runs."""

from grader.model.option import LateFunction
from grader.platforms.platform import AutograderExport, Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="autolab",
            about='`autolab/STUDENT.txt`: feedback, with `{"scores": {...}}` as the last line',
            suffix=".txt",
            takes_excused=True,
            renderer=without_options(LateFunction("grader.plugins.platforms.autolab.autograder:autolab_output")),
        ),
        AutograderExport(
            name="autolab-autograder",
            about="`autograde-Makefile` and `autograde.tar`: the autograder for an assignment",
            build=LateFunction("grader.plugins.platforms.autolab.autograder:autolab_autograder"),
        ),
    ),
)
