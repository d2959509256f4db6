"""Makes bundles: a folder that can be run or installed, or a single file that can be run.

A bundle contains the modules of the grader that its entry imports, directly or indirectly.

pyproject.toml, README.md      of a folder only
__main__.py                    python3 BUNDLE FILE
grader_check/__init__.py       the same as a package
grader_check/lib/              the modules of the grader, and the packages that these import
grader_check/data/             see `content`
"""

import json
import shutil
import sys
import tempfile
import zipapp
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackagePath, distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from grader.errors import GraderError, reported_as
from grader.expected.rationale import RuleReasons
from grader.expected.transcripts import load_transcripts, reasons_file, side_output_files, wanted
from grader.extensions import CALL_JUDGES, CAUSES, ERROR_REPORTS, HINTS, Extension, extensions
from grader.judge.seal import seal
from grader.model.assignment import Assignment
from grader.model.codec import to_json
from grader.model.expectation import OutputChecks, PluginCheck
from grader.model.interaction import PluginInteraction, is_game
from grader.model.program import BuildCommands, NotWatched
from grader.model.test import Test, judging_files
from grader.plugins.bundling.content import (
    CONTENT,
    ENTRY_POINTS,
    EXPECTED,
    FILES,
    PROVIDED,
    SEALS,
    BundleContent,
    BundleSeals,
    SealedTranscript,
)
from grader.plugins.bundling.explain import DOCUMENTS
from grader.plugins.bundling.imports import imports_of
from grader.plugins.bundling.public_content import expected_names, public_content
from grader.plugins.bundling.reached_files import reached_files
from grader.run.function.call import calling_scripts
from grader.run.language import OF_COMMANDS, language_at
from grader.run.plugin_session import PluginDialogue
from grader.text.language import CATALOGUES

PACKAGE = "grader"
_JUDGING = CAUSES, CALL_JUDGES, ERROR_REPORTS
_PACKAGE = "grader_check"
_ENTRY = "grader.plugins.bundling.entry"
# Read as text, not imported.
_BESIDE = (
    *(f"grader/{file}" for file in CATALOGUES),
    *(f"grader/run/function/calling/{name}" for name in calling_scripts()),
)
PACKAGES = ("deepdiff", "orderly_set", "pexpect", "ptyprocess", "rich")
"""The third-party packages that a self-check needs. None of them has compiled modules or needs further packages for the
parts used here, except `cachebox`, which a bundle replaces with a few equivalent lines.
"""


def modules_behind(entries: Iterable[str]) -> dict[str, Path]:
    """Map the names of modules to their files: `entries`, and all modules that they import from the same packages."""
    modules: dict[str, Path] = {}
    waiting = list(entries)
    packages = {_top_package(name) for name in waiting}
    while waiting:
        name = waiting.pop()
        file = _module_file(name) if _top_package(name) in packages else None
        if name in modules or file is None:
            continue
        modules[name] = file
        parent = name.rpartition(".")[0]
        waiting += [parent, *imports_of(file, name if file.name == "__init__.py" else parent)]
    return modules


def _top_package(name: str) -> str:
    return name.partition(".")[0]


def _module_file(name: str) -> Path | None:
    """Return the file of the module with this name, or None if it does not exist."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin else None


class BundleError(GraderError):
    """A bundle cannot be made."""


@dataclass(frozen=True)
class BundleFile:
    """A finished bundle: its path, the tests in it, and the public tests that were left out."""

    path: Path
    tests: tuple[Test, ...]
    left_out: int


def make_file(assignment: Assignment, file: Path, *, checkers: bool = False, interactors: bool = False) -> BundleFile:
    """Make a single-file bundle, with the `checkers` and `interactors` of public tests, or without these tests.

    Raises BundleError, also if `file` is a bundle of another assignment.
    """
    with suppress(OSError, ValueError, BadZipFile, KeyError), ZipFile(file) as older:
        _refuse_other(assignment, file, older.read(f"{_PACKAGE}/data/{CONTENT}"))
    with tempfile.TemporaryDirectory(prefix="grader-") as name:
        folder = Path(name) / "bundle"
        content = _write(assignment, folder, checkers=checkers, interactors=interactors)
        with reported_as(BundleError, f"The bundle cannot be written to {file}"):
            zipapp.create_archive(folder, file, interpreter="/usr/bin/env python3", compressed=True)
    return _finished_bundle(assignment, content, file)


def make_folder(
    assignment: Assignment, folder: Path, *, checkers: bool = False, interactors: bool = False
) -> BundleFile:
    """Make a bundle as a folder, replacing an older one; see `make_file`."""
    if folder.exists() and not (folder / _PACKAGE).is_dir():
        raise BundleError(f"{folder} is there already, and is no bundle; expected a new name for it.")
    with suppress(OSError, ValueError):
        _refuse_other(assignment, folder, (folder / _PACKAGE / "data" / CONTENT).read_bytes())
    with reported_as(BundleError, f"The bundle cannot be written to {folder}"):
        if folder.exists():
            shutil.rmtree(folder)
        content = _write(assignment, folder, checkers=checkers, interactors=interactors)
        for name, text in _installation_files(content).items():
            (folder / name).write_text(text, encoding="utf-8")
    return _finished_bundle(assignment, content, folder)


def _refuse_other(assignment: Assignment, path: Path, content: bytes) -> None:
    """Raise BundleError if an older bundle, with this content, is for another assignment."""
    older = json.loads(content).get("id")
    if older != assignment.id:
        raise BundleError(
            f"{path} is the self-check of {older}; choose another name with --output, or delete it first."
        )


def _finished_bundle(assignment: Assignment, content: BundleContent, path: Path) -> BundleFile:
    public = [test for test in assignment.tests if test.visibility is content.tests[0].visibility]
    return BundleFile(path, content.tests, len(public) - len(content.tests))


def _write(assignment: Assignment, folder: Path, *, checkers: bool, interactors: bool) -> BundleContent:
    content = public_content(assignment, checkers=checkers, interactors=interactors)
    if not content.tests:
        hint = _hint(assignment, checkers=checkers, interactors=interactors)
        more = "more: `grader docs self-check`"
        raise BundleError(f"{assignment.id} has no public test that students could run{hint}; {more}.")
    package = folder / _PACKAGE
    for name, data in {**_harness(content), **data_files(assignment, content)}.items():
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    for name in ("__init__.py", "__main__.py"):
        shutil.copy(str(files("grader.plugins.bundling") / "templates" / f"{name}.txt"), package / name)
    shutil.copy(package / "__main__.py", folder)
    return content


def _hint(assignment: Assignment, *, checkers: bool, interactors: bool) -> str:
    """List the options that would make more tests public."""
    left_out = []
    if not checkers and any(test.checker for test in assignment.tests):
        left_out.append(("a checker", "--checkers"))
    if not interactors and any(is_game(test.interaction) for test in assignment.tests):
        left_out.append(("an interactor", "--interactors"))
    if not left_out:
        return ""
    kinds, options = zip(*left_out, strict=True)
    return f" without {' or '.join(kinds)}; {', '.join(options)} would hand these out too"


def _harness(content: BundleContent) -> dict[str, bytes]:
    """Return the modules by their names in the package, including modules for plugins, checkers and interactors."""
    recipes = [test.recipe for test in content.tests]
    recipes += [interaction.recipe for program in content.programs for interaction in program.alternatives]
    places = {place for recipe in recipes if recipe for place in _places_of(recipe)}
    places |= {rule.check for rule in content.rules} | {place for test in content.tests for place in _checks_of(test)}
    places |= {item.place for item in (*_judge_extensions(), *_hints(content))}
    plugins = {place.partition(":")[0] for place in places}
    entries = [_ENTRY, *sorted(plugins)]
    if any(test.checker for test in content.tests):
        entries.append("grader.checkers.child")
    interactions = [test.interaction for test in content.tests]
    for interaction in interactions:
        if isinstance(interaction, PluginInteraction | PluginDialogue):
            entries += (type(interaction).__module__, *interaction.carried)
    modules = modules_behind(entries)
    _refuse_uncarried(modules)
    module_files = {}
    for name, file in modules.items():
        path = name.replace(".", "/")
        module_files[f"lib/{path}/__init__.py" if file.name == "__init__.py" else f"lib/{path}.py"] = file.read_bytes()
    for name in plugins:
        folder = name.rpartition(".")[0].replace(".", "/")
        for file in modules[name].parent.glob("support/*.*"):
            module_files[f"lib/{folder}/support/{file.name}"] = file.read_bytes()
    root = Path(str(files("grader"))).parent
    docs = next(folder for folder in (root / "grader" / "docs", root / "docs") if folder.is_dir())
    module_files |= {f"lib/grader/docs/{name}": (docs / name).read_bytes() for name in DOCUMENTS}
    module_files |= {f"lib/{name}": (root / name).read_bytes() for name in _BESIDE}
    module_files["lib/cachebox.py"] = (files("grader.plugins.bundling") / "templates" / "cachebox.py.txt").read_bytes()
    further = {name for item in interactions if isinstance(item, PluginDialogue) for name in item.carried_packages}
    for package in (*PACKAGES, *sorted(further)):
        module_files |= {f"lib/{path}": Path(str(path.locate())).read_bytes() for path in _package_files(package)}
    return module_files


def _places_of(recipe: BuildCommands) -> Iterator[str]:
    """Yield the import path of a language, and of the watch on its programs if there is one."""
    if recipe.language is None:
        yield OF_COMMANDS
        return
    yield recipe.language.place
    if recipe.finder != NotWatched():
        yield language_at(recipe.language.place).watcher


def _checks_of(test: Test) -> Iterator[str]:
    """Yield the import paths of the checks that plugins provide."""
    if isinstance(test.expectation, OutputChecks):
        yield from (check.kind.place for check in test.expectation.checks if isinstance(check.kind, PluginCheck))


def _refuse_uncarried(modules: Mapping[str, Path]) -> None:
    """Raise BundleError if a plugin from another package needs modules that a bundle does not contain."""
    carried = {PACKAGE, *PACKAGES, *map(_top_package, modules), *sys.stdlib_module_names}
    for name, file in modules.items():
        missing = {_top_package(module) for module in imports_of(file, name) if _top_package(module) not in carried}
        if missing and _top_package(name) != PACKAGE:
            raise BundleError(f"A bundle cannot have {', '.join(sorted(missing))}, which the module {name} imports.")


def _package_files(package: str) -> Iterator[PackagePath]:
    """Yield the source files of an installed package, and its name, version and licence."""
    package_files = distribution(package).files
    if package_files is None:
        raise BundleError(f"The files of the package {package} cannot be found; install it with pip.")
    for path in package_files:
        is_about = path.parts[0].endswith(".dist-info") and (path.name == "METADATA" or "licen" in str(path).lower())
        if is_about or (path.suffix == ".py" and path.parts[0] == package):
            yield path


def data_files(assignment: Assignment, content: BundleContent) -> dict[str, bytes]:
    """Return the files of a bundle that depend on the assignment, by name."""
    transcripts = load_transcripts(assignment, content.tests)
    names = expected_names(assignment, content.tests)
    bundled = {f"{PROVIDED}/{module.file}": module.source.read_bytes() for module in assignment.provided}
    handed_out = {test.id for test in content.tests}
    originals = [test for test in assignment.tests if test.id in handed_out]
    bundled |= {f"{FILES}/{file.digest}": file.source.read_bytes() for test in originals for file in test.start.files}
    for judge, judged in ((file, test) for test in originals for file in judging_files(test)):
        files_by_name = reached_files(judge, judged).items()
        bundled |= {f"{judge.parent.name}/{name.as_posix()}": path.read_bytes() for name, path in files_by_name}
    sealed = []
    for test, variant in wanted(assignment, content.tests):
        text = transcripts.text(test, variant)
        if test.sealed:
            sealed.append(SealedTranscript(test.id, variant, seal(text, test.comparison)))
        else:
            bundled[f"{EXPECTED}/{names[test.id, variant]}"] = text.encode("utf-8", "surrogateescape")
            for file in side_output_files(assignment, test, variant).values():
                bundled[f"{EXPECTED}/{file.relative_to(assignment.folder / EXPECTED).as_posix()}"] = file.read_bytes()
            reasons = transcripts.reasons_of(test, variant)
            if reasons != RuleReasons():
                file = reasons_file(assignment, test, variant)
                bundled[f"{EXPECTED}/{file.name}"] = reasons.text().encode()
    # Input that is not UTF-8 is stored as lone surrogates.
    bundled[CONTENT] = to_json(content).encode("utf-8", "surrogatepass")
    bundled[ENTRY_POINTS] = _entry_points(content).encode()
    bundled[SEALS] = to_json(BundleSeals(tuple(sealed))).encode()
    return {f"data/{name}": data for name, data in bundled.items()}


def _entry_points(content: BundleContent) -> str:
    """Return the entry points of the plugins whose modules are in the bundle."""
    groups = {group: [*extensions(group).values()] for group in _JUDGING} | {HINTS: _hints(content)}
    return "".join(f"[{group}]\n{_entry_point_lines(items)}" for group, items in groups.items())


def _entry_point_lines(items: Sequence[Extension]) -> str:
    return "".join(f"{item.name} = {item.place}\n" for item in items)


def _hints(content: BundleContent) -> list[Extension]:
    """Return the searches for hints that tests ask for."""
    return [
        item
        for name, item in extensions(HINTS).items()
        if any(test.hints.of(name.partition("-")[0]) == name.partition("-")[2] for test in content.tests)
    ]


def _judge_extensions() -> Iterator[Extension]:
    """Yield the plugins' additions to the judge."""
    yield from (item for group in _JUDGING for item in extensions(group).values())


def _installation_files(content: BundleContent) -> dict[str, str]:
    """Return the files that make a folder installable."""
    templates = files("grader.plugins.bundling") / "templates"
    fields = {"id": content.id, "title": content.title, "program": content.programs[0].file}
    return {
        name: (templates / f"{name}.txt").read_text(encoding="utf-8").format_map(fields)
        for name in ("pyproject.toml", "README.md")
    }
