"""Commands and formats that other distributions register are found, and a broken one stops nothing else."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader import __version__
from grader.extensions import COMMANDS, extensions
from grader.installation import DISTRIBUTION
from tests.conftest import SmallCourse

COMMAND = """\
import click


@click.command()
@click.argument("name")
def greet(name):
    "Greet somebody."
    click.echo(f"Hello, {name}!")
    return 1
"""


def install(folder: Path, code: str, points: str) -> None:
    """Lay out a distribution in `folder` as pip does: a module, and metadata with entry points."""
    metadata = folder / "course_greetings-2.1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: course-greetings\nVersion: 2.1\n")
    (metadata / "entry_points.txt").write_text(points)
    (folder / "greetings.py").write_text(code)


def run(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_command_of_another_distribution(tmp_path: Path) -> None:
    install(tmp_path, COMMAND, "[console_scripts]\nother = x:y\n\n[grader.commands]\nGreet = greetings:greet\n")
    listed, greeted = run(tmp_path, "--help"), run(tmp_path, "Greet", "Ada")
    assert (greeted.returncode, greeted.stdout, greeted.stderr) == (1, "Hello, Ada!\n", "")
    assert re.search(r"^Others:\n  Greet +Greet somebody\.$", listed.stdout, re.M)
    assert re.search(r"^  check +Run the public tests on your own program\.$", listed.stdout, re.M)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import nowhere", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("greeting = 1", "cannot be loaded: AttributeError: module 'greetings' has no attribute 'greet'"),
        ("greet = 1", "is of the type int; expected Command"),
        ("raise SystemExit(3)", "cannot be loaded: SystemExit: 3"),
    ],
)
def test_a_broken_plugin_stops_nothing_else(code: str, message: str, tmp_path: Path) -> None:
    install(tmp_path, code, "[grader.commands]\ngreet = greetings:greet\n")
    broken, listed, other = (
        run(tmp_path, "greet", "--loud"),
        run(tmp_path, "--help"),
        run(tmp_path, "explain", "spacing"),
    )
    source = "The plugin `greet` of course-greetings 2.1 (greetings:greet)"
    assert (broken.returncode, broken.stdout) == (2, "")
    assert broken.stderr == f"{source} {message}. Upgrade or remove course-greetings.\n"
    assert (listed.returncode, listed.stderr) == (0, "")
    assert re.search(r"^  greet +Cannot be loaded\.$", listed.stdout, re.M)
    assert (other.returncode, other.stderr) == (0, "")


@pytest.mark.parametrize(
    "points", ["[grader.commands", "[grader.commands]\nno place", "\0", "[grader.commands]\n= x:y"]
)
def test_damaged_metadata_is_passed_over(points: str, tmp_path: Path) -> None:
    install(tmp_path, COMMAND, points)
    listed = run(tmp_path, "--help")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "greet" not in listed.stdout


@pytest.mark.slow
def test_a_name_of_the_grader_counts_before_that_of_another(tmp_path: Path) -> None:
    commands = ("check", next(iter(extensions(COMMANDS))))
    before = [run(tmp_path, command, "--help").stdout for command in commands]
    install(tmp_path, COMMAND, "[grader.commands]\n" + "".join(f"{name} = greetings:greet\n" for name in commands))
    assert [run(tmp_path, command, "--help").stdout for command in commands] == before


def test_of_two_installations_of_one_distribution_the_first_counts(tmp_path: Path) -> None:
    """As when a newer version is laid out in a folder of PYTHONPATH."""
    install(tmp_path / "old", COMMAND, "[grader.commands]\ngreet = greetings:greet\n")
    install(tmp_path / "new", COMMAND.replace("Hello", "Welcome"), "[grader.commands]\nwelcome = greetings:greet\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'new'}{os.pathsep}{tmp_path / 'old'}"}
    command = [sys.executable, "-m", "grader"]
    runs = [
        subprocess.run([*command, name, "Ada"], env=environment, capture_output=True, text=True, check=False)
        for name in ("welcome", "greet")
    ]
    assert [(run.returncode, run.stdout) for run in runs] == [(1, "Welcome, Ada!\n"), (2, "")]


@pytest.mark.slow
def test_a_broken_format_is_named_and_an_unknown_one_told_from_those_installed(
    tmp_path: Path, small_course: SmallCourse
) -> None:
    install(tmp_path, "greet = 1", "[grader.report_formats]\nyaml = greetings:greet\n")
    broken, unknown = (
        run(tmp_path, "grade", small_course.students, "--format", name, "--course", small_course.folder)
        for name in ("yaml", "toml")
    )
    assert (broken.returncode, unknown.returncode) == (2, 2)
    assert broken.stderr == (
        "The plugin `yaml` of course-greetings 2.1 (greetings:greet) is of the type int; expected OutputFormat. "
        "Upgrade or remove course-greetings.\n"
    )
    assert unknown.stderr.startswith("There is no output format `toml`; known: text, json, ")
    assert "yaml" in unknown.stderr


def test_doctor_lists_plugins_with_their_distributions(tmp_path: Path) -> None:
    install(tmp_path, COMMAND, "[grader.commands]\ngreet = greetings:greet\n")
    lines = run(tmp_path, "doctor").stdout.splitlines()
    assert "     plugins of course-greetings 2.1: grader.commands: greet" in lines
    assert any(line.startswith(f"     plugins of {DISTRIBUTION} {__version__}: grader.") for line in lines)
