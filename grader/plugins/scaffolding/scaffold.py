"""Makes the first files of a course and of an assignment. Existing files are never overwritten."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from string import Template

from grader.config.scalars import NAME, NAME_RULE
from grader.errors import GraderError, reported_as

_TEMPLATES = Path(__file__).parent / "templates"
_FOLDERS = ("test_specs", "reference", "submissions")
_PROGRAM = re.compile(r"[A-Za-z_]\w*\.py", re.ASCII)


class ScaffoldError(GraderError):
    """The files cannot be made, or already exist."""


def make_course(folder: Path) -> Iterator[Path]:
    """Make the folders of a course and its .gitignore; return the new paths. Raises ScaffoldError."""
    with reported_as(ScaffoldError, f"The course cannot be made in {folder}"):
        for name in _FOLDERS:
            if not (folder / name).is_dir():
                (folder / name).mkdir(parents=True)
                yield folder / name
        if not (folder / ".gitignore").exists():
            (folder / ".gitignore").write_bytes((_TEMPLATES / "gitignore").read_bytes())
            yield folder / ".gitignore"


def make_assignment(course: Path, assignment_id: str, program: str | None, due: date) -> tuple[Path, ...]:
    """Make an assignment with a small working program and tests for it, and return the files made.

    `program` is what students hand in, by default named like the assignment. Raises ScaffoldError.
    """
    if not NAME.fullmatch(assignment_id):
        raise ScaffoldError(f"`{assignment_id}` cannot be the id of an assignment; expected {NAME_RULE}.")
    program = program or _program_for(assignment_id)
    if not _PROGRAM.fullmatch(program):
        raise ScaffoldError(f"`{program}` cannot be imported by Python; name a file such as game.py with --program.")
    specs = course / "test_specs" / assignment_id
    templates = {
        course / "reference" / program: "program.py.txt",
        specs / "tests" / f"{Path(program).stem}.yaml": "tests.yaml",
        specs / "assignment.yaml": "assignment.yaml",
    }
    _refuse_to_overwrite((specs, course / "reference" / program))
    _write(templates, {"id": assignment_id, "program": program, "due": due.isoformat()})
    return tuple(templates)


def _program_for(assignment_id: str) -> str:
    name = re.sub(r"\W", "_", assignment_id, flags=re.ASCII).lower()
    return f"{name}.py" if not name[0].isdigit() else f"program_{name}.py"


def _refuse_to_overwrite(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.exists():
            raise ScaffoldError(f"{path} is there already; nothing was changed. Name another id or --program.")


def _write(templates: Mapping[Path, str], values: Mapping[str, str]) -> None:
    with reported_as(ScaffoldError, "The assignment cannot be made"):
        for file, template in templates.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            text = (_TEMPLATES / template).read_text(encoding="utf-8")
            filled = text if template == "program.py.txt" else Template(text).substitute(values)
            with file.open("x", encoding="utf-8") as new:
                new.write(filled)
