"""Finds the packages that Java files declare, and their types with a method `main`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

# An unterminated token extends to the end of the line or file, so that this takes linear time.
_SKIPPED = re.compile(
    r"//[^\n]*|/\*(?s:.*?\*/|.*)|\"\"\"(?s:(?:\\.|[^\\])*?\"\"\"|.*)"
    r'|"(?:\\.|[^"\\\n])*+"?'
    r"|'(?:\\.|[^'\\\n])*+'?"
)
_PACKAGE = re.compile(r"\s*package\s+(?P<package>[^\W\d]\w*(?:\.[^\W\d]\w*)*)\s*;")
_PART = re.compile(r"(?P<brace>[{}])|\b(?:class|interface|enum|record)\s+(?P<type>[\w$]+)|\bvoid\s+(?P<main>main)\s*\(")
_MAX_READ = 100_000


@dataclass(frozen=True)
class JavaSource:
    """The package that a file declares, or "", and its top-level types with a method `main`."""

    package: str
    types_with_main: tuple[str, ...]


def misplaced(packages: dict[str, str], beside: PurePath) -> Iterator[str]:
    """Yield the files that javac does not find, one per class: among copies, the one `beside` the program."""
    classes = set()
    for name in sorted(packages, key=lambda name: (PurePath(name).parent != beside, name)):
        path, package = PurePath(name), packages[name]
        identity = (package, path.stem)
        if package and path.parent != PurePath(*package.split(".")) and identity not in classes:
            classes.add(identity)
            yield name


def read_java(path: Path) -> JavaSource:
    """Read the beginning of a file."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        text = _SKIPPED.sub(" ", file.read(_MAX_READ))
    match = _PACKAGE.match(text)
    return JavaSource(match["package"] if match else "", tuple(dict.fromkeys(_types_with_main(text))))


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
