"""The autograders grade as they are uploaded, each in a folder like the platform's, with the grader that is in them."""

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader import __version__
from grader.grading.content_state import submission_digest
from grader.installation import METADATA_NAME
from grader.model.assignment import Assignment
from grader.model.submission import SubmittedFile
from grader.model.test import Visibility
from grader.platforms.platform import ExportError
from grader.plugins.platforms.autolab.autograder import autolab_autograder
from grader.plugins.platforms.classroom.autograder import classroom_autograder
from grader.plugins.platforms.gradescope.autograder import gradescope_autograder
from grader.spec.course import Course
from grader.store.origin import harness_version, spec_digest
from tests.conftest import RIGHT, TRIPLE, SmallCourse
from tests.plugins.platforms.schemas import Autolab, Gradescope
from tests.sandbox import needs_sandbox

NO_PYTHONPATH = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
EXECUTABLE = 0o100755


def doubles(course: SmallCourse) -> Assignment:
    return Course(course.folder).assignment("doubles")


def public(assignment: Assignment) -> Assignment:
    return replace(assignment, tests=tuple(one for one in assignment.tests if one.visibility is Visibility.PUBLIC))


def unzip(content: bytes, folder: Path) -> dict[str, int]:
    """Unzip into `folder`; returns the mode of each file."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
        return {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}


def gradescope_root(course: SmallCourse, root: Path, sandbox: str, submitted: str) -> Path:
    """A folder like /autograder with a submission that says to be older than it is."""
    modes = unzip(
        gradescope_autograder(doubles(course), course.folder, sandbox).files["autograder.zip"], root / "source"
    )
    assert [name for name, mode in modes.items() if mode == EXECUTABLE] == ["run_autograder", "setup.sh"]
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    (root / "results").mkdir()
    submission = root / "submission"
    submission.mkdir()
    (submission / "double.py").write_text(RIGHT)
    (submission / "triple.py").write_text(TRIPLE.replace("3 *", "4 *"))
    (submission / "submission.yaml").write_text("submitted: 2001-01-01 00:00\n")
    # Modules that the grader would import if it looked where the submission lies.
    for name in ("json.py", "grader.py"):
        (submission / name).write_text("raise SystemExit('hijacked')\n")
    metadata = {"created_at": submitted, "assignment": {"title": "Doubles"}, "users": [{"name": "Zoë", "id": 1}]}
    (root / "submission_metadata.json").write_text(json.dumps(metadata))
    return root


def run_autograder(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(root / "run_autograder")],
        env={**NO_PYTHONPATH, "AUTOGRADER_ROOT": str(root), "AUTOGRADER_PYTHON": sys.executable},
        cwd=root / "submission",
        capture_output=True,
        text=True,
        check=False,
    )


def results(root: Path) -> dict[str, Any]:
    text = (root / "results" / "results.json").read_text()
    Gradescope.model_validate_json(text)
    content: dict[str, Any] = json.loads(text)
    return content


@needs_sandbox
@pytest.mark.slow
def test_gradescope_grades_a_submission_in_the_sandbox(small_course: SmallCourse, tmp_path: Path) -> None:
    # 2025-10-27 11:59 in Sydney was the due date; this is a day and a bit later, which costs two tenths.
    root = gradescope_root(small_course, tmp_path / "auto grader", "bwrap", "2025-10-28T02:00:00.5+00:00")
    run = run_autograder(root)
    assert (run.returncode, run.stderr) == (0, "")
    content = results(root)
    assert content["score"] == 9.6
    assert "Points: 10 of 12. Handed in 1 d 1 h 1 min late. Tests passed: 3 of 4." in content["output"]
    assert [(test["name"], test["status"], test["visibility"]) for test in content["tests"]] == [
        ("small: a small number", "passed", "visible"),
        ("hidden test 1", "passed", "after_published"),
        ("hidden test 2", "passed", "after_published"),
        ("at-the-prompt", "failed", "visible"),
    ]


@pytest.mark.slow
def test_gradescope_without_a_sandbox_in_time(small_course: SmallCourse, tmp_path: Path) -> None:
    root = gradescope_root(small_course, tmp_path / "autograder", "none", "2025-10-27T11:59:00.9+11:00")
    assert run_autograder(root).returncode == 0
    assert results(root)["score"] == 10
    said = results(root)["extra_data"]
    files = [SubmittedFile(name, root / "submission" / name) for name in ("double.py", "triple.py")]
    assert said["submission"] == submission_digest(files)
    assert said["spec"] == spec_digest(doubles(small_course))
    assert said["harness"].partition("+")[2] == harness_version().partition("+")[2]
    assert " late." not in results(root)["output"]


@pytest.mark.slow
def test_no_result_is_written_when_the_metadata_cannot_be_read(small_course: SmallCourse, tmp_path: Path) -> None:
    root = gradescope_root(small_course, tmp_path, "none", "yesterday")
    run = run_autograder(root)
    assert run.returncode == 2
    assert "submission_metadata.json cannot be read as Gradescope's metadata" in run.stderr
    assert not (root / "results" / "results.json").exists()


@pytest.mark.slow
def test_the_grader_in_the_zip_is_the_one_that_runs(small_course: SmallCourse, tmp_path: Path) -> None:
    root = gradescope_root(small_course, tmp_path, "none", "2025-10-27T11:00:00+11:00")
    (root / "source" / "lib" / "grader" / "plugins" / "exporting" / "api.py").write_text(
        "raise SystemExit('the one in the zip')\n"
    )
    assert "the one in the zip" in run_autograder(root).stderr


def test_no_solution_and_no_other_assignment_is_uploaded(small_course: SmallCourse) -> None:
    (small_course.folder / "test_specs" / "other").mkdir()
    (small_course.folder / "test_specs" / "other" / "assignment.yaml").write_text("")
    content = gradescope_autograder(doubles(small_course), small_course.folder, "none").files["autograder.zip"]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        course = [name for name in archive.namelist() if name.startswith("course/")]
        requirements = archive.read("requirements.txt").decode().splitlines()
        plugins = archive.read(f"lib/{METADATA_NAME}-{__version__}.dist-info/entry_points.txt").decode()
    assert {name.rpartition("/")[0] for name in course} == {
        f"course/test_specs/doubles{rest}" for rest in ("", "/tests", "/expected")
    }
    assert all("==" in line for line in requirements)
    assert {"click", "pydantic", "pexpect", "pydantic_core"} <= {
        line.partition("==")[0].replace("-", "_") for line in requirements
    }
    assert "pytest" not in str(requirements)
    assert "\ngradescope = grader.plugins.platforms.gradescope:PLATFORM\n" in plugins


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_the_scripts_are_shell(script: str, small_course: SmallCourse, tmp_path: Path) -> None:
    unzip(gradescope_autograder(doubles(small_course), small_course.folder, "bwrap").files["autograder.zip"], tmp_path)
    assert subprocess.run(["sh", "-n", str(tmp_path / script)], check=False).returncode == 0


def test_the_image_gets_the_python_and_the_packages_of_the_assignment(
    small_course: SmallCourse, tmp_path: Path
) -> None:
    file = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    file.write_text(f'{file.read_text()}python: "3.13"\npackages: [roman]\n')
    unzip(gradescope_autograder(doubles(small_course), small_course.folder, "bwrap").files["autograder.zip"], tmp_path)
    script = (tmp_path / "setup.sh").read_text()
    assert "command -v python3.13 >/dev/null || {" in script
    assert 'uv" python install 3.13; }' in script
    assert "grader doctor --install" in script
    assert subprocess.run(["sh", "-n", str(tmp_path / "setup.sh")], check=False).returncode == 0


def autolab_folder(folder: Path, files: dict[str, bytes], handin: dict[str, str]) -> None:
    """A folder like the one in which Autolab runs make, with `handin` as a tar."""
    (folder / "Makefile").write_bytes(files["autograde-Makefile"])
    (folder / "autograde.tar").write_bytes(files["autograde.tar"])
    with tarfile.open(folder / "handin.tar", "w") as archive:
        for name, text in handin.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.slow
def test_autolab_reads_the_last_line(small_course: SmallCourse, tmp_path: Path) -> None:
    forged = 'print("{\\"scores\\": {\\"doubles\\": 100}}")\n'
    files = dict(autolab_autograder(doubles(small_course), small_course.folder, "none").files)
    folder = tmp_path / "autolab"
    folder.mkdir()
    autolab_folder(folder, files, {"double.py": forged, "triple.py": TRIPLE, "grader.py": "1/0\n"})
    first_make = {name: value for name, value in NO_PYTHONPATH.items() if not name.startswith("MAKE")}
    run = subprocess.run(
        ["make", f"PYTHON={shlex.quote(sys.executable)}"],
        cwd=folder,
        env=first_make,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    last = Autolab.model_validate_json(run.stdout.splitlines()[-1])
    assert last.scores == {"doubles": 0, "triples": 2}
    assert run.stdout.splitlines()[-2].startswith("Graded: submission ")


def test_one_program_is_handed_in_to_autolab_as_it_is(small_course: SmallCourse) -> None:
    assignment = doubles(small_course)
    one = replace(assignment, programs=assignment.programs[:1])
    makefile = autolab_autograder(one, small_course.folder, "bwrap").files["autograde-Makefile"].decode()
    assert "\t@cp double.py submission/\n" in makefile


def test_a_repository_of_classroom_has_no_hidden_test(small_course: SmallCourse) -> None:
    with pytest.raises(ExportError, match="doubles has 2 hidden tests"):
        classroom_autograder(doubles(small_course), small_course.folder, "none")


@pytest.mark.slow
def test_the_workflow_of_classroom(small_course: SmallCourse, tmp_path: Path) -> None:
    files = classroom_autograder(public(doubles(small_course)), small_course.folder, "none").files
    unzip(files["classroom.zip"], tmp_path)
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "classroom.yml").read_text())
    (job,) = workflow["jobs"].values()
    *_, grade, report = job["steps"]
    # The reporter looks for RUNNER_RESULTS for each of its runners.
    assert list(report["env"]) == [f"{report['with']['runners'].upper()}_RESULTS"]
    assert report["env"]["GRADER_RESULTS"] == "${{ steps." + grade["id"] + ".outputs.result }}"
    (tmp_path / "double.py").write_text(RIGHT)
    script = grade["run"].replace("python -P", f"{shlex.quote(sys.executable)} -P")
    out = tmp_path / "github-output"
    environment = {**NO_PYTHONPATH, **grade["env"], "GITHUB_OUTPUT": str(out)}
    run = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=environment, check=False, capture_output=True)
    assert run.returncode == 0, run.stderr
    assert out.read_text().startswith("result=ey")
    assert out.read_text().count("\n") == 1
    assert b"Graded: submission " in run.stderr
