"""Builds wheel and source distribution, and uses each as its users do, in clean environments of every Python at hand.

The environments lie in a temporary folder, where nothing of this checkout can be imported. What was built is left in
build/release.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.pythons import Python, find_pythons, identify

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "release"

# From an empty folder to a graded class, the smallest there is: the student hands in the reference, a day in advance.
USE = """\
grader --help
grader demo sample
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
PROGRAMS = {
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
    """Ends with a message and exit code 1 at the first failure."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release_check", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--python", action="append", default=[], type=Path, help="try only this; can be given again")
    pythons = _pythons(parser.parse_args(arguments).python)
    try:
        artifacts = _build()
        for python in pythons:
            for artifact in artifacts:
                start = time.monotonic()
                _try(python, artifact)
                print(f"Python {python.series}: {artifact.name} works ({time.monotonic() - start:.0f} s)", flush=True)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}: exit code {error.returncode}\n{error.stdout}{error.stderr}")


def _pythons(named: Sequence[Path]) -> list[Python]:
    """The interpreters to try; those that were not found are named."""
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
    """The versions of Python in the classifiers, such as 3.12, oldest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [line.rpartition(" :: ")[2] for line in project["classifiers"] if ":: Python :: 3." in line]
    return sorted(versions, key=lambda version: int(version.partition(".")[2]))


def _build() -> list[Path]:
    """The wheel, which is built from the source distribution, and that one; both with sound metadata."""
    shutil.rmtree(BUILT, ignore_errors=True)
    _run([sys.executable, "-m", "build", "--outdir", BUILT, ROOT])
    artifacts = sorted(BUILT.iterdir(), key=lambda path: path.suffix != ".whl")
    _run([sys.executable, "-m", "twine", "check", "--strict", *artifacts])
    return artifacts


def _try(python: Python, artifact: Path) -> None:
    """Install the artifact into a new environment and use it in a new folder, whose name is not an easy one."""
    with tempfile.TemporaryDirectory(prefix="grader-release-") as temporary:
        environment, course = Path(temporary, "environment"), Path(temporary, "a b's ü")
        course.mkdir()
        _run([python.path, "-m", "venv", environment])
        programs = environment / "bin"
        pip: list[str | Path] = [programs / "python", "-m", "pip", "--disable-pip-version-check"]
        _run([*pip, "install", "--quiet", artifact], folder=course)
        _run([*pip, "check"], folder=course)
        for name, source in PROGRAMS.items():
            (course / name).write_text(source, encoding="utf-8")
        variables = {"PATH": f"{programs}:{os.defpath}", "HOME": temporary, "LANG": "C.UTF-8"}
        for line in USE.splitlines():
            program, *rest = line.split()
            _run([programs / program, *rest], folder=course, variables=variables)


def _run(command: Sequence[str | Path], *, folder: Path = ROOT, variables: Mapping[str, str] = os.environ) -> None:
    subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=True)


if __name__ == "__main__":
    main()
