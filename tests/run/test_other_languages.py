"""Languages that other distributions register for endings of files."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import SmallCourse, bare_python
from tests.test_extensions import install, run

POINTS = "[grader.languages]\nsh = greetings:Shell\n"
LANGUAGE = """\
from grader.run.language import Language


class Shell(Language):
    name = "Shell"
    tools = ("sh",)

    def build_command(self, file, flags):
        return ("cp", file, "program")

    def run_command(self, file):
        return ("sh", "program", "built")
"""
PROGRAM = 'printf "Number: "; read number; echo "Double: $((2 * number))"\n'


def in_shell(course: SmallCourse) -> Path:
    """Let double.sh be handed in for double.py, and hand it in."""
    assignment = course.folder / "test_specs" / "doubles" / "assignment.yaml"
    before, after = "variants: [canonical, wordy]}", "variants: [canonical, wordy], alternatives: [{file: double.sh}]}"
    assignment.write_text(assignment.read_text().replace(before, after))
    folder = course.hand_in("ada", None)
    (folder / "double.sh").write_text(PROGRAM)
    return folder


@pytest.mark.slow
def test_a_program_is_built_and_run(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, LANGUAGE, POINTS)
    program = in_shell(small_course)
    checked = run(tmp_path, "check", program)
    assert "passed         small" in checked.stdout, checked.stdout + checked.stderr
    # Another version of the package builds and runs anew.
    broken = LANGUAGE.replace('("cp", file, "program")', '("false",)')
    (tmp_path / "greetings.py").write_text(broken)
    assert "passed         small" not in run(tmp_path, "check", program).stdout
    assert " sh, " in run(tmp_path, "doctor").stdout


@pytest.mark.slow
def test_results_of_another_version_are_not_kept(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, LANGUAGE, POINTS)
    in_shell(small_course)
    options = ("grade", small_course.students, "--course", small_course.folder, "--sandbox", "none", "--format", "json")
    (first,) = json.loads(run(tmp_path, *options).stdout)["submissions"]
    (tmp_path / "greetings.py").write_text(LANGUAGE.replace('"sh", "program"', '"sh", "nothing-here"'))
    (second,) = json.loads(run(tmp_path, *options).stdout)["submissions"]
    assert float(first["points"]) > float(second["points"])


def test_without_the_package_the_ending_is_unknown(small_course: SmallCourse, tmp_path: Path) -> None:
    program = in_shell(small_course)
    unknown = run(tmp_path, "check", program)
    assert unknown.returncode == 2
    assert "found `double.sh` without `run`; expected the command that runs it" in unknown.stderr
    assert "c, cc, cpp, cxx, java, js, mjs, rs" in unknown.stderr


@pytest.mark.slow
def test_a_broken_language_stops_only_its_programs(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, "class Shell: pass", POINTS)
    program = small_course.hand_in("bob", "print('Double:')\n")
    assert run(tmp_path, "check", program).returncode == 1
    in_shell(small_course)
    broken = run(tmp_path, "check", program)
    assert broken.returncode == 2
    fault = "is the class Shell; expected one that derives from Language"
    assert f"The plugin `sh` of course-greetings 2.1 (greetings:Shell) {fault}. Upgrade or remove" in broken.stderr


@pytest.mark.slow
def test_a_bundle_carries_it(small_course: SmallCourse, tmp_path: Path) -> None:
    install(tmp_path, LANGUAGE, POINTS)
    program = in_shell(small_course)
    made = run(tmp_path, "bundle", "doubles", "--course", small_course.folder, "--output", tmp_path / "grader.pyz")
    assert made.returncode == 0, made.stderr
    command = [*bare_python(), str(tmp_path / "grader.pyz"), "check", str(program)]
    checked = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, check=False)
    assert "passed         small" in checked.stdout, checked.stdout + checked.stderr
