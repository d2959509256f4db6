"""The results of random sessions for a class, which the search for differences writes to fuzz/ID.json.

The file identifies submissions by content, so it stays valid until students submit something else.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import reported_as
from grader.reports.write import ReportError, private_folder

FORMAT = 1


@dataclass(frozen=True)
class ProbedSubmissions:
    """The number of sessions played, and whether each submission (by digest) ever differed from the reference."""

    sessions: int
    differs: Mapping[str, bool]


def probing_file(reports: Path, assignment_id: str) -> Path:
    """Return the path of the results for an assignment."""
    return reports / "fuzz" / f"{assignment_id}.json"


def write_probing(file: Path, probed: ProbedSubmissions) -> None:
    """Write the results. Raises ReportError if that fails."""
    content = {"format": FORMAT, "sessions": probed.sessions, "differs": dict(sorted(probed.differs.items()))}
    with reported_as(ReportError, f"{file} cannot be written"):
        private_folder(file.parent)
        file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read_probing(file: Path) -> ProbedSubmissions | None:
    """Return the results, or None if the file does not exist. Raises ReportError if they cannot be read."""
    try:
        content = json.loads(file.read_bytes())
        if content["format"] != FORMAT:
            raise ReportError(
                f"{file} is of format {content['format']}; expected {FORMAT}. Remove the file, or search again."
            )
        return ProbedSubmissions(
            int(content["sessions"]), {str(key): bool(is_different) for key, is_different in content["differs"].items()}
        )
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ReportError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ReportError(f"{file} cannot be read. Remove it, or search again.") from None
