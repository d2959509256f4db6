"""Checks the command's working directory and the encoding of file names."""

import sys
from pathlib import Path

from grader.errors import GraderError


class WorkingFolderError(GraderError):
    """The working directory does not exist, or its file names would be misread."""


def check_working_folder() -> None:
    """Raise WorkingFolderError if the working directory was removed, or if a locale without UTF-8 garbles file names.

    A garbled name would look like another student's name, so extensions and marks could not be matched.
    """
    try:
        Path.cwd()
    except OSError as error:
        raise WorkingFolderError(
            f"The folder that you are in is not there any more ({error.strerror}): go to it again with `cd`."
        ) from None
    encoding = sys.getfilesystemencoding()
    if encoding != "utf-8":
        raise WorkingFolderError(
            f"The locale here is one for {encoding}, in which names of files are misread; expected UTF-8. "
            "Start the command with LC_ALL=C.UTF-8 before it."
        )
