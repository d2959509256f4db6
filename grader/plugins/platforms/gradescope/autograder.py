"""Autograding on Gradescope: the zip to upload, and a submission's metadata there.

See its "Autograder Specifications" and "Submission Metadata".
"""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.model.assignment import Assignment
from grader.model.python_request import PythonRequest
from grader.platforms.platform import ExportedFiles, ExportError, SubmissionMetadata
from grader.plugins.platforms.shared.archives import zip_archive
from grader.plugins.platforms.shared.autograder_files import filled_script, grader_and_course

_TEMPLATES = Path(__file__).with_name("templates")


def gradescope_autograder(assignment: Assignment, course: Path, sandbox: str) -> ExportedFiles:
    """Make the zip that Gradescope accepts as the autograder of a programming assignment."""
    files = {
        **grader_and_course(assignment, course),
        "setup.sh": filled_script(_TEMPLATES / "setup.sh", {"prepare": _install_commands(assignment.python)}),
        "run_autograder": filled_script(
            _TEMPLATES / "run_autograder", {"assignment": assignment.id, "sandbox": sandbox}
        ),
    }
    return ExportedFiles({"autograder.zip": zip_archive(files, executable=("setup.sh", "run_autograder"))})


def _install_commands(request: PythonRequest) -> str:
    """Return the commands that install the assignment's Python and packages in the image."""
    commands = []
    if request.version is not None:
        get = (
            f'"$root/venv/bin/python" -m pip --quiet install uv && "$root/venv/bin/uv" python install {request.version}'
        )
        commands.append(f"command -v python{request.version} >/dev/null || {{ {get}; }}")
    if request.packages:
        doctor = 'PYTHONPATH="$root/source/lib" "$root/venv/bin/python" -P -m grader doctor --install'
        # It also fails without a sandbox, which need not be requested.
        commands.append(f'(cd "$root/source/course" && {doctor}) || true')
    return "".join(f"        {command}\n" for command in commands)


def read_metadata(file: Path) -> SubmissionMetadata:
    """Read the students and the time, in whole seconds, in a submission_metadata.json.

    Raises ExportError if the file has no such data.
    """
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        names = ", ".join(str(user["name"]) for user in content["users"])
        submitted = datetime.fromisoformat(content["created_at"]).replace(microsecond=0)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExportError(f"{file} cannot be read as Gradescope's metadata: {error!r}") from None
    if submitted.tzinfo is None:
        raise ExportError(f"{file}: `created_at` has no time zone: {submitted}")
    return SubmissionMetadata(names, submitted, _extended_due_date(content))


def _extended_due_date(content: Mapping[str, Any]) -> datetime | None:
    """Return the latest due date of the students if it is later than the assignment's due date.

    Gradescope states it under `users[].assignment`, where extensions are included.
    """
    general = _due_date(content)
    dates = [due for user in content["users"] if (due := _due_date(user)) is not None]
    return max(dates) if dates and general is not None and max(dates) > general else None


def _due_date(content: Mapping[str, Any]) -> datetime | None:
    try:
        due = datetime.fromisoformat(content["assignment"]["due_date"])
    except (ValueError, KeyError, TypeError):
        return None
    return due if due.tzinfo else None
