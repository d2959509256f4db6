"""Who a student is, as far as submissions or the roster tell."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Identity:
    """What marks can be given back by; None is not known.

    `id` is the school's number of the student (Gradescope's SID, Canvas's SIS User ID, Moodle's ID number), `login`
    the name of the account (also on GitHub), `moodle` the number of Moodle's participant, `canvas` that of Canvas's
    user.
    """

    name: str | None = None
    id: str | None = None
    email: str | None = None
    login: str | None = None
    moodle: str | None = None
    canvas: str | None = None

    def filled(self, other: "Identity") -> "Identity":
        """This identity; what it does not know is taken from `other`."""
        known = {field.name: getattr(self, field.name) or getattr(other, field.name) for field in fields(Identity)}
        return Identity(**known)


UNIDENTIFIED = Identity()
