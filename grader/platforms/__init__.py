"""Learning platforms: a package each, with what is read from the platform and what is written for it."""

from dataclasses import fields

from grader.errors import known_name
from grader.intake.download_format import PLAIN, DownloadFormat
from grader.platforms import (
    autolab,
    blackboard,
    brightspace,
    canvas,
    ci,
    classroom,
    classroom50,
    codegrade,
    ed,
    git,
    gradescope,
    moodle,
    plain_files,
    prairielearn,
)
from grader.platforms.platform import (
    ClassExport,
    DeliveryExport,
    Export,
    ExportError,
    ExportOptions,
    StudentExport,
)

PLATFORMS = (
    gradescope.PLATFORM,
    moodle.PLATFORM,
    brightspace.PLATFORM,
    blackboard.PLATFORM,
    canvas.PLATFORM,
    git.PLATFORM,
    autolab.PLATFORM,
    prairielearn.PLATFORM,
    classroom50.PLATFORM,
    classroom.PLATFORM,
    ci.PLATFORM,
    codegrade.PLATFORM,
    ed.PLATFORM,
    plain_files.PLATFORM,
)
"""Every platform. Of downloads that fit a folder equally, the one that asks for more comes first."""


DOWNLOADS = {one.download.name: one.download for one in PLATFORMS if one.download}
"""The formats of submissions by name."""


DOWNLOAD_FORMATS = tuple(one for one in DOWNLOADS.values() if one is not PLAIN)
"""The formats that a folder of submissions may be recognized by."""


EXPORTS = {export.name: export for one in PLATFORMS for export in one.exports}
"""What can be written, by name."""


STUDENT_EXPORTS = {name: export for name, export in EXPORTS.items() if isinstance(export, StudentExport)}
"""What the autograders of platforms write about one submission, by name."""


def download_format(name: str) -> DownloadFormat:
    """The format of submissions of this name. Raises GraderError when there is none."""
    return known_name(name, DOWNLOADS, "format of submissions")


def export_format(name: str) -> Export:
    """The export of this name. Raises GraderError when there is none."""
    return known_name(name, EXPORTS, "format of exports")


def student_export(name: str) -> StudentExport:
    """The results of one submission in the form of this platform. Raises GraderError when there is none."""
    return known_name(name, STUDENT_EXPORTS, "platform with an autograder")


def check_options(export: ClassExport | StudentExport | DeliveryExport, options: ExportOptions) -> None:
    """Raise ExportError when an option is given that `export` does not take."""
    for field in fields(options):
        if getattr(options, field.name) is not None and field.name not in export.options:
            takers = ", ".join(one.name for one in EXPORTS.values() if _takes(one, field.name))
            raise ExportError(f"--{field.name.replace('_', '-')} is for {takers}, not for {export.name}.")


def _takes(export: Export, option: str) -> bool:
    return isinstance(export, ClassExport | StudentExport | DeliveryExport) and option in export.options
