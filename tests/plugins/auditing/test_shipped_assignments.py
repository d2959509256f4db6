"""The tests of the shipped assignments catch a stated sample of the mistakes in audit.yaml and of the other mutants."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grader.plugins.auditing.audit_file import FILE_NAME, read_audit_settings
from grader.plugins.auditing.base_program import references
from grader.plugins.auditing.mutants import mutants_at, mutation_sites
from grader.spec.course import Course
from tests import ROOT
from tests.sandbox import needs_sandbox

MISTAKES_PER_PROGRAM = 10

# Every mutant goes through every test of its program, so only some can be tried here: a mistake of audit.yaml,
# and so many mutants made by operators, fewer where the reference searches long.
SEED = 1
BY_OPERATORS = {
    "comp9021-25t3-a1": 1,
    "cs509-2003-pa3": 1,
    "cse231-lab10a": 3,
    "cse231-lab10b": 2,
    "cse231-proj09": 1,
    "cse231-proj10": 1,
}


@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_every_game_has_mistakes_to_try(assignment_id: str) -> None:
    assignment = Course(ROOT).assignment(assignment_id)
    programs = [mutant.base.file for mutant in read_audit_settings(assignment, list(references(assignment))).mutants]
    assert all(programs.count(program.file) >= MISTAKES_PER_PROGRAM for program in assignment.programs)


@pytest.mark.slow
@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_every_mark_is_of_a_mutant_that_there_is(assignment_id: str) -> None:
    assignment = Course(ROOT).assignment(assignment_id)
    bases = list(references(assignment))
    catalogue = read_audit_settings(assignment, bases)
    made = {mutant.id for base in bases for mutant in mutants_at(mutation_sites(base, catalogue.leave))}
    assert set(catalogue.equivalent) <= made


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("assignment_id", Course(ROOT).assignment_ids())
def test_at_least_95_percent_are_caught(assignment_id: str, tmp_path: Path) -> None:
    for part in ("checkers", "reference"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copytree(ROOT / "test_specs" / assignment_id, tmp_path / "test_specs" / assignment_id)
    file = tmp_path / "test_specs" / assignment_id / FILE_NAME
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    content["mistakes"] = random.Random(SEED).sample(content["mistakes"], 1)
    file.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    sample = str(BY_OPERATORS[assignment_id])
    command = ["audit", assignment_id, "--sample", sample, "--seed", str(SEED), "--min-percent", "95"]
    run = subprocess.run(
        [sys.executable, "-m", "grader", *command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
