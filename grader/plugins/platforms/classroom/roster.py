"""The roster of GitHub Classroom, in which `identifier` is the school's name for the student."""

from collections.abc import Sequence

from grader.class_files.roster import Columns, known_columns

_ID = "identifier"


def columns(header: Sequence[str]) -> Columns | None:
    """Return the columns of a roster of GitHub Classroom."""
    if not {_ID, "github_username"}.issubset(header):
        return None
    return {**known_columns(header), "id": (_ID,)}
