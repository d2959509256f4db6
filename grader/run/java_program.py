"""Builds and runs Java programs as their sources ask for.

A file may name a package without being in its folder, as uploads from IDEs do, and have `main` in a class of any name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from grader.model.program import BuildCommands, CallBuild, CallLanguage
from grader.model.test import Test
from grader.run.interface import SubmissionFiles

_SUFFIX = ".java"


# What has no end goes on to the end of the line or file, so that this takes linear time.
_SKIPPED = re.compile(
    r"//[^\n]*|/\*(?s:.*?\*/|.*)|\"\"\"(?s:(?:\\.|[^\\])*?\"\"\"|.*)"
    r'|"(?:\\.|[^"\\\n])*+"?'
    r"|'(?:\\.|[^'\\\n])*+'?"
)


_PACKAGE = re.compile(r"\s*package\s+(?P<package>[^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*;")


_PART = re.compile(r"(?P<brace>[{}])|\b(?:class|interface|enum|record)\s+(?P<type>[\w$]+)|\bvoid\s+(?P<main>main)\s*\(")


_MOST_READ = 100_000


@dataclass(frozen=True)
class _Source:
    """The package that a file names, or "", and the types at its top that have a method `main`."""

    package: str
    types_with_main: tuple[str, ...]


def as_source_asks(test: Test, files: SubmissionFiles) -> Test:
    """Return the test with the commands that the packages and classes of the submission's files call for.

    The class of the file's name is run if it has a `main` or several others have; a single other one is run in place.
    """
    recipe = test.recipe
    if recipe is None or recipe.calls is None or recipe.calls.language is not CallLanguage.JAVA:
        return test
    sources = {name: _read(path) for path, name in files if name.endswith(_SUFFIX)}
    program = recipe.calls.file
    source = sources.get(program, _Source("", ()))
    *run, usual = recipe.run
    with_main = source.types_with_main
    main = with_main[0] if len(with_main) == 1 else usual
    packages = {name: source.package for name, source in sources.items()}
    others = [name for name in _misplaced(packages, PurePath(program).parent) if name != program]
    if source.package or others:
        recipe = _with_packages(recipe, recipe.calls, source.package, others)
    run_type = f"{source.package}.{main}" if source.package else main
    return replace(test, recipe=replace(recipe, run=(*run, run_type)))


def _with_packages(recipe: BuildCommands, calls: CallBuild, package: str, others: Sequence[str]) -> BuildCommands:
    flags = (*calls.flags, *others)
    return replace(
        recipe,
        build=(calls.compiler, "-d", ".", *flags, calls.file),
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


def _read(path: Path) -> _Source:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        text = _SKIPPED.sub(" ", file.read(_MOST_READ))
    match = _PACKAGE.match(text)
    return _Source(match["package"] if match else "", tuple(dict.fromkeys(_types_with_main(text))))


def _types_with_main(text: str) -> Iterator[str]:
    depth, name = 0, ""
    for part in _PART.finditer(text):
        match part.lastgroup:
            case "brace":
                depth += 1 if part["brace"] == "{" else -1
            case "type" if depth == 0:
                name = part["type"]
            case "main" if depth == 1:
                yield name
