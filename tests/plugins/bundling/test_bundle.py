"""What is in a bundle, and what is not."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.expected.transcripts import reasons_file
from grader.model.assignment import Assignment
from grader.plugins.bundling.bundle import (
    PACKAGES,
    BundleError,
    BundleFile,
    data_files,
    make_file,
    make_folder,
    modules_behind,
)
from grader.plugins.bundling.imports import imports_of
from grader.plugins.bundling.public_content import public_content
from grader.spec.course import Course
from tests import ROOT
from tests.conftest import SmallCourse
from tests.plugins.bundling.conftest import RULE, SECRETS

CODE = re.compile(r"^ *(?:def|return|if|elif|for|while|import|from) .{8,}$", re.M)


def contents(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.slow
def test_nothing_secret_is_in_it(bundle: Path, secret_course: SmallCourse) -> None:
    course = b"".join(file.read_bytes() + file.name.encode() for file in secret_course.folder.rglob("*.*"))
    for what, secret in SECRETS.items():
        assert secret.encode() in course, what
        for name, content in contents(bundle).items():
            assert secret not in name, what
            assert secret.encode() not in content, f"{what} in {name}"


@pytest.mark.slow
def test_where_a_test_is_written_is_not_in_it(bundle: Path, secret_course: SmallCourse) -> None:
    """The number of its line tells how many tests are hidden, and the path whose computer it is."""
    found = contents(bundle)
    assert {test["location"] for test in json.loads(found["grader_check/data/bundle.json"])["tests"]} == {None}
    for name, content in found.items():
        assert str(secret_course.folder).encode() not in content, name


def test_what_students_need_is_in_it(bundle: Path, secret_course: SmallCourse) -> None:
    found = contents(bundle)
    expected = (secret_course.expected / "small.wordy.txt").read_bytes()
    assert found["grader_check/data/expected/small.wordy.txt"] == expected
    rules = [name for name in found if "because.json" in name]
    assert rules == [f"grader_check/data/expected/small.{variant}.because.json" for variant in ("canonical", "wordy")]
    assert RULE in found[rules[0]].decode()
    content = json.loads(found["grader_check/data/bundle.json"])
    assert [test["id"] for test in content["tests"]] == ["small", "closed", "at-the-prompt"]
    assert [rule["id"] for rule in content["rules"]] == ["no-eval"]
    seals = json.loads(found["grader_check/data/seals.json"])["seals"]
    assert [(one["test"], one["variant"], len(one["seal"]["digests"])) for one in seals] == [
        ("closed", "canonical", 3),
        ("closed", "wordy", 3),
    ]


@pytest.mark.parametrize("assignment", ["comp9021-25t3-a1", "cse231-lab10b", "cse231-proj09", "cse231-proj10"])
def test_no_reference_and_no_hidden_test_of_our_assignments_is_in_their_bundles(assignment: str) -> None:
    loaded = Course(ROOT).assignment(assignment)
    content = public_content(loaded)
    data = data_files(loaded, content)
    public = {test.id for test in content.tests}
    whole = "\n".join([*data, *(text.decode() for text in data.values())])
    for test in loaded.tests:
        assert (f"/{test.id}." in whole) == (test.id in public)
        assert (f'"id": "{test.id}"' in whole) == (test.id in public)
        for variant in loaded.program_of[test.program].variants:
            here = reasons_file(loaded, test, variant)
            shown = test.id in public and not test.sealed and here.exists()
            assert (f"data/expected/{here.name}" in data) == shown
    provided = "".join(module.source.read_text() for module in loaded.provided)
    for program in loaded.programs:
        code = CODE.findall(program.reference.read_text())
        assert len(code) > 10
        assert not [line for line in code if line in whole and line not in provided]


def test_only_modules_behind_the_entry_are_in_it(bundle: Path) -> None:
    names = set(contents(bundle))
    assert "grader_check/lib/grader/judge/judge.py" in names
    for absent in ("grader/checkers/child", "grader/spec/load", "grader/expected/generate", "grader/marks/late"):
        assert not any(absent in name for name in names), absent


@pytest.mark.slow
def test_it_names_the_causes_of_plugins(tmp_path: Path) -> None:
    bundle = make_file(Course(ROOT).assignment("cse231-lab10a"), tmp_path / "grader.pyz").path
    program = ROOT / "submissions" / "cse231-lab10a" / "other-seed" / "lab10a.py"
    # Without the packages beside Python, the only plugins are those of the bundle.
    command = sys.executable, "-I", "-S", bundle, program
    check = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert check.returncode == 1, check.stderr
    assert "The first card is wrong" in check.stdout


@pytest.mark.slow
def test_all_that_the_modules_import_is_in_it_or_comes_with_python() -> None:
    imported = {
        name.partition(".")[0]
        for file in modules_behind(["grader.plugins.bundling.entry"]).values()
        for name in imports_of(file)
    }
    assert imported - sys.stdlib_module_names <= {"grader", "findpython", "regex", *PACKAGES}


def test_licences_of_other_packages_are_in_it(bundle: Path) -> None:
    names = " ".join(contents(bundle))
    for package in PACKAGES:
        assert f"lib/{package}-" in names
    assert names.count("LICENSE") == len(PACKAGES)


def test_an_assignment_without_a_public_test_has_no_bundle(secret_course: SmallCourse, tmp_path: Path) -> None:
    shutil.copytree(secret_course.folder, tmp_path / "course")
    for file in (tmp_path / "course" / "test_specs" / "doubles" / "tests").iterdir():
        text = file.read_text().replace("visibility: public", "visibility: hidden")
        file.write_text(text.replace("sealed: true, ", "").replace("hidden_twin_of: small, ", ""))
    with pytest.raises(BundleError, match="no public test"):
        make_file(Course(tmp_path / "course").assignment("doubles"), tmp_path / "grader.pyz")


@pytest.mark.slow
def test_a_folder_that_is_no_bundle_is_left_alone(secret_course: SmallCourse, tmp_path: Path) -> None:
    assignment = Course(secret_course.folder).assignment("doubles")
    with pytest.raises(BundleError, match="is no bundle"):
        make_folder(assignment, secret_course.folder)
    assert make_folder(assignment, tmp_path / "new").path.is_dir()
    assert make_folder(assignment, tmp_path / "new").path.is_dir()


@pytest.mark.parametrize("make", [make_file, make_folder])
def test_the_bundle_of_another_assignment_is_not_replaced(
    make: Callable[[Assignment, Path], BundleFile], secret_course: SmallCourse, tmp_path: Path
) -> None:
    assignment = Course(secret_course.folder).assignment("doubles")
    place = tmp_path / "self-check"
    make(assignment, place)
    with pytest.raises(BundleError, match="self-check is the self-check of doubles; choose another name"):
        make(replace(assignment, id="triples"), place)
    make(assignment, place)
