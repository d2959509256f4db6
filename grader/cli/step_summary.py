"""The job summary of a GitHub workflow: Markdown that is added to the file named by GITHUB_STEP_SUMMARY."""

import os

from grader.errors import GraderError

_MOST_BYTES = 1_000_000


class SummaryError(GraderError):
    """The job summary cannot be written."""


def add_step_summary(markdown: str) -> None:
    """Add to the job summary, if there is one. Raises SummaryError."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file or not markdown:
        return
    # A summary of more than 1 MiB is refused as a whole.
    content = markdown.encode("utf-8", "backslashreplace")[:_MOST_BYTES].decode("utf-8", "ignore")
    try:
        with open(file, "a", encoding="utf-8") as summary:
            summary.write(content)
    except OSError as error:
        raise SummaryError(f"The job summary cannot be added to {file}: {error.strerror}") from None
