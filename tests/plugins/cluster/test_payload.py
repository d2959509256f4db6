"""What a worker gets of a course, once the course is gone."""

from pathlib import Path

import grader
from grader.expected.transcripts import ExpectedTranscripts
from grader.grading.result_cache import OutcomeSource
from grader.model.judgement import Verdict
from grader.plugins.cluster.messages import class_payload
from grader.run.environment import open_environment
from tests.courses.conftest import OneProgram
from tests.courses.test_played import CONTENT, write
from tests.plugins.interactors.test_grading import RIGHT, course, graded


def test_an_interactor_travels_with_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    (tmp_path / "elsewhere").mkdir()
    payload = class_payload(course(tmp_path / "course"), ExpectedTranscripts({}))
    (tmp_path / "course").rename(tmp_path / "gone")
    assignment = payload.unpack(tmp_path / "elsewhere")
    with open_environment() as environment:
        result = graded(assignment, RIGHT, OutcomeSource(environment), tmp_path)
    assert (result.verdict, result.judgement.diagnosis) == (Verdict.PASSED, None)


def test_files_beside_a_program_travel(tmp_path: Path) -> None:
    demo = OneProgram(tmp_path / "course", grader.SandboxKind.NONE)
    demo.folder.mkdir()
    write(demo, "pipes", "files: {in/more.txt: three.txt}, args: [x]", CONTENT, {"files/three.txt": "3\n"})
    assignment = grader.load("demo", course=demo.folder)
    [test] = class_payload(assignment, ExpectedTranscripts({})).unpack(tmp_path / "worker").tests
    [beside] = test.start.files
    assert beside.source.is_relative_to(tmp_path / "worker")
    assert (beside.name, beside.source.read_text(), test.start.arguments) == ("in/more.txt", "3\n", ("x",))
