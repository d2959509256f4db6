"""No platform: pages for students, a spreadsheet and JUnit XML."""

from grader.model.option import LateFunction
from grader.platforms.platform import ClassExport, Platform, StudentExport, without_options

PLATFORM = Platform(
    exports=(
        StudentExport(
            name="pages",
            about="`pages/STUDENT.html`: a web page for each student, complete in one file",
            suffix=".html",
            takes_excused=True,
            holds_origin=False,
            renderer=LateFunction("grader.plugins.platforms.plain_files.exports:page_renderer"),
        ),
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
