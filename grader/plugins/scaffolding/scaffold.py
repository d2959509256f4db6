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
_PROGRAM = re.compile(r"[A-Za-z_]\w*(\.\w+)", re.ASCII)
_SOURCES = {
    ".py": "program.py.txt",
    ".c": "program.c.txt",
    ".cc": "program.c.txt",
    ".cpp": "program.c.txt",
    ".cxx": "program.c.txt",
    ".java": "program.java.txt",
}
_LIMITS_OF_JAVA = """# A Java machine starts some 30 threads and sets aside memory for them.
limits: {memory_bytes: 2147483648, processes: 256}
"""


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
    named = _PROGRAM.fullmatch(program)
    if named is None or named[1] not in _SOURCES:
        known = "name a file such as game.py, game.c, game.cpp or Game.java with --program"
        raise ScaffoldError(f"`{program}` cannot be the program, there is no example of such a one: {known}.")
    specs = course / "test_specs" / assignment_id
    templates = {
        course / "reference" / program: _SOURCES[named[1]],
        specs / "tests" / f"{Path(program).stem}.yaml": "tests.yaml",
        specs / "assignment.yaml": "assignment.yaml",
    }
    _refuse_to_overwrite((specs, course / "reference" / program))
    limits = _LIMITS_OF_JAVA if named[1] == ".java" else ""
    names = {"id": assignment_id, "program": program, "stem": Path(program).stem}
    _write(templates, {**names, "due": due.isoformat(), "limits": limits})
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
            with file.open("x", encoding="utf-8") as new:
                new.write(Template(text).substitute(values))
