"""A decision that was not written, because the value in its file has changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from grader.plugins.web.serve.editing.decisions import Decided, fields_of_value
from grader.reports.decision_log import AuditEntry, LoggedDecision


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """A decision of this kind, its subject in words, the values wanted and found, and the change in between.

    `change` is None if the file was changed by hand, not by a marker.
    """

    kind: str
    subject: str
    values: tuple[Decided, Decided]
    change: LoggedDecision | None

    def at(self, zone: tzinfo) -> str:
        """Return the time of the change in readable form, or an empty string if it is unknown."""
        if self.change is None:
            return ""
        return f"{datetime.fromisoformat(self.change.at).astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"


def last_change(log: Iterable[AuditEntry], decision: LoggedDecision, current: Decided) -> LoggedDecision | None:
    """Return the newest entry about the same subject if it set the `current` value. `log` begins with the oldest."""
    subject = decision.assignment, decision.students, decision.what, decision.key
    entries = [
        entry
        for entry in log
        if isinstance(entry, LoggedDecision) and (entry.assignment, entry.students, entry.what, entry.key) == subject
    ]
    return entries[-1] if entries and entries[-1].after == fields_of_value(current) else None
