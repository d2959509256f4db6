"""Autograders to upload: this grader, one assignment of the course, and the scripts that a platform runs.

lib/                this program and the packages with plugins for it, with the metadata that register plugins
requirements.txt    the packages that it needs, in the versions installed here
course/             the assignment with its expected transcripts, and everything else that its tests need; no solution
"""

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from string import Template

import grader
from grader.extensions import installed_extensions
from grader.installation import DISTRIBUTION, METADATA_NAME
from grader.model.assignment import Assignment
from grader.model.test import Visibility
from grader.platforms.platform import ExportError

_PACKAGE = Path(grader.__file__).parent

_METADATA_FOLDER = f"{METADATA_NAME}-{grader.__version__}.dist-info"
_METADATA = ("METADATA", "entry_points.txt")

_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def grader_and_course(assignment: Assignment, course: Path) -> dict[str, bytes]:
    """Return the files above by their paths, for an assignment of the course in the folder `course`."""
    files = {
        f"lib/grader/{file.relative_to(_PACKAGE).as_posix()}": file.read_bytes()
        for file in sorted(_PACKAGE.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    for name in _METADATA:
        content = metadata.distribution(DISTRIBUTION).read_text(name) or ""
        files[f"lib/{_METADATA_FOLDER}/{name}"] = content.encode()
    files |= _files_of_plugins()
    files["requirements.txt"] = "".join(f"{line}\n" for line in _requirements()).encode()
    for folder in (assignment.folder, course / "checkers", course / "interactors"):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                files[f"course/{file.relative_to(course).as_posix()}"] = file.read_bytes()
    for module in assignment.provided:
        files[f"course/reference/{module.source.name}"] = module.source.read_bytes()
    return files


def _plugin_packages() -> set[str]:
    """Return the other distributions that register plugins, because the assignment may need one."""
    return {extension.distribution for extension in installed_extensions()} - {DISTRIBUTION}


def _files_of_plugins() -> dict[str, bytes]:
    files = [file for name in _plugin_packages() for file in metadata.files(name) or ()]
    return {
        f"lib/{file.as_posix()}": file.read_binary()
        for file in sorted(files)
        if not {"..", "__pycache__"} & {*file.parts}
        and (file.parent.suffix != ".dist-info" or file.name in _METADATA)
        and Path(file.locate()).is_file()
    }


def _requirements() -> Iterator[str]:
    """Yield every package that this program needs, directly or indirectly, in the installed version."""
    versions: dict[str, str] = {}
    waiting = [DISTRIBUTION, *_plugin_packages()]
    while waiting:
        for requirement in metadata.requires(waiting.pop()) or ():
            name = _REQUIREMENT.match(requirement)
            if name is None or "extra ==" in requirement or name[0] in {*versions, DISTRIBUTION}:
                continue
            try:
                versions[name[0]] = metadata.version(name[0])
            except metadata.PackageNotFoundError:
                # Only needed on other systems or by other versions of Python.
                continue
            waiting.append(name[0])
    yield from (
        f"{name}=={version}" for name, version in sorted(versions.items(), key=lambda package: package[0].lower())
    )


def check_no_hidden_tests(assignment: Assignment, where: str) -> None:
    """Raise ExportError if the assignment has hidden tests; `where` describes where students could read them."""
    hidden = [test.id for test in assignment.tests if test.visibility is Visibility.HIDDEN]
    if hidden:
        raise ExportError(
            f"{assignment.id} has {len(hidden)} hidden tests (such as {hidden[0]}), and students can read all {where}. "
            "Make an assignment with the public tests only, and run the hidden tests with `grader grade` on the clones."
        )


def filled_script(template: Path, values: dict[str, str]) -> bytes:
    """Fill the values into the file `template` in place of `%{name}`."""
    return _PercentTemplate(template.read_text(encoding="utf-8")).substitute(values).encode()


class _PercentTemplate(Template):
    """A template with `%{name}`, since `$` has a meaning in shells and make."""

    delimiter = "%"
