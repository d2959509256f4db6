"""Builds the wheel and the source distribution, and uses each as users do, with every Python that is installed.

Each is installed in a new environment, from packages downloaded beforehand, and used by an ordinary user without a
network connection, in a temporary folder that does not contain this checkout. Then it is uninstalled, and only the
cache described on the page about installing may remain. The built files stay in build/release.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.document_steps import File, steps
from tools.pythons import Python, find_pythons, identify

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "release"

TUTORIAL = ROOT / "docs" / "start" / "first-class.md"
PIP: Sequence[str] = ("python", "-m", "pip", "--disable-pip-version-check")
HOME = "a b's ü"
# The wheel is installed as described in the README, the source distribution without extras.
EXTRAS = {".whl": "[all]", ".gz": ""}
# The user and group to which root switches.
NOBODY = 65534

# The smallest path from an empty folder to a graded class: the student submits the reference, a day in advance.
USE = """\
grader --help
grader init
grader new assignment sums
grader generate
grader check reference/sums.py
grader bundle sums --output grader.pyz
python grader.pyz check reference/sums.py
python hand_in.py
grader grade submissions/sums --sandbox none
grader report submissions/sums --sandbox none
grader export csv submissions/sums
grader insight submissions/sums
python look.py
"""
# Of the demo, one student is enough to see that all its files are there; `make demo` runs it whole.
SAMPLE = "grader check submissions/comp9021-25t3-a1/prompt-and-capital-letter/solitaire_1.py --test s1-lost"
PROGRAMS = {
    "look_at_samples.py": """\
from pathlib import Path
from grader.plugins.demo.sample_course import lay_out
lay_out(Path("sample"))
""",
    "hand_in.py": """\
from pathlib import Path
for student, program in (("ada", Path("reference/sums.py").read_text()), ("ben", "print(0)")):
    folder = Path("submissions", "sums", student)
    folder.mkdir(parents=True)
    (folder / "sums.py").write_text(program)
    (folder / "submission.yaml").write_text("submitted: 2020-01-01 12:00\\n")
""",
    "look.py": """\
import csv, importlib.metadata, pathlib, grader
assert "site-packages" in grader.__file__, grader.__file__
folder = pathlib.Path("reports", "sums")
marks = {row["student"]: row["mark"] for row in csv.DictReader((folder / "results.csv").open(encoding="utf-8"))}
assert marks == {"ada": "10", "ben": "0"}, marks
assert "ben" in pathlib.Path("reports", "html", "sums", "index.html").read_text(encoding="utf-8")
graded = grader.grade("submissions/sums", options=grader.GradeOptions(sandbox=grader.SandboxKind.NONE))
assert [str(student.mark.adjusted) for student in graded.students] == ["10", "0"]
""",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Check everything; exit with a message and exit code 1 at the first failure."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release_check", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--python", action="append", default=[], type=Path, help="try only this; can be given again")
    pythons = _pythons(parser.parse_args(arguments).python)
    try:
        artifacts = _build()
        for python in pythons:
            with tempfile.TemporaryDirectory(prefix="grader-packages-") as packages:
                _download(python, artifacts, Path(packages))
                for artifact in artifacts:
                    start = time.monotonic()
                    _try(python, artifact, Path(packages))
                    seconds = time.monotonic() - start
                    print(f"Python {python.series}: {artifact.name} works ({seconds:.0f} s)", flush=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: exit code {error.returncode}\n{error.stdout}{error.stderr}")


def _pythons(named: Sequence[Path]) -> list[Python]:
    """Return the interpreters to try, and print which versions are missing."""
    wanted = supported_series()
    found = [python for python in map(identify, named) if python] if named else find_pythons(wanted)
    for python in found:
        print(f"Python {python}")
    missing = [] if named else [series for series in wanted if series not in {python.series for python in found}]
    if missing:
        print(f"Not tried, because it was not found: Python {', '.join(missing)}", flush=True)
    if not found:
        sys.exit("No Python that can make environments was found.")
    return found


def supported_series() -> list[str]:
    """Return the versions of Python in the classifiers, such as 3.12, oldest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [line.rpartition(" :: ")[2] for line in project["classifiers"] if ":: Python :: 3." in line]
    return sorted(versions, key=lambda version: int(version.partition(".")[2]))


def _build() -> list[Path]:
    """Build the wheel, from the source distribution, and return both, with valid metadata."""
    shutil.rmtree(BUILT, ignore_errors=True)
    _run([sys.executable, "-m", "build", "--outdir", BUILT, ROOT])
    artifacts = sorted(BUILT.iterdir(), key=lambda path: path.suffix != ".whl")
    _run([sys.executable, "-m", "twine", "check", "--strict", *artifacts])
    return artifacts


def _try(python: Python, artifact: Path, packages: Path) -> None:
    """Install the artifact, use it in a folder with an awkward name, follow the tutorial, and remove it."""
    with tempfile.TemporaryDirectory(prefix="grader-release-") as temporary:
        folder = Path(temporary)
        environment, user = folder / "environment", User(folder, _without_rights(python))
        (folder / HOME).mkdir()
        shutil.copytree(packages, folder / "packages")
        user.take_ownership_of(folder)
        user.run([python.path.resolve(), "-m", "venv", environment])
        wanted = f"{folder / 'packages' / artifact.name}{EXTRAS[artifact.suffix]}"
        # Python compiles what is used, which is a small part.
        quickly = "--quiet", "--no-compile", "--no-index"
        user.run([*PIP, "install", *quickly, "--find-links", folder / "packages", wanted])
        user.run([*PIP, "check"])
        _use_commands(user)
        if artifact.suffix == ".whl":
            _follow(TUTORIAL, user)
        else:
            user.run(["python", "look_at_samples.py"])
            user.run(["sh", "-c", f"cd sample && {SAMPLE}"], exit_code=1)
        user.run([*PIP, "uninstall", "--quiet", "--yes", "terminal-grader"])
        cache = (folder / HOME / ".cache").glob("*")
        traces = [*environment.rglob("*grader*"), *(path for path in cache if path.name != "grader")]
        if traces:
            sys.exit(f"{artifact.name}, removed, leaves {', '.join(map(str, traces))}")


@dataclass(frozen=True)
class User:
    """A person with an environment and a home in `folder`; `prefix` makes commands start without privileges."""

    folder: Path
    prefix: Sequence[str]

    def take_ownership_of(self, folder: Path) -> None:
        """Give the user a folder that was written here, with all its content."""
        for path in (folder, *folder.rglob("*")) if os.getuid() == 0 else ():
            os.lchown(path, NOBODY, NOBODY)

    def run(self, command: Sequence[str | Path], exit_code: int = 0) -> None:
        """Run a command, which must end with this exit code, in the user's home."""
        home = self.folder / HOME
        programs = f"{self.folder / 'environment' / 'bin'}:{os.defpath}"
        variables = {"PATH": programs, "HOME": str(home), "LANG": "C.UTF-8", "PIP_NO_CACHE_DIR": "1"}
        _run([*self.prefix, *command], folder=home, variables=variables, exit_code=exit_code)


def _without_rights(python: Python) -> Sequence[str]:
    """Return the beginning of commands that removes the network and, from root, all privileges."""
    if os.getuid() != 0:
        return ("unshare", "--user", "--map-current-user", "--net")
    nobody = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    return ("bwrap", "--dev-bind", "/", "/", *_mounts_of(python), "--unshare-net", "--cap-add", "ALL", *nobody)


def _mounts_of(python: Python) -> Iterator[str]:
    """Yield the options that show an interpreter in root's home to others, who may not enter that folder."""
    prefix, home = python.path.resolve().parents[1], Path.home()
    if prefix.is_relative_to(home):
        yield from ("--perms", "0755", "--tmpfs", str(home))
        for parent in reversed(prefix.relative_to(home).parents[:-1]):
            yield from ("--perms", "0755", "--dir", str(home / parent))
        yield from ("--ro-bind", str(prefix), str(prefix))


def _download(python: Python, artifacts: Sequence[Path], packages: Path) -> None:
    """Download the artifacts, what they require, and what they are built with into the folder `packages`.

    The first one comes with extras, so it requires all that the others do.
    """
    first, *others = artifacts
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    wanted = f"{first}{EXTRAS[first.suffix]}"
    # Older versions of pip also need `wheel` to build packages that have no wheel.
    _run([python.path, *PIP[1:], "download", "--quiet", "--dest", packages, wanted, *build, "wheel"])
    for artifact in others:
        shutil.copy(artifact, packages)


def _use_commands(user: User) -> None:
    home = user.folder / HOME
    for name, source in PROGRAMS.items():
        (home / name).write_text(source, encoding="utf-8")
    user.take_ownership_of(home)
    for line in USE.splitlines():
        user.run(["sh", "-c", line])


def _follow(document: Path, user: User) -> None:
    """Follow the document in a separate folder, except for steps that need pytest or a person at the terminal."""
    course = user.folder / HOME / "tutorial"
    course.mkdir()
    user.take_ownership_of(course)
    for step in steps(document):
        if isinstance(step, File):
            step.write(course)
            user.take_ownership_of(course)
        elif not step.line.startswith(("pytest", "grader watch")):
            user.run(["sh", "-c", f"cd tutorial && {step.line}"], step.exit_code)


def _run(
    command: Sequence[str | Path],
    *,
    folder: Path = ROOT,
    variables: Mapping[str, str] = os.environ,
    exit_code: int = 0,
) -> None:
    run = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    if run.returncode != exit_code:
        raise subprocess.CalledProcessError(run.returncode, command, run.stdout, run.stderr)


if __name__ == "__main__":
    main()
