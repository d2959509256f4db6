"""Autograders to upload: this grader, one assignment of the course, and the scripts that a platform runs.

lib/grader/         this program
requirements.txt    the packages it needs, in the versions that are installed here
course/             the assignment with its expected transcripts, provided modules and checkers; no solution
"""

import re
import shlex
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from string import Template

from grader.export.archive import tar_archive, zip_archive
from grader.export.exported import Export, ExportError
from grader.spec.assignment import Assignment, Visibility

_PACKAGE = Path(__file__).parents[1]
_TEMPLATES = Path(__file__).with_name("templates")
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def gradescope_autograder(assignment: Assignment, course: Path, sandbox: str) -> Export:
    """The zip that Gradescope takes as the autograder of a programming assignment."""
    files = {
        **_grader_and_course(assignment, course),
        "setup.sh": _script("gradescope_setup.sh", {}),
        "run_autograder": _script("gradescope_run", {"assignment": assignment.id, "sandbox": sandbox}),
    }
    return Export({"autograder.zip": zip_archive(files, executable=("setup.sh", "run_autograder"))})


def autolab_autograder(assignment: Assignment, course: Path, sandbox: str) -> Export:
    """The two files that Autolab runs.

    The one program of the assignment is handed in as it is; several, or one that may be in another language, as
    handin.tar.
    """
    names = [name for program in assignment.programs for name in program.names]
    handin = names[0] if len(names) == 1 else "handin.tar"
    unpack = "cp" if len(names) == 1 else "tar --no-same-owner -xf"
    where = "submission/" if len(names) == 1 else "-C submission"
    values = {
        "assignment": assignment.id,
        "sandbox": sandbox,
        "unpack": f"{unpack} {shlex.quote(handin)} {where}".replace("$", "$$"),
    }
    return Export(
        {
            "autograde-Makefile": _script("autolab_makefile", values),
            "autograde.tar": tar_archive(_grader_and_course(assignment, course)),
        }
    )


def classroom_autograder(assignment: Assignment, course: Path) -> Export:
    """A zip to unpack in the template repository of a GitHub Classroom assignment.

    Students can read their repository: raises ExportError when the assignment has hidden tests.
    """
    hidden = [test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN]
    if hidden:
        raise ExportError(
            f"{assignment.id} has {len(hidden)} hidden tests (such as {hidden[0]}), and students can read all of a "
            "repository of GitHub Classroom. Make an assignment with the public tests only, and run the hidden tests "
            "with `grader grade` on the clones."
        )
    files = {f".github/grader/{path}": content for path, content in _grader_and_course(assignment, course).items()}
    files[".github/workflows/classroom.yml"] = _script("classroom.yml", {"assignment": assignment.id})
    return Export({"classroom.zip": zip_archive(files)})


def _grader_and_course(assignment: Assignment, course: Path) -> dict[str, bytes]:
    files = {
        f"lib/grader/{file.relative_to(_PACKAGE).as_posix()}": file.read_bytes()
        for file in sorted(_PACKAGE.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    files["requirements.txt"] = "".join(f"{line}\n" for line in _requirements()).encode()
    for folder in (assignment.folder, course / "checkers"):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                files[f"course/{file.relative_to(course).as_posix()}"] = file.read_bytes()
    for module in assignment.provided:
        files[f"course/reference/{module.source.name}"] = module.source.read_bytes()
    return files


def _requirements() -> Iterator[str]:
    """Every package that this program needs, those that they need included, in the version that is installed."""
    found: dict[str, str] = {}
    waiting = ["grader"]
    while waiting:
        for requirement in metadata.requires(waiting.pop()) or ():
            name = _REQUIREMENT.match(requirement)
            if name is None or "extra ==" in requirement or name[0] in found:
                continue
            try:
                found[name[0]] = metadata.version(name[0])
            except metadata.PackageNotFoundError:
                # Needed on other systems or by other versions of Python only.
                continue
            waiting.append(name[0])
    yield from (f"{name}=={version}" for name, version in sorted(found.items(), key=lambda one: one[0].lower()))


def _script(name: str, values: dict[str, str]) -> bytes:
    return _Percent((_TEMPLATES / name).read_text(encoding="utf-8")).substitute(values).encode()


class _Percent(Template):
    """A template with `%{name}`, since `$` is the shell's and make's."""

    delimiter = "%"
