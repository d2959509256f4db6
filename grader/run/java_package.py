"""Builds and runs Java programs whose files name a package but are not in its folder, as uploads from IDEs are not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from grader.model.program import BuildCommands, CallBuild, CallLanguage
from grader.model.test import Test
from grader.run.interface import SubmissionFiles

_SUFFIX = ".java"


_PACKAGE = re.compile(
    r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*+\*/)*+package\s+(?P<package>[^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*;"
)


_MOST_READ = 100_000


def with_packages(test: Test, files: SubmissionFiles) -> Test:
    """Return the test with the commands that the packages of the submission's files call for."""
    recipe = test.recipe
    if recipe is None or recipe.calls is None or recipe.calls.language is not CallLanguage.JAVA:
        return test
    packages = {name: _package_of(path) for path, name in files if name.endswith(_SUFFIX)}
    program = recipe.calls.file
    package = packages.get(program, "")
    others = [name for name in _misplaced(packages, PurePath(program).parent) if name != program]
    if not package and not others:
        return test
    return replace(test, recipe=_commands(recipe, recipe.calls, package, others))


def _commands(recipe: BuildCommands, calls: CallBuild, package: str, others: Sequence[str]) -> BuildCommands:
    flags = (*calls.flags, *others)
    *run, name = recipe.run
    return replace(
        recipe,
        build=(calls.compiler, "-d", ".", *flags, calls.file),
        run=(*run, f"{package}.{name}" if package else name),
        calls=replace(calls, flags=flags, package=package),
    )


def _misplaced(packages: dict[str, str], beside: PurePath) -> Iterator[str]:
    """Yield the files that javac does not find by itself, each class once; of copies, the one `beside` the program."""
    classes = set()
    for name in sorted(packages, key=lambda name: (PurePath(name).parent != beside, name)):
        path, package = PurePath(name), packages[name]
        identity = (package, path.stem)
        if package and path.parent != PurePath(*package.split(".")) and identity not in classes:
            classes.add(identity)
            yield name


def _package_of(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        match = _PACKAGE.match(file.read(_MOST_READ))
    return match["package"] if match else ""
