"""Exports without a platform: a spreadsheet, JUnit XML, and a text file for each student."""

from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        ClassExport(
            name="csv",
            about="`results.csv` for a spreadsheet, see [the results](../reference/results.md#resultscsv)",
            writer=without_options(LateFunction("grader.plugins.platforms.plain_files.exports:own_csv")),
        ),
        ClassExport(
            name="junit",
            about="`junit.xml`: a suite for each student (the schema of pytest's xunit2), for continuous integration",
            writer=without_options(LateFunction("grader.plugins.platforms.plain_files.exports:junit_xml")),
        ),
        StudentExport(
            name="text",
            about="`text/STUDENT.txt`: a text file for each student, without any details of hidden tests",
            suffix=".txt",
            takes_excused=True,
            holds_origin=False,
            renderer=LateFunction("grader.plugins.platforms.plain_files.texts:text_renderer"),
        ),
    ),
)
