"""Function tests of programs in C, as an instructor and a student use them: from the course to the bundle."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.model.program import Limits
from grader.run import toolchain
from grader.run.environment import open_environment
from grader.spec.course import Course
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs the Debian package gcc")

ASSIGNMENT = """\
format: 1
id: sums
title: Sums
programs: [{file: sums.c}]
parts: [{id: sums, title: sums, marks: 4}]
due: 2026-03-20 17:00
time_zone: Europe/Vienna
"""

TESTS = """\
format: 1
program: sums.c
part: sums
points: 1
tests:
  - {id: add, call: "add(2, 3)", visibility: public}
  - {id: third, call: "add(1, add(2, 4))", returns: 7, visibility: public}
  - {id: secret, call: "twice(4711)"}
  - {id: prints, calls: ["show(3);", "show(4)"]}
"""

REFERENCE = """\
#include <stdio.h>
int add(int a, int b) { return a + b; }
int twice(int a) { return 2 * a; }
void show(int a) { printf("<%d>\\n", a); }
"""


@pytest.fixture
def course(tmp_path: Path, prepared: PreparedGrader) -> Path:
    folder = tmp_path / "course"
    files = {
        "test_specs/sums/assignment.yaml": ASSIGNMENT,
        "test_specs/sums/tests/sums.yaml": TESTS,
        "reference/sums.c": REFERENCE,
        "submissions/sums/right/sums.c": REFERENCE + "int main(void) { return add(0, 0); }\n",
        "submissions/sums/lacks/sums.c": REFERENCE.replace("int twice", "int double_of"),
        "submissions/sums/wrong/sums.c": REFERENCE.replace("<%d>", "%d").replace("a + b", "a - b"),
        "submissions/sums/broken/sums.c": REFERENCE.replace("return a + b;", "return a + b"),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    run = prepared.run("generate", "sums", folder=folder)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.mark.slow
@needs_sandbox
def test_a_class(course: Path, prepared: PreparedGrader) -> None:
    run = prepared.run("grade", "submissions/sums", folder=course)
    assert run.returncode == 0, run.stdout + run.stderr
    results = (course / "reports" / "sums" / "results.json").read_text()
    graded = json.loads(results)["submissions"]
    verdicts = {one["student"]: [test["verdict"] for test in one["tests"]] for one in graded}
    assert verdicts == {
        "broken": ["build-error"] * 4,
        "lacks": ["passed", "passed", "build-error", "passed"],
        "right": ["passed"] * 4,
        "wrong": ["wrong-output", "wrong-output", "passed", "wrong-output"],
    }
    assert "`twice(4711)` cannot be called: sums.c has no `twice` that fits." in results
    told = (course / "reports" / "sums" / "students" / "broken.txt").read_text()
    assert "The program cannot be built: `gcc -o sums sums.c -lm`" in told


@pytest.mark.slow
def test_a_bundle_calls_functions_too(course: Path, prepared: PreparedGrader) -> None:
    assert prepared.run("bundle", "sums", folder=course).returncode == 0
    with zipfile.ZipFile(course / "grader.pyz") as bundle:
        assert not any(b"4711" in bundle.read(name) for name in bundle.namelist())
    checked = {
        name: subprocess.run(
            [sys.executable, "-I", "grader.pyz", "check", f"submissions/sums/{name}/sums.c"],
            cwd=course,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for name in ("right", "wrong")
    }
    assert "2 of 2 tests passed." in checked["right"]
    assert "The function returns the wrong value: 5 expected, found -1." in checked["wrong"]


@pytest.mark.slow
def test_a_check_without_the_compiler_says_so(course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "SYSTEM_PATH", str(tmp_path))
    assignment = Course(course).assignment("sums")
    [add, *_] = assignment.tests
    with (
        open_environment() as environment,
        pytest.raises(SessionError, match=r"no program 'gcc' in .*it must be installed"),
    ):
        environment.run(add, [(course / "reference" / "sums.c", "sums.c")], Limits(), {})


@pytest.mark.slow
def test_a_call_that_does_not_fit_the_reference_is_the_fault_of_its_author(
    course: Path, prepared: PreparedGrader
) -> None:
    tests = course / "test_specs" / "sums" / "tests" / "sums.yaml"
    tests.write_text(TESTS.replace("add(1, add(2, 4))", "sum(1, 6)"))
    run = prepared.run("generate", "sums", folder=course)
    assert run.returncode == 2
    assert (
        "The reference sums.c (variant canonical) fails the test third: `sum(1, 6)` cannot be called: sums.c has no"
        in (run.stdout + run.stderr)
    )
    graded = prepared.run("grade", "submissions/sums", "--sandbox", "none", folder=course)
    assert "third" in graded.stderr
