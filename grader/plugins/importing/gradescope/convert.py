"""Makes an assignment from an autograder: its test functions, with their weights and visibility."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePosixPath

from grader.config.yaml_writer import Writable
from grader.plugins.importing.course_draft import CourseDraft, ImportedAssignment, ImportingError, UniqueNames
from grader.plugins.importing.stated import StatedAssignment
from grader.plugins.importing.test_files import UNIT_TESTING, TestFile, TestFunction, read_files, student_module
from grader.plugins.importing.test_functions import TOLERANCE, Counted

_SUBMITTED = re.compile(r"/autograder/submission/(\S*?\.\w+)")
_START = "run_autograder"
_REQUIREMENTS = "requirements.txt"
_VISIBLE, _HIDDEN = "visible", "hidden"
_OTHER_DECORATORS = ("leaderboard", "partial_credit", "hide_errors")
_SCORES = ("leaderboard", "partial_credit")
"""The decorators of functions that can give partial points."""

_UNITS = ("gradescope-utils", "gradescope_utils", "pytest")
_PACKAGE = re.compile(r"[A-Za-z0-9][\w.-]*(?:==[\w.]+)?")


def import_gradescope(
    folder: Path, course: Path, *, name: str, due: date, solution: Path | None, program: str | None
) -> ImportedAssignment:
    """Make an assignment from the folder of an autograder; students hand in `program`. Raises ImportingError."""
    draft = CourseDraft(name, folder)
    home = _home(folder)
    paths = [path for path in sorted(home.rglob("*.py")) if "test" in path.name.lower() or path.parent.name == "tests"]
    files = [file for file in read_files(paths, home, draft) if any(True for _ in file.functions())]
    functions = [function for file in files for function in file.functions()]
    if not functions:
        raise ImportingError(f"{folder} has no test functions of unittest: methods test_… in classes.")
    scripts = "\n".join(_text(home / script) for script in (_START, "run_tests.py", "setup.sh"))
    handed_in = tuple(dict.fromkeys(_SUBMITTED.findall(scripts)))
    added: tuple[list[dict[str, Writable]], list[dict[str, Writable]]] = ([], [])
    _Functions(home=home, handed_in=handed_in, program=program, draft=draft).add(files, functions, added)
    packages = [*_packages(home, draft), *_packages_of_pytest(files, added[0])]
    public = sum(test.get("visibility") == "public" for test in added[0])
    undecorated = sum(function.decorator("visibility") is None for function in functions)
    if undecorated:
        draft.note(
            f"Tests that became public, with their input in bundles: {public} of {len(added[0])}; "
            f"test functions without `visibility`, which Gradescope shows: {undecorated} of {len(functions)}."
        )
    _note_modules(files, {str(test["program"]) for test in added[0]}, packages, draft)
    assignment = StatedAssignment(
        draft=draft,
        title=folder.name,
        due=due,
        programs={str(test["program"]): {} for test in added[0]},
        tests=added[0],
        groups=added[1],
        further_files=("*.py",),
        solution=solution,
        more={"packages": packages} if packages else {},
        defaults={"compare": {"relative_tolerance": TOLERANCE}},
    )
    return assignment.write(course)


def _home(folder: Path) -> Path:
    """Return the folder with run_autograder: `folder` itself, or the only subfolder that contains it."""
    starts = sorted(folder.rglob(_START), key=lambda path: (len(path.parts), path))
    places = [start.parent for start in starts if any(start.parent.rglob("*test*.py"))]
    if (folder / _START).is_file() or not places:
        return folder
    if len(places) > 1:
        names = ", ".join(place.relative_to(folder).as_posix() for place in places)
        raise ImportingError(f"{folder} holds several autograders; name one of these folders: {names}.")
    return places[0]


def _text(file: Path) -> str:
    return file.read_text("utf-8", "replace") if file.is_file() else ""


def _packages(home: Path, draft: CourseDraft) -> Iterator[str]:
    """Yield the packages of requirements.txt that programs may need."""
    for number, line in enumerate(_text(home / _REQUIREMENTS).splitlines(), 1):
        name = line.partition("#")[0].strip()
        if _PACKAGE.fullmatch(name) and not name.startswith(_UNITS):
            yield name
        elif name and not name.startswith(_UNITS):
            draft.note(f"{_REQUIREMENTS}: line {number}: `{name}` was not imported.")


def _packages_of_pytest(files: Sequence[TestFile], tests: Sequence[Mapping[str, Writable]]) -> Iterator[str]:
    """Yield the packages for running functions unchanged."""
    run_whole = {name for test in tests if "command" in test for name in _listed(test.get("files"))}
    if run_whole:
        yield "pytest"
    if any("gradescope_utils" in file.modules_at_top for file in files if file.name in run_whole):
        yield "gradescope-utils"


def _points(function: TestFunction) -> Decimal:
    """Return the weight of a function, or the maximum that it can set if it gives partial credit."""
    numbers = (function.decorator(name) for name in ("weight", "partial_credit"))
    return next((Decimal(str(number)) for number in numbers if type(number) in (int, float)), Decimal(0))


def _listed(value: object) -> Sequence[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _note_modules(files: Sequence[TestFile], programs: set[str], packages: Sequence[str], draft: CourseDraft) -> None:
    """Note the modules that tests import but programs here may not have."""
    available = {name.partition("==")[0] for name in packages} | {name.removesuffix(".py") for name in programs}
    for file in files:
        for module in (name.partition(".")[0] for name in file.modules):
            if module not in (*available, *UNIT_TESTING) and module not in sys.stdlib_module_names:
                draft.note(f"{file.name} imports {module}: name it in `packages`, or add it to `files`.")


@dataclass(frozen=True, kw_only=True)
class _Functions:
    """The test functions of an autograder as tests of the submitted files, as far as the files are known."""

    home: Path
    handed_in: Sequence[str]
    program: str | None
    draft: CourseDraft

    def add(
        self,
        files: Sequence[TestFile],
        functions: Sequence[TestFunction],
        added: tuple[list[dict[str, Writable]], list[dict[str, Writable]]],
    ) -> None:
        """Add a test for each assertion of each function, and note everything without an equivalent here."""
        has_weights = any(function.decorator("weight") is not None for function in functions)
        if not has_weights:
            self.draft.note("No test has a weight; here each has 1 point.")
        names = UniqueNames()
        programs = {file.name: self._program(file) for file in files}
        hidden = {item.file.name for item in functions if self._visibility(item) == _HIDDEN}
        for function in functions:
            program = programs[function.file.name]
            points = _points(function) if has_weights else Decimal(1)
            if program is None:
                why = "its file does not import the file that students hand in (--program)"
                self.draft.leave_out(f"{function.file.name}: the test {function.node.name}", points, why)
                continue
            number = function.decorator("number")
            counted = Counted(
                function=function,
                title=f"{number} {function.title}" if isinstance(number, str) else function.title,
                points=points,
                visibility=self._visibility(function),
                whole=self._whole(function, has_hidden=function.file.name in hidden),
            )
            if counted.add(program, names, added, self.draft):
                self._note_decorators(function)
        for name in sorted({name for test in added[0] if "command" in test for name in _listed(test.get("files"))}):
            self.draft.add_own(f"files/{name}", self.home / name)

    def _whole(self, function: TestFunction, *, has_hidden: bool) -> Mapping[str, Writable]:
        """Return the keys of a test that runs a function unchanged, or none if that would need the autograder.

        A bundle contains the files of public tests, so if a file also has hidden functions, its tests are hidden.
        """
        file = function.file
        text = _text(file.path)
        if "/autograder" in text or any(function.decorator(name) for name in _SCORES):
            return {}
        files = [path.relative_to(self.home).as_posix() for path in sorted(self.home.rglob("*")) if path.is_file()]
        helpers = [name for name in files if name != file.name and self._is_used(name, file, text)]
        keys: dict[str, Writable] = {"command": function.command, "files": [file.name, *helpers]}
        return {**keys, "visibility": _HIDDEN} if has_hidden else keys

    def _is_used(self, name: str, file: TestFile, text: str) -> bool:
        """Return whether a test file imports a module of the autograder, or mentions one of its files."""
        path = PurePosixPath(name)
        if path.name in (*self.handed_in, self.program, _START):
            return False
        if path.suffix == ".py":
            folder = PurePosixPath(file.name).parent
            is_module = path.stem in file.modules_at_top and path.parent in (PurePosixPath("."), folder)
            return is_module or (path.stem == "__init__" and path.parent == folder)
        return path.name in text

    def _program(self, file: TestFile) -> str | None:
        """Return the file that the tests of a file are about."""
        name = self.program or student_module([file], self.home, self.handed_in)
        if name is not None and name not in (self.program, *self.handed_in) and self._is_helper(name, file):
            return None
        if name is not None and (self.home / name).is_file() and self.program is None:
            self.draft.note(f"{name}: students hand it in; the one beside the tests was not imported (--solution).")
        return None if name is None else PurePosixPath(name).name

    def _is_helper(self, name: str, file: TestFile) -> bool:
        """Return whether a module is among the tests, so that students do not hand it in."""
        folder = file.path.parent
        return folder != self.home and (folder / name).is_file()

    def _visibility(self, function: TestFunction) -> str:
        """Return a test's visibility, `public` or `hidden`. Tests that are only revealed later become hidden."""
        visibility = function.decorator("visibility")
        if visibility not in (None, _VISIBLE, _HIDDEN):
            self.draft.note(f"Tests with the visibility `{visibility}` are hidden: students see them in reports alone.")
        return "public" if visibility in (None, _VISIBLE) else "hidden"

    def _note_decorators(self, function: TestFunction) -> None:
        for name in _OTHER_DECORATORS:
            if function.decorator(name) is not None:
                place = f"{function.file.name}: line {function.node.lineno}"
                self.draft.note(f"{place}: `{name}` of the test {function.node.name} was not imported.")
