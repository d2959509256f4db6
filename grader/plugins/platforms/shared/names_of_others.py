"""Names of files in a flat download that look as if the file were another student's."""

import re
from collections.abc import Callable, Iterator, Sequence

Whose = Callable[[re.Match[str]], str]
"""Returns what tells students apart in the name of a file."""


def look_alike_notes(names: Sequence[re.Match[str]], whose: Whose) -> Iterator[str]:
    """Yield a note on each file that its student called as the platform calls a file of another student.

    The platform puts its words first, so the first student in the name is the owner.
    """
    students = {whose(match) for match in names}
    for match in names:
        inner = match.re.fullmatch(match["file"] or "")
        if inner and whose(inner) != whose(match) and whose(inner) in students:
            yield f"{match[0]} is taken for {whose(match)}'s: its student called it like a file of {whose(inner)}"
