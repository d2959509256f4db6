"""Extensions: objects that installed distributions register as entry points.

A group, such as `grader.commands`, maps names to objects. This package's plugins are registered in its own
pyproject.toml, and other plugins in the metadata of their distributions; docs/reference/plugins.md lists the groups.

`importlib.metadata` reads the same files, but importing it takes a third of the time of `grader --help`.
"""

import sys
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import dataclass, is_dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar

from grader.errors import GraderError
from grader.installation import METADATA_NAME

COMMANDS = "grader.commands"
"""The group of commands: each object is a `click.Command`."""

CLUSTERS = "grader.clusters"
"""The group of clusters: each object is a `grader.grading.backend.ClusterKind`."""

PLATFORMS = "grader.platforms"
"""The group of learning platforms: each object is a `grader.platforms.platform.Platform`."""

CLASS_FILES = "grader.class_files"
"""The group of files about a class, by name without suffix: each object is a `grader.intake.class_file.ClassFile`."""

LATE_POLICIES = "grader.late_policies"
"""The group of late policies: each object is a dataclass that derives from `grader.model.policy.LatePolicy`."""

REPORT_FORMATS = "grader.report_formats"
"""The group of output formats for results: each object is a `grader.reports.printed_report.OutputFormat`."""

ROSTERS = "grader.rosters"
"""The group of student lists from other systems: each object is a `grader.class_files.roster.RosterForm`."""

RULES = "grader.rules"
"""The group of rules about code: each object is a dataclass that derives from a class in `grader.rules.code_rule`."""

CHECKS = "grader.checks"
"""The group of checks in `expect`: each object is a dataclass that derives from `judge.plugin_check.PrintedCheck`."""

CAUSES = "grader.causes"
"""The group of additional causes: each object is a `grader.judge.evidence.CauseFamily`."""

CALL_JUDGES = "grader.call_judges"
"""The group of function call judges: the object `calls` is a `grader.judge.calls.CallJudge`."""

ERROR_REPORTS = "grader.error_reports"
"""The group of memory report readers: the object `errors` is a `grader.judge.found_errors.ErrorReports`."""

TEST_KEYS = "grader.test_keys"
"""The group of additional keys of tests: each object is a class derived from `grader.spec.tests_file.TestEntry`."""

RECORDERS = "grader.recorders"
"""The group of recorders for `grader record`: `screen`, the function that plays a program that draws."""

SUBMISSION_STEPS = "grader.submission_steps"
"""The group of steps after grading, by option: each object is a `grader.grading.submission_step.SubmissionStep`."""

CLASS_STEPS = "grader.class_steps"
"""The group of steps with a whole class, by option: each object is a `grader.api.class_step.ClassStep`."""

HINTS = "grader.hints"
"""The group of searches for hints: each object is a `grader.selfcheck.hints.HintFinder`.

`KEY-WORD` searches for tests with `hints: {KEY: WORD}`, and a name without a word for every failed test.
"""

CREDIT = "grader.credit"
"""The group of credit after grading: the object `repair` is a `grader.grading.submission_step.CreditStep`."""

SCHEMAS = "grader.schemas"
"""The group of YAML files that people write, by name: each object is a class derived from `SpecModel`."""

LANGUAGES = "grader.languages"
"""The group of languages by file suffix: each object is a class derived from `grader.run.language.Language`."""

CLASS_EXTENSIONS = "grader.class_extensions"
"""The group of functions that complete a class's extensions, with the arguments of `extensions.completed`."""

STORES = "grader.stores"
"""The group of servers for stores: each object is a `grader.store.stored_rows.StoreServer`."""

VIEWS = "grader.views"
"""The group of views of results in Python: `results`, a `grader.model.result_view.ResultViews`."""

PAGES = "grader.pages"
"""The group of web pages about a class: the object `html` is a `grader.reports.html.writer.PageWriter`."""

SHORTEST = "grader.shortest"
"""The group of the search for `--shortest`: the object `sessions` is a `grader.cli.shortest.ShortestSearch`."""

RANDOM_SESSIONS = "grader.random_sessions"
"""The group of random sessions with a submission: the function `fuzz` compares it with the reference."""

_OWN = "grader."
_OWN_DISTRIBUTION, _ANY_DISTRIBUTION = f"{METADATA_NAME}-*", "*"

Kind = TypeVar("Kind")


class ExtensionError(GraderError):
    """An extension is missing, or its distribution is broken."""


@dataclass(frozen=True, kw_only=True)
class Extension:
    """A name in a group, the location of its object (`module:attribute`), and the distribution that registers it."""

    group: str
    name: str
    place: str
    distribution: str
    version: str

    @property
    def is_own(self) -> bool:
        """Return whether the object is in this package."""
        return self.place.startswith(_OWN)

    def load(self, kind: type[Kind]) -> Kind:
        """Import the object. Raises ExtensionError if that fails or the object is not an instance of `kind`."""
        module, _, attribute = self.place.partition(":")
        try:
            content = attrgetter(attribute)(import_module(module))
        except (Exception, SystemExit) as error:
            raise self.error(f"cannot be loaded: {type(error).__name__}: {error}") from error
        if not isinstance(content, kind):
            raise self.error(f"is of the type {type(content).__name__}; expected {kind.__name__}")
        return content

    def load_class(self, base: type[Kind]) -> type[Kind]:
        """Import a class that derives from `base`. Raises ExtensionError."""
        content: type[Any] = self.load(type)
        if not issubclass(content, base):
            raise self.error(f"is the class {content.__name__}; expected one that derives from {base.__name__}")
        return content

    def load_dataclass(self, base: type[Kind]) -> type[Kind]:
        """Import a dataclass that derives from `base` and has the same name as this extension.

        Raises ExtensionError.
        """
        content = self.load_class(base)
        if not is_dataclass(content):
            raise self.error(f"is the class {content.__name__}; expected a dataclass")
        if getattr(content, "name", None) != self.name:
            raise self.error(f"is a class without `name = {self.name!r}`")
        return content

    def error(self, fault: str) -> ExtensionError:
        """Return an error about a fault of this plugin, such as `cannot be loaded`."""
        source = f"The plugin `{self.name}` of {self.distribution} {self.version} ({self.place})"
        return ExtensionError(f"{source} {fault}. Upgrade or remove {self.distribution}.")


def extensions(group: str, distributions: str = _ANY_DISTRIBUTION) -> dict[str, Extension]:
    """Map each name in a group to its extension, in alphabetical order; this package's extensions take precedence."""
    items = [item for item in installed_extensions(distributions) if item.group == group]
    items.sort(key=lambda item: item.is_own)
    last = {item.name: item for item in items}
    return {name: last[name] for name in sorted(last)}


def find_extension(group: str, name: str) -> Extension | None:
    """Return the extension with this name.

    Other distributions' metadata is only read if this package does not have the extension.
    """
    return extensions(group, _OWN_DISTRIBUTION).get(name) or extensions(group).get(name)


def extension(group: str, name: str, request: str) -> Extension:
    """Return the extension that `request`, such as an option, requires. Raises ExtensionError if it does not exist."""
    item = find_extension(group, name)
    if item is None:
        listed = ", ".join(extensions(group)) or "none"
        raise ExtensionError(f"No plugin for {request} is installed; installed in {group}: {listed}.")
    return item


def is_other_plugin_loaded() -> bool:
    """Return whether a plugin from another distribution has been imported."""
    others = (item for item in installed_extensions(_ANY_DISTRIBUTION) if not item.is_own)
    return any(item.place.partition(":")[0] in sys.modules for item in others)


@dataclass(frozen=True)
class LoadedGroup(Generic[Kind]):
    """The objects of a group by name, starting with this package's, and an error for each that fails to load."""

    objects: Mapping[str, Kind]
    broken: tuple[ExtensionError, ...]


def load_group(group: str, kind: type[Kind]) -> LoadedGroup[Kind]:
    """Load all objects of a group."""
    objects: dict[str, Kind] = {}
    broken: list[ExtensionError] = []
    for item in sorted(extensions(group).values(), key=lambda item: not item.is_own):
        try:
            objects[item.name] = item.load(kind)
        except ExtensionError as error:
            broken.append(error)
    return LoadedGroup(objects, tuple(broken))


@cache
def installed_extensions(distributions: str = _ANY_DISTRIBUTION) -> tuple[Extension, ...]:
    """Return the extensions of distributions; if names are equal, the first on the import path wins."""
    first: dict[str, tuple[Extension, ...]] = {}
    for folder in dict.fromkeys(sys.path):
        for distribution, items in _in_folder(Path(folder or "."), distributions):
            first.setdefault(distribution, items)
    return tuple(item for items in first.values() for item in items)


def _in_folder(folder: Path, distributions: str) -> Iterator[tuple[str, tuple[Extension, ...]]]:
    """Yield the name of each distribution in a folder and its extensions."""
    for file in sorted(folder.glob(f"{distributions}.dist-info/entry_points.txt")):
        distribution, _, version = file.parent.name.removesuffix(".dist-info").partition("-")
        name = distribution.replace("_", "-")
        yield (
            name.lower(),
            tuple(
                Extension(group=group, name=word, place=place, distribution=name, version=version)
                for group, points in _groups_in(file).items()
                for word, place in points.items()
            ),
        )


def _groups_in(file: Path) -> dict[str, dict[str, str]]:
    """Map this program's groups in an entry points file to names and object paths; empty if the file is damaged."""
    parser = ConfigParser(delimiters="=", interpolation=None)
    parser.optionxform = str  # type: ignore[method-assign, assignment]
    try:
        text = file.read_text(encoding="utf-8")
        if f"[{_OWN}" in text:
            parser.read_string(text)
    except (OSError, ValueError, ConfigParserError):
        return {}
    return {group: dict(parser[group]) for group in parser.sections() if group.startswith(_OWN)}
