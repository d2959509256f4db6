"""The gradebook of Canvas as a roster."""

from collections.abc import Sequence

from grader.class_files.roster import Columns, known_columns

_USER, _SCHOOLS = "id", "sis user id"


def columns(header: Sequence[str]) -> Columns | None:
    """Return the columns of a gradebook."""
    if not {_USER, _SCHOOLS}.issubset(header):
        return None
    return {**known_columns(header), "canvas": (_USER,), "id": (_SCHOOLS,)}


def mend(fields: dict[str, str]) -> dict[str, str] | None:
    """Return the fields, or None for the points possible and for a test student, which have no number."""
    return fields if fields["canvas"].isdigit() else None
