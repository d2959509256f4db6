"""Identifies the origin of results: the grader's source, packages and interpreter, and an assignment's tests."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from grader.files.digest import UntraceableError, digest, file_digest, folder_digest
from grader.model.interaction import Dialogue, Interaction, PluginInteraction
from grader.model.program import BuildCommands, RunWatch
from grader.model.test import CheckerSettings
from grader.run.language import language_at

_PACKAGES_IN_SESSIONS = ("pexpect-", "ptyprocess-")


def harness_identity(*settings: str) -> str:
    """Return the digest of everything that runs programs: source, packages, interpreter, and `settings`."""
    package = Path(__file__).parents[1]
    source = [folder_digest(package / "run"), file_digest(package / "model" / "outcome.py")]
    packages = [name for name in installed_packages() if name.startswith(_PACKAGES_IN_SESSIONS)]
    return digest([source, packages, interpreter_identity(), settings])


@cache
def grader_source() -> str:
    """Return the digest of the grader's source when this process first read it. Raises UntraceableError."""
    return folder_digest(Path(__file__).parents[1])


def language_identity(recipe: BuildCommands | None) -> str | None:
    """Return the digest of the plugin whose commands build and run a program, or None without a plugin."""
    if recipe is None or recipe.language is None:
        return None
    return _plugin_digest(type(language_at(recipe.language.place)).__module__)


def plugin_identity(part: Interaction | RunWatch | None) -> str | None:
    """Return the digest of the plugin that defines a part of a test, or None if the core defines it."""
    return _plugin_digest(type(part).__module__) if _is_of_plugin(part) else None


def _is_of_plugin(part: Interaction | RunWatch | None) -> bool:
    return isinstance(part, PluginInteraction | RunWatch) or (isinstance(part, Dialogue) and type(part) is not Dialogue)


@cache
def _plugin_digest(module: str) -> str:
    file = Path(str(sys.modules[module].__file__))
    return folder_digest(file.parent) if (file.parent / "__init__.py").is_file() else file_digest(file)


def run_identity(harness: str, python: Sequence[object]) -> str:
    """Return the digest of `harness` and of the Python that an assignment requests, if any."""
    return digest([harness, list(python)]) if python else harness


def checker_identity(checker: CheckerSettings) -> str | None:
    """Return a checker's digest, which covers its source, its folder, its protocol and options, and the interpreter.

    Return None if there are links, whose content cannot be traced.
    """
    try:
        protocol = folder_digest(Path(__file__).parents[1] / "checkers")
        source = folder_digest(checker.file.parent)
    except UntraceableError:
        return None
    return digest([protocol, source, checker.name, checker.options, interpreter_identity()])


def interpreter_identity() -> list[str | int]:
    """Return what identifies the Python that runs the grader, and the programs unless another Python is requested."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    status = executable.stat()
    return [str(executable), sys.version, status.st_size, status.st_mtime_ns]


def installed_packages() -> list[str]:
    """Return the name and version of every installed package, such as `rich-15.0.0.dist-info`, sorted."""
    names: set[str] = set()
    for folder in map(Path, sys.path):
        if folder.name in ("site-packages", "dist-packages") and os.path.isdir(folder):
            names.update(entry.name for entry in folder.iterdir() if entry.name.endswith(".dist-info"))
    return sorted(names)
