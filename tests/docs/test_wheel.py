"""The wheel: what is installed without a checkout says what the documents say."""

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.plugins.demo.sample_course import ASSIGNMENT, STUDENTS
from grader.text.language import CATALOGUES
from tests import ROOT

PIP = "-m", "pip", "--disable-pip-version-check"


def run(folder: Path, *command: str | Path) -> str:
    """Run a command outside of the checkout; returns what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with the wheel, and beside it only what it depends on."""
    if find_spec("setuptools") is None:
        pytest.skip("setuptools is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("LICENSE", "README.md", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, source)
    for name in ("docs", "grader", "reference", "submissions", "test_specs"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    offline = "--no-deps", "--no-index"
    run(folder, sys.executable, *PIP, "wheel", "--quiet", *offline, "--no-build-isolation", "-w", folder, source)
    run(folder, sys.executable, "-m", "venv", "--without-pip", "clean")
    python = folder / "clean" / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    run(folder, sys.executable, *PIP, "--python", python, "install", "--quiet", "--no-compile", *offline, wheel)
    site = Path(run(folder, python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    # The wheel is all there is.
    shutil.rmtree(source)
    return python.parent


@pytest.mark.slow
def test_words_are_explained(installed: Path, tmp_path: Path) -> None:
    for word, words in {
        "blank-line": "cause of failure",
        "late.policy": "assignment.yaml",
        "docstrings": "rule",
    }.items():
        assert words in run(tmp_path, installed / "grader", "explain", word)
    where = run(tmp_path, installed / "python", "-c", "import grader; print(grader.__file__)")
    assert where.startswith(str(installed.parent))


@pytest.mark.slow
def test_every_document_is_in_it(installed: Path) -> None:
    (folder,) = installed.parent.glob("lib/python*/site-packages/grader/docs")
    installed_files = {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}
    documents = {file.relative_to(ROOT / "docs") for file in (ROOT / "docs").rglob("*.md")}
    assert installed_files == {file for file in documents if file.parts[0] != "examples"}


@pytest.mark.slow
def test_the_manual_is_shown_offline(installed: Path, tmp_path: Path) -> None:
    listed = run(tmp_path, installed / "grader", "docs")
    assert "  first-class  Grade your first class\n" in listed
    assert "Variants and fairness" in run(tmp_path, installed / "grader", "docs", "fairness")


@pytest.mark.slow
def test_it_has_the_samples_of_the_demo(installed: Path, tmp_path: Path) -> None:
    code = "from pathlib import Path; from grader.plugins.demo.sample_course import lay_out; lay_out(Path('demo'))"
    run(tmp_path, installed / "python", "-c", code)
    names = {file.relative_to(tmp_path / "demo") for file in (tmp_path / "demo").rglob("*") if file.is_file()}
    tops = (ROOT / "test_specs" / ASSIGNMENT, *(ROOT / "submissions" / ASSIGNMENT / student for student in STUDENTS))
    samples = {file.relative_to(ROOT) for top in tops for file in top.rglob("*") if file.is_file()}
    assert names == samples | {Path("reference", f"solitaire_{number}.py") for number in (1, 2)}


@pytest.mark.slow
def test_it_has_every_catalogue(installed: Path) -> None:
    (folder,) = installed.parent.glob("lib/python*/site-packages/grader")
    for name in CATALOGUES:
        assert (folder / name).read_bytes() == (ROOT / "grader" / name).read_bytes()


@pytest.mark.slow
def test_it_grades_a_new_course(installed: Path, tmp_path: Path) -> None:
    grader = installed / "grader"
    run(tmp_path, grader, "init")
    run(tmp_path, grader, "new", "assignment", "first")
    assert run(tmp_path, grader, "check", "reference/first.py").rstrip().endswith("tests passed.")
