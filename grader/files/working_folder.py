"""The folder in which the command was started."""

from pathlib import Path

from grader.errors import GraderError


class WorkingFolderError(GraderError):
    """The working folder is not there any more, or cannot be reached."""


def refuse_lost_folder() -> None:
    """Raise WorkingFolderError if the working folder was removed, even if another one of its name was made since."""
    try:
        Path.cwd()
    except OSError as error:
        raise WorkingFolderError(
            f"The folder that you are in is not there any more ({error.strerror}): go to it again with `cd`."
        ) from None
