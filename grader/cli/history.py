"""`grader history`: the marks that a student was given, from the audit log."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.config.scalars import composed
from grader.errors import nearest
from grader.reports.audit_log import FILE_NAME, REPORTS, LogEntry, read_entries
from grader.spec.course_folder import course_folder_for
from grader.text.escape import escape_controls

_DIGITS = 12


def run_history(student: str, assignment: str | None, course: Path | None, reports: Path | None) -> int:
    """Print the entries about `student`, oldest first; returns 1 when there is none."""
    console = Console(highlight=False)
    file = (reports or course_folder_for(course, Path.cwd()) / "reports") / FILE_NAME
    entries = [entry for entry in read_entries(file) if assignment in (None, entry.assignment)]
    own = [entry for entry in entries if composed(entry.student) == composed(student)]
    if not own:
        hint = nearest(student, {entry.student for entry in entries})
        console.print(Text(escape_controls(f"{file} says nothing about {student}{hint}")), soft_wrap=True)
        return 1
    for entry in own:
        console.print(Text(escape_controls(_words(entry))), soft_wrap=True)
    return 0


def _words(entry: LogEntry) -> str:
    mark = "excused" if entry.excused else "no mark" if entry.mark is None else f"mark {entry.mark}"
    decided = ", decided by a person" if entry.overridden else ""
    to = "" if entry.to == REPORTS else f", to {entry.to}"
    spec = entry.spec[:_DIGITS] if entry.spec else "unknown"
    return (
        f"{entry.at}  {entry.assignment}: {mark} ({entry.points} points{decided}); "
        f"submission {entry.submission[:_DIGITS]}, tests {spec}, grader {entry.harness}, run {entry.run}{to}"
    )
