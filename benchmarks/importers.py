"""Counts the tests that importers can take from public repositories: completely, partly or not, and why.

FOLDER holds copies of repositories, which are not part of this project: each is a folder with files, or a Git
repository, bare or not, whose newest commit is read (other branches with `--branch`). All folders are searched for
tests of GitHub Classroom, autograders of Gradescope and problems of check50. These are imported, but never run.

With `--sessions PAGES:SOLUTIONS`, two repositories in FOLDER, sample sessions in the pages of the first are imported
with the programs of the second, which are run without a sandbox. Without SOLUTIONS, the programs are beside the pages.
A session is imported completely if it is kept as the sample of its test, and partly if only its typed lines are used.

Run as `python -m benchmarks.importers FOLDER`. A repository is imported completely if none of its tests are listed as
not imported, partly if some are, and not at all if there are no tests in the result.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from benchmarks.handout_samples import HandoutSample, of_exercises, readme_samples
from grader.errors import GraderError
from grader.plugins.importing.api import (
    ImportedAssignment,
    import_check50,
    import_classroom,
    import_gradescope,
    import_session,
)

_LEFT_OUT = re.compile(r"the (?:test|check) .+? was not imported: (?:line \d+: )?(.+)\.")
_QUOTED = re.compile(r"`[^`]*`")
_MAX_BYTES = 4_000_000


@dataclass(kw_only=True)
class Brought:
    """The results of an importer: sources imported completely, partly and not at all, tests and reasons."""

    whole: list[str] = field(default_factory=list)
    in_part: list[str] = field(default_factory=list)
    not_brought: list[str] = field(default_factory=list)
    tests: int = 0
    left_out: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


Importer = Callable[..., ImportedAssignment]
IMPORTERS: Mapping[str, tuple[Importer, Callable[[Path], Iterator[Path]]]] = {
    "classroom": (import_classroom, lambda root: _classrooms(root)),
    "gradescope": (import_gradescope, lambda root: _autograders(root)),
    "check50": (import_check50, lambda root: _problems(root)),
}


def _classrooms(root: Path) -> Iterator[Path]:
    workflows = (root / ".github" / "workflows").glob("*.y*ml")
    if (root / ".github" / "classroom" / "autograding.json").is_file() or any(
        "autograding-" in file.read_text("utf-8", "replace") for file in workflows
    ):
        yield root


def _autograders(root: Path) -> Iterator[Path]:
    for start in sorted(root.rglob("run_autograder")):
        if any("unittest" in file.read_text("utf-8", "replace") for file in start.parent.rglob("*test*.py")):
            yield start.parent


def _problems(root: Path) -> Iterator[Path]:
    for file in sorted(root.rglob("__init__.py")):
        if "check50.check(" in file.read_text("utf-8", "replace"):
            yield file.parent


def main() -> int:
    """Import everything that is found, and print a table and the reasons; the exit code is 1 if nothing is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", action="append", default=[], metavar="PAGES:SOLUTIONS")
    parser.add_argument("--every", type=int, default=1, help="take every so manieth session of such a pair")
    parser.add_argument("--branch", action="append", default=[], metavar="REPOSITORY:BRANCH")
    asked = parser.parse_args()
    results = {kind: Brought() for kind in (*IMPORTERS, *(("session",) if asked.sessions else ()))}
    with TemporaryDirectory(prefix="importers-") as name:
        if asked.sessions:
            _import_sessions(results["session"], asked.folder, asked.sessions, asked.every, Path(name))
            _print(results)
            return 0
        for label, root in _repositories(asked.folder, asked.branch, Path(name)):
            for kind, (importer, places) in IMPORTERS.items():
                for number, place in enumerate(places(root)):
                    inner = place.relative_to(root).as_posix()
                    source = label if inner == "." else f"{label}/{inner}"
                    into = Path(name) / "courses" / kind / f"{len(source)}-{number}-{abs(hash(source))}"
                    _import(results[kind], source, partial(importer, place, into=into, name="a"))
    _print(results)
    return 0 if any(brought.tests or brought.not_brought for brought in results.values()) else 1


def _import(brought: Brought, source: str, importer: Callable[[], ImportedAssignment]) -> None:
    try:
        made = importer()
        tests, notes = made.tests, list(made.notes)
    except GraderError as error:
        tests, notes = 0, str(error).splitlines()
    reasons = [_QUOTED.sub("`…`", match[1]) for note in notes if (match := _LEFT_OUT.search(note))]
    if not tests and not reasons:
        reasons = [_QUOTED.sub("`…`", notes[0].rpartition("/")[2])]
    brought.tests += tests
    brought.left_out += len(reasons)
    brought.reasons.update(reasons)
    kind = brought.not_brought if not tests else brought.in_part if reasons else brought.whole
    kind.append(source)


def _import_sessions(brought: Brought, folder: Path, pairs: list[str], every: int, work: Path) -> None:
    for pair in pairs:
        pages, _, solutions = pair.partition(":")
        roots = {name: root for name, root in _repositories(folder, [], work / pair) if name in (pages, solutions)}
        samples = of_exercises(roots[pages], roots[solutions], every) if solutions else readme_samples(roots[pages])
        for number, sample in enumerate(samples):
            _import_session(brought, pair, sample, work / "courses" / f"{abs(hash(pair))}-{number}")


def _import_session(brought: Brought, pair: str, sample: HandoutSample, into: Path) -> None:
    source = f"{pair} {sample.page.name}:{'-'.join(sample.lines)}:{sample.program.name}"
    try:
        made = import_session(sample.page, solution=sample.program, lines=sample.lines, into=into, name="a")
    except GraderError as error:
        if sample.lines or "was not imported" in str(error):
            brought.not_brought.append(source)
            brought.reasons[f"{pair}: {_QUOTED.sub('…', str(error).splitlines()[-1].rpartition(': ')[2])}"] += 1
        return
    kept = len(list((into / "test_specs" / "a").glob("samples/*.txt")))
    brought.tests += made.tests
    brought.whole += [source] * kept
    brought.in_part += [source] * (made.tests - kept)
    for note in made.notes:
        for reason, word in _REASONS.items():
            if word in note:
                brought.reasons[f"{pair}: {reason}"] += 1


_REASONS = {
    "other text": "the sample has '",
    "other blanks": "prints other blanks",
    "a prompt that ends its line": "the program ends the line",
    "a sample that leaves lines out": "leaves lines out",
    "a program that draws at random": "prints something else whenever",
    "a prompt that the sample does not have": "it was not followed",
}


def _repositories(folder: Path, branches: list[str], work: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name of each repository, and a folder with its files."""
    wanted = [text.partition(":") for text in branches]
    for path in sorted(folder.iterdir()):
        git = next((place for place in (path, path / "repo", path / ".git") if (place / "HEAD").is_file()), None)
        if git is None:
            yield path.name, path
            continue
        for branch in [branch for name, _, branch in wanted if name == path.name] or ["HEAD"]:
            label = path.name if branch == "HEAD" else f"{path.name}@{branch}"
            root = work / "files" / label.replace("/", "_")
            _check_out(git, branch, root)
            yield label, root


def _check_out(git: Path, branch: str, root: Path) -> None:
    """Write the files of a branch, except for large and absent files."""
    root.mkdir(parents=True)
    listed = subprocess.run(
        [_git(), "-C", str(git), "ls-tree", "-r", "-z", branch], check=True, capture_output=True
    ).stdout
    for entry in listed.decode("utf-8", "surrogateescape").split("\0"):
        head, _, name = entry.partition("\t")
        if not name or " blob " not in head or ".." in PurePosixPath(name).parts:
            continue
        blob = subprocess.run(
            [_git(), "-C", str(git), "cat-file", "blob", head.split()[2]], check=False, capture_output=True
        )
        if blob.returncode == 0 and len(blob.stdout) < _MAX_BYTES:
            with suppress(OSError):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(blob.stdout)


def _git() -> str:
    git = shutil.which("git")
    if git is None:
        raise SystemExit("git is needed, and it is not there.")
    return git


def _print(found: Mapping[str, Brought]) -> None:
    columns = ("importer", "sources", "whole", "in part", "not", "tests made", "tests left out")
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for kind, brought in found.items():
        kinds = (brought.whole, brought.in_part, brought.not_brought)
        counts = " | ".join(str(len(names)) for names in kinds)
        print(f"| {kind} | {sum(map(len, kinds))} | {counts} | {brought.tests} | {brought.left_out} |")
    for kind, brought in found.items():
        print(f"\n{kind}")
        for word, names in (("whole", brought.whole), ("in part", brought.in_part), ("not", brought.not_brought)):
            print(f"  {word}: {', '.join(names) or 'none'}")
        for reason, count in brought.reasons.most_common(12):
            print(f"  {count} times: {reason}")


if __name__ == "__main__":
    sys.exit(main())
