"""The grading worksheet of Moodle as a roster."""

import re
from collections.abc import Sequence

from grader.class_files.roster import Columns, known_columns
from grader.plugins.platforms.moodle.worksheet_words import typed, worksheet_words

_NUMBERS = "moodle", "identifier"
_PARTICIPANT = re.compile(r"\D+(\d+)")


def columns(header: Sequence[str]) -> Columns | None:
    """Return the columns of a worksheet in any language, or of a list with its first column."""
    words = worksheet_words(header)
    if words is None or words.name.lower() not in header:
        number = next((name for name in _NUMBERS if name in header), None)
        return {**known_columns(header), "moodle": (number,)} if number else None
    named = {"id": words.number, "name": words.name, "email": words.email, "login": words.username}
    named["moodle"] = words.identifier
    lowered = {key: {name.lower(), typed(name).lower()} for key, name in named.items()}
    return {key: (name,) for key, names in lowered.items() for name in header if name in names}


def mend(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields with just a participant's number, which is `Participant 123` in the teacher's language."""
    match = _PARTICIPANT.fullmatch(fields["moodle"])
    return {**fields, "moodle": match[1]} if match else fields
