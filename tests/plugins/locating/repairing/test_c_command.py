"""`--repair` proves a change of each failing C program, which it builds."""

import json
import shutil
from pathlib import Path

import pytest

from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs the Debian package gcc")

ASSIGNMENT = """\
format: 1
id: sums
title: Sums
programs: [{file: sums.c}]
parts: [{id: sums, title: sums, marks: 2}]
due: 2026-03-20 17:00
time_zone: Europe/Vienna
"""

TESTS = """\
format: 1
program: sums.c
part: sums
points: 1
tests:
  - {id: three, stdin_text: "3\\n", visibility: public}
  - {id: none, stdin_text: "0\\n"}
"""

REFERENCE = """\
#include <stdio.h>

int main(void) {
    int count, total = 0;
    scanf("%d", &count);
    for (int i = 1; i <= count; i++) { total += i; }
    printf("%d\\n", total);
    return 0;
}
"""


@pytest.fixture
def course(tmp_path: Path, prepared: PreparedGrader) -> Path:
    folder = tmp_path / "course"
    wrong = "/* mine */\n" + REFERENCE.replace("<=", "<").replace("total", "sum")
    files = {
        "test_specs/sums/assignment.yaml": ASSIGNMENT,
        "test_specs/sums/tests/sums.yaml": TESTS,
        "reference/sums.c": REFERENCE,
        "submissions/sums/ann/sums.c": wrong,
        "submissions/sums/ben/sums.c": wrong.replace("count", "n"),
        "submissions/sums/broken/sums.c": wrong.replace("return 0;", "return 0"),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    run = prepared.run("generate", "sums", folder=folder)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.mark.slow
@needs_sandbox
def test_a_c_program_is_repaired(course: Path, prepared: PreparedGrader) -> None:
    run = prepared.run("grade", "submissions/sums", "--repair", folder=course)
    assert run.returncode == 0, run.stdout + run.stderr
    content = json.loads((course / "reports" / "sums" / "results.json").read_text())
    repairs = {entry["student"]: entry.get("repairs", []) for entry in content["submissions"]}
    [ann], [ben] = repairs["ann"], repairs["ben"]
    assert ann["mistake"] == ben["mistake"] == "`<=` for `<` in the loop of main"
    assert (ann["failing"], ann["shared_with"]) == (0, ["ben"])
    assert "-    for (int i = 1; i < count; i++) { sum += i; }\n+    for (int i = 1; i <= count; i++)" in ann["diff"]
    assert repairs["broken"] == []
