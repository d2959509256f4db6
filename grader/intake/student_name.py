"""What a student is called who is in a roster."""

from grader.intake.identity import Identity


def student_name(identity: Identity) -> str:
    """The school's id of a student, or else the login, the email or the name; empty when there is none."""
    return identity.id or identity.login or identity.email or identity.name or ""
