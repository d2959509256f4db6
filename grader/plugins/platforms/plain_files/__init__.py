"""No platform: a spreadsheet and JUnit XML."""

from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform, without_options

PLATFORM = Platform(
    exports=(
        ClassExport(
            name="csv",
            about="`results.csv` for a spreadsheet, see [results-format.md](results-format.md#resultscsv)",
            writer=without_options(LateFunction("grader.plugins.platforms.plain_files.exports:own_csv")),
        ),
        ClassExport(
            name="junit",
            about="`junit.xml`: a suite per student (the schema of pytest's xunit2), for continuous integration",
            writer=without_options(LateFunction("grader.plugins.platforms.plain_files.exports:junit_xml")),
        ),
    ),
)
