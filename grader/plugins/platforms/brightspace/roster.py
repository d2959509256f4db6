"""The exported grades of Brightspace as a roster."""

from collections.abc import Sequence

from grader.class_files.roster import Columns, known_columns

_MARKED = "id", "login"


def columns(header: Sequence[str]) -> Columns | None:
    """Return the columns of exported grades."""
    return known_columns(header) if "orgdefinedid" in header else None


def mend(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields without the mark that keeps spreadsheets from taking ids and logins for numbers."""
    return {key: value.removeprefix("#") if key in _MARKED else value for key, value in fields.items()}
