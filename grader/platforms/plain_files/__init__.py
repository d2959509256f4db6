"""No platform: a folder per student is read; a spreadsheet and JUnit XML are written."""

from grader.intake.download_format import PLAIN
from grader.platforms.platform import ClassExport, ClassWriter, ExportOptions, Platform


def _csv(_: ExportOptions) -> ClassWriter:
    from grader.platforms.plain_files.exports import own_csv

    return own_csv


def _junit(_: ExportOptions) -> ClassWriter:
    from grader.platforms.plain_files.exports import junit_xml

    return junit_xml


PLATFORM = Platform(
    download=PLAIN,
    exports=(
        ClassExport(
            name="csv",
            about="`results.csv` for a spreadsheet, see [results-format.md](results-format.md#resultscsv)",
            writer=_csv,
        ),
        ClassExport(
            name="junit",
            about="`junit.xml`: a suite per student (the schema of pytest's xunit2), for continuous integration",
            writer=_junit,
        ),
    ),
)
