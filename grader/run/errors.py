"""The error of this stage."""

from grader.errors import GraderError


class SessionError(GraderError):
    """A session could not be held for a reason that is ours or the machine's, never the program's."""
