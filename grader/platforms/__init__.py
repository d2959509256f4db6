"""Learning platforms: a package per platform, with what is read from it and what is written for it."""

from grader.errors import GraderError, nearest
from grader.intake.download_format import PLAIN, DownloadFormat
from grader.platforms.canvas.download import DOWNLOAD_FORMAT as CANVAS
from grader.platforms.git.download import DOWNLOAD_FORMAT as GIT
from grader.platforms.gradescope.download import DOWNLOAD_FORMAT as GRADESCOPE
from grader.platforms.moodle.download import DOWNLOAD_FORMAT as MOODLE

DOWNLOAD_FORMATS = (GRADESCOPE, MOODLE, CANVAS, GIT)
"""Of formats that fit equally, the one that asks for more comes first."""


def download_format(name: str) -> DownloadFormat:
    """The format of this name. Raises GraderError when there is none."""
    known = {one.name: one for one in (PLAIN, *DOWNLOAD_FORMATS)}
    if name not in known:
        raise GraderError(
            f"There is no format of submissions `{name}`{nearest(name, known)}; known: {', '.join(known)}."
        )
    return known[name]
