"""A course with one program: its tests are given as YAML, its reference and submissions as source."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import grader
from grader.model.program import SandboxKind
from grader.model.results import TestResult
from tests.sandbox import is_missing, needs_sandbox

_ASSIGNMENT = """\
format: 1
id: demo
title: Demo
programs: [{program}]
parts: [{{id: all, title: All, marks: {marks}}}]
due: 2025-10-27 11:59
time_zone: UTC
"""


@dataclass(frozen=True)
class OneProgram:
    """A course in `folder`, whose programs are kept in `sandbox`."""

    folder: Path
    sandbox: SandboxKind

    @property
    def assignment(self) -> Path:
        return self.folder / "test_specs" / "demo"

    def write(
        self,
        tests: str,
        *,
        reference: str = "",
        program: str = "file: p.py",
        files: Mapping[str, str | bytes] | None = None,
        more: str = "",
        marks: int = 0,
    ) -> None:
        """Write the course: `tests` is the list of tests, `files` what lies in the assignment's folder.

        Without `marks` each test gives one.
        """
        listed = textwrap.indent(textwrap.dedent(tests).strip(), "  ")
        marks = marks or listed.count("- {id:") + listed.count("- id:")
        (self.assignment / "tests").mkdir(parents=True)
        (self.folder / "reference").mkdir()
        text = _ASSIGNMENT.format(program=f"{{{program}}}", marks=marks) + textwrap.dedent(more)
        (self.assignment / "assignment.yaml").write_text(text, encoding="utf-8")
        name = program.split("file: ", 1)[1].split(",")[0]
        head = f"format: 1\nprogram: {name}\npart: all\npoints: 1\nvisibility: public\ntests:\n"
        (self.assignment / "tests" / "all.yaml").write_text(f"{head}{listed}\n", encoding="utf-8")
        if reference:
            (self.folder / "reference" / name).write_text(textwrap.dedent(reference), encoding="utf-8")
        for path, content in (files or {}).items():
            (self.assignment / path).parent.mkdir(parents=True, exist_ok=True)
            (self.assignment / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    def generate(self) -> None:
        grader.generate(["demo"], course=self.folder)

    def results(self, source: str, name: str = "p.py", **others: str) -> dict[str, TestResult]:
        """The results of a submission by test."""
        student = self.folder / "submissions" / "demo" / "ann"
        for file, text in {name: source, **others}.items():
            (student / file).parent.mkdir(parents=True, exist_ok=True)
            (student / file).write_text(textwrap.dedent(text), encoding="utf-8")
        options = grader.GradeOptions(sandbox=self.sandbox)
        [row] = grader.grade(student.parent, course=self.folder, options=options).students
        return {result.test.id: result for result in row.tests}

    def verdicts(self, source: str, name: str = "p.py", **others: str) -> dict[str, str]:
        return {test: str(result.verdict) for test, result in self.results(source, name, **others).items()}


IN_EACH_SANDBOX = pytest.mark.parametrize(
    "demo",
    [
        pytest.param(SandboxKind.BWRAP, marks=needs_sandbox),
        pytest.param(SandboxKind.NONE, marks=pytest.mark.slow),
    ],
    indirect=True,
)
"""For tests of how a program is run and ends; what is said of its output is the same everywhere."""


@pytest.fixture
def demo(request: pytest.FixtureRequest, tmp_path: Path) -> OneProgram:
    best = SandboxKind.NONE if is_missing else SandboxKind.BWRAP
    return OneProgram(tmp_path / "my course", getattr(request, "param", best))
