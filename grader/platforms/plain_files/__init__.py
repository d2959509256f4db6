"""No platform: a folder per student is read; a spreadsheet and JUnit XML are written."""

from grader.intake.download_format import PLAIN
from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform

PLATFORM = Platform(
    download=PLAIN,
    exports=(
        ClassExport(
            name="csv",
            about="`results.csv` for a spreadsheet, see [results-format.md](results-format.md#resultscsv)",
            writer=LateFunction("grader.platforms.plain_files.exports:csv_writer"),
        ),
        ClassExport(
            name="junit",
            about="`junit.xml`: a suite per student (the schema of pytest's xunit2), for continuous integration",
            writer=LateFunction("grader.platforms.plain_files.exports:junit_writer"),
        ),
    ),
)
