"""Makes the first files of a course and of an assignment. Existing files are never overwritten."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
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
_MARKS = 10
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


def make_assignment(course: Path, assignment_id: str, programs: Sequence[str], due: date) -> tuple[Path, ...]:
    """Make an assignment with small working programs and their tests, and return the new files.

    `programs` are the files that students hand in, by default a file named like the assignment. Raises ScaffoldError.
    """
    if not NAME.fullmatch(assignment_id):
        raise ScaffoldError(f"`{assignment_id}` cannot be the id of an assignment; expected {NAME_RULE}.")
    specs, references = course / "test_specs" / assignment_id, course / "reference"
    entries = [_Entry.of(program, programs) for program in programs or (_program_for(assignment_id),)]
    _refuse_repeated([entry.tests for entry in entries])
    _refuse_to_overwrite((specs, *(references / entry.program for entry in entries)))
    for entry in entries:
        files = {references / entry.program: entry.source, specs / "tests" / f"{entry.tests}.yaml": "tests.yaml"}
        _write(files, {"program": entry.program, "stem": entry.tests, "prefix": entry.prefix})
    needs_java = any(entry.program.endswith(".java") for entry in entries)
    values = {
        "id": assignment_id,
        "files": "".join(f"  - file: {entry.program}\n" for entry in entries),
        "program": entries[0].program,
        "marks": str(_MARKS * len(entries)),
        "due": due.isoformat(),
        "limits": _LIMITS_OF_JAVA if needs_java else "",
    }
    _write({specs / "assignment.yaml": "assignment.yaml"}, values)
    paths = [(references / entry.program, specs / "tests" / f"{entry.tests}.yaml") for entry in entries]
    return (*chain.from_iterable(paths), specs / "assignment.yaml")


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """A program with the template of its source, the name of its tests file, and the beginning of the tests' ids."""

    program: str
    source: str
    tests: str
    prefix: str

    @classmethod
    def of(cls, program: str, programs: Sequence[str]) -> "_Entry":
        """Return the entry of one of several programs. Raises ScaffoldError."""
        named = _PROGRAM.fullmatch(program)
        if named is None or named[1] not in _SOURCES:
            advice = "name a file such as game.py, game.c, game.cpp or Game.java with --program"
            raise ScaffoldError(f"`{program}` cannot be the program, there is no example of such a one: {advice}.")
        stem = Path(program).stem
        prefix = f"{stem}-" if len(programs) > 1 else ""
        return cls(program=program, source=_SOURCES[named[1]], tests=stem, prefix=prefix)


def _program_for(assignment_id: str) -> str:
    name = re.sub(r"\W", "_", assignment_id, flags=re.ASCII).lower()
    return f"{name}.py" if not name[0].isdigit() else f"program_{name}.py"


def _refuse_repeated(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ScaffoldError(f"Two programs cannot have the same name, `{name}`; nothing was changed.")


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
