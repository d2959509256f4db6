"""A program that is run by a command sees its own name as it would when a person starts it in its folder."""

from pathlib import Path

import pytest

from grader.model.program import SandboxKind
from tests.conftest import Grader, SmallCourse

ASSIGNMENT = """\
format: 1
id: names
title: Names
programs:
  - {file: read.sh, reference: answer.sh, run: [bash, read.sh]}
  - {file: started.sh, reference: answer.sh, run: [./started.sh]}
  - {file: built.c, reference: solution.c}
parts:
  - {id: p, title: P, marks: 3}
due: 2030-01-20 23:59
time_zone: UTC
"""

SCRIPT = """\
#!/bin/bash
echo "usage: $0 N"
echo "${BASH_SOURCE[0]} $(dirname "$0") $(basename "$0")"
cd "$(dirname "$0")" && [ -f "$(basename "$0")" ] && echo found
"""

PROGRAM = """\
#include <stdio.h>
int main(int argc, char *argv[]) { printf("usage: %s N\\n", argv[0]); return 0; }
"""

PRINTED = {
    "read": "usage: read.sh N\nread.sh . read.sh\nfound\n",
    "started": "usage: ./started.sh N\n./started.sh . started.sh\nfound\n",
    "built": "usage: ./built N\n",
}


@pytest.mark.parametrize("sandbox", SandboxKind)
def test_references_and_submissions_have_the_name_of_the_program(
    small_course: SmallCourse, grader: Grader, sandbox: SandboxKind
) -> None:
    folder = small_course.folder
    submission = folder / "submissions" / "names" / "ann"
    (folder / "test_specs" / "names" / "tests").mkdir(parents=True)
    submission.mkdir(parents=True)
    (folder / "test_specs" / "names" / "assignment.yaml").write_text(ASSIGNMENT)
    (folder / "reference" / "answer.sh").write_text(SCRIPT)
    (folder / "reference" / "solution.c").write_text(PROGRAM)
    for file in ("read.sh", "started.sh", "built.c"):
        test = Path(file).stem
        (folder / "test_specs" / "names" / "tests" / f"{test}.yaml").write_text(
            f"format: 1\nprogram: {file}\npart: p\npoints: 1\ntests:\n  - {{id: {test}, input: []}}\n"
        )
        (submission / file).write_text(PROGRAM if file.endswith(".c") else SCRIPT)
    assert grader("generate", "names").returncode == 0
    expected = folder / "test_specs" / "names" / "expected"
    assert {test: (expected / f"{test}.canonical.txt").read_text() for test in PRINTED} == PRINTED
    run = grader("grade", folder / "submissions" / "names", "--sandbox", sandbox)
    assert "3/3" in run.stdout
