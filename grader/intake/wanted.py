"""What an assignment asks for of the submissions of a class."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from grader.intake.archive import Limits
from grader.intake.matching import Programs, Sought, sought_by
from grader.spec.assignment import Assignment
from grader.spec.intake_policy import DEFAULT_INTAKE, IntakePolicy


@dataclass(frozen=True)
class Wanted:
    """The files that an assignment asks for, where its times are local, and how it wants submissions taken in.

    See `Sought`.
    """

    programs: Programs
    zone: ZoneInfo
    provided: tuple[str, ...] = ()
    policy: IntakePolicy = DEFAULT_INTAKE

    @property
    def sought(self) -> Sought:
        """The files alone."""
        return Sought(self.programs, self.provided, self.policy)

    @property
    def names(self) -> tuple[str, ...]:
        """All names that files may have."""
        return self.sought.names

    @property
    def limits(self) -> Limits:
        """What may be unpacked of one student."""
        return Limits(self.policy.files, self.policy.total_bytes)


def wanted_by(assignment: Assignment) -> Wanted:
    """What `assignment` asks for."""
    sought = sought_by(assignment)
    return Wanted(sought.programs, assignment.zone, sought.provided, sought.policy)
