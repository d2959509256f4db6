"""Finds the files that a checker or interactor may use, so that no other files are handed out.

These are the modules that it imports and the files mentioned in its strings, and likewise for each of these modules. A
string may name a file or its folder, or be a pattern such as `*.txt`. A package is included with all its files.
"""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from grader.checkers.ask import files_beside
from grader.model.interaction import PluginInteraction
from grader.model.test import Test
from grader.plugins.bundling.imports import imports_of

_IMPORTERS = frozenset({"importlib", "runpy"})
"""The modules with functions that take module names as strings."""


def reached_files(file: Path, test: Test) -> dict[Path, Path]:
    """Return the file of a checker or interactor and the files that it uses for a test, by relative path."""
    files_by_name = files_beside(file)
    reached: dict[Path, Path] = {}
    waiting = [Path(file.name), *_named(files_by_name, _options(test), frozenset())]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached[name] = files_by_name[name]
        if name.suffix == ".py":
            waiting += _named(files_by_name, *_names_in(files_by_name[name]))
    return reached


def _options(test: Test) -> frozenset[str]:
    """Return the options that a test gives to its checker and interactor."""
    options = test.checker.options if test.checker else ()
    if isinstance(test.interaction, PluginInteraction):
        options = (*options, *test.interaction.options)
    return frozenset(value for _, value in options)


def _names_in(file: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the strings in a module, and the names of modules that it may import."""
    imported = frozenset(imports_of(file))
    constants = (node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.Constant))
    texts = frozenset(node.value for node in constants if isinstance(node.value, str))
    return texts, imported | texts if imported & _IMPORTERS else imported


def _named(files_by_name: dict[Path, Path], texts: frozenset[str], modules: frozenset[str]) -> Iterator[Path]:
    """Return the files that these strings or module names refer to."""
    tops = {name.partition(".")[0] for name in modules}
    # Punctuation alone, such as an operator, is not a pattern.
    parts = {part for text in texts for part in PurePosixPath(text).parts if re.search(r"\w", part)}
    for name in files_by_name:
        is_module = name.parts[0] in tops or (name.parent == Path() and name.suffix == ".py" and name.stem in tops)
        if is_module or any(fnmatch(part, pattern) for part in name.parts for pattern in parts):
            yield name
