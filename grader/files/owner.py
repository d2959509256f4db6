"""Names the user who owns a file."""

from pathlib import Path
from pwd import getpwuid


def owner_of(path: Path) -> str:
    """Return the login of the owner, or the number of an owner without a login. Raises OSError."""
    number = path.stat().st_uid
    try:
        return getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
