"""A worker's grader grades what it is sent, from contents alone."""

import os
import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from grader.checkers import wrong
from grader.errors import ClusterError
from grader.expected.transcripts import ExpectedTranscripts, load_transcripts
from grader.grading.backend import LocalBackend
from grader.grading.grade_submission import ungraded
from grader.grading.shards import ShardFile
from grader.intake.match_files import submission_requirements
from grader.model.assignment import Assignment
from grader.model.judgement import Verdict
from grader.model.program import SandboxKind
from grader.model.python_request import PythonInUse
from grader.model.results import GradedSubmission
from grader.model.submission import Submission
from grader.model.test import CheckerSettings
from grader.plugins.cluster import worker_grader
from grader.plugins.cluster.installation import this_installation
from grader.plugins.cluster.messages import GradingJob, JobResult, ShippedFile, class_payload, read_submission
from grader.plugins.cluster.worker_grader import WorkerGrader, WorkerPlan, open_worker_grader
from grader.run.find_python import StudentPython
from grader.run.student_python import PythonMissingError
from grader.spec.course import Course
from grader.store.stored_rows import Table
from grader.store.stored_values import decode_answer
from tests import ROOT
from tests.conftest import RIGHT, SmallCourse
from tests.intake.taking import take_in

OPEN = partial(LocalBackend, SandboxKind.NONE, hidden=())


def plan_of(assignment: Assignment) -> WorkerPlan:
    transcripts = load_transcripts(assignment, assignment.tests)
    return WorkerPlan(
        payload=class_payload(assignment, transcripts),
        installation=this_installation(),
        make_backend=OPEN,
        harness="harness",
        python=StudentPython().in_use,
    )


def submissions_of(course: SmallCourse, assignment: Assignment) -> tuple[Submission, ...]:
    return take_in(course.students, submission_requirements(assignment)).submissions


@contextmanager
def desk_elsewhere(course: SmallCourse) -> Iterator[WorkerGrader]:
    """A grader that was sent its plan as bytes, on a machine that has no course folder."""
    sent = pickle.dumps(plan_of(Course(course.folder).assignment("doubles")))
    hidden = course.folder.with_name("not here")
    course.folder.rename(hidden)
    with open_worker_grader(pickle.loads(sent), 2) as grader:
        yield grader
    hidden.rename(course.folder)


def graded_at(
    grader: WorkerGrader,
    submission: Submission,
    files: list[tuple[ShippedFile, bytes]],
    found: Mapping[str, bytes] = {},
) -> JobResult:
    names = tuple(file.name for file in submission.files)
    job = GradingJob(names, tuple(file for file, _ in files), submission.refused, found)
    return grader.grade(job, [data for _, data in files])


def unpacked(assignment: Assignment, done: JobResult, submission: Submission) -> GradedSubmission:
    return ShardFile(assignment, load_transcripts(assignment, assignment.tests)).graded(done.shard, submission)


def outcomes_of(result: JobResult) -> dict[str, bytes]:
    return {row.key: row.value for row in result.rows if row.table is Table.OUTCOMES}


def test_a_submission_of_another_machine(small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    assignment = Course(small_course.folder).assignment("doubles")
    (submission,) = submissions_of(small_course, assignment)
    files = list(read_submission(submission))
    with desk_elsewhere(small_course) as grader:
        done = graded_at(grader, submission, files)
        again = graded_at(grader, submission, files, outcomes_of(done))
    assert unpacked(assignment, done, submission).raw == Decimal(12)
    assert len(done.rows) == 4
    assert again == replace(done, rows=())


def test_a_file_that_another_thread_lays_out_too_stays_the_same(
    small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two submissions with an equal file may both find it missing at once."""
    small_course.hand_in("right", RIGHT)
    assignment = Course(small_course.folder).assignment("doubles")
    (submission,) = submissions_of(small_course, assignment)
    files = list(read_submission(submission))
    laid_out: list[list[int]] = []

    def note(assignment: Assignment, _: object, submission: Submission, *__: object, **___: object) -> GradedSubmission:
        laid_out.append([file.path.stat().st_ino for file in submission.files])
        return ungraded(submission, assignment.tests, ValueError())

    monkeypatch.setattr(worker_grader, "grade_with_steps", note)
    with desk_elsewhere(small_course) as grader:
        graded_at(grader, submission, files)
        with monkeypatch.context() as before:
            before.setattr(Path, "exists", lambda _: False)
            graded_at(grader, submission, files)
    assert len(laid_out) == 2
    assert laid_out[0] == laid_out[1]


def test_a_damaged_outcome_is_made_anew(small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    assignment = Course(small_course.folder).assignment("doubles")
    (submission,) = submissions_of(small_course, assignment)
    files = list(read_submission(submission))
    with desk_elsewhere(small_course) as grader:
        done = graded_at(grader, submission, files)
        outcomes = outcomes_of(done)
        damaged = min(outcomes)
        found = {**outcomes, damaged: b"damaged"}
        again = graded_at(grader, submission, files, found)
    assert set(outcomes_of(again)) == again.damaged == {damaged}
    assert unpacked(assignment, again, submission).raw == Decimal(12)


def test_what_checkers_say_comes_back(small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    small_course.judge_by("wrong('never', 0.25)")
    (submission,) = submissions_of(small_course, Course(small_course.folder).assignment("doubles"))
    files = list(read_submission(submission))
    with desk_elsewhere(small_course) as grader:
        done = graded_at(grader, submission, files)
    answers = {decode_answer(row.value) for row in done.rows if row.table is Table.ANSWERS}
    assert answers == {wrong("never", "0.25")}


def test_a_file_that_could_not_be_read(small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    assignment = Course(small_course.folder).assignment("doubles")
    (submission,) = submissions_of(small_course, assignment)
    files = [(file, data) for file, data in read_submission(submission) if file.name != "double.py"]
    with desk_elsewhere(small_course) as grader:
        done = graded_at(grader, submission, files)
    graded = unpacked(assignment, done, submission)
    said = {result.judgement.diagnosis.sentence for result in graded.results if result.judgement.diagnosis}
    assert said == {"double.py was handed in, but cannot be read any more: was it moved, removed or closed?"}
    assert {result.verdict for result in graded.results} == {Verdict.INTERNAL_ERROR}


def test_only_regular_files_travel(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    (submission,) = submissions_of(small_course, Course(small_course.folder).assignment("doubles"))
    (folder / "double.py").unlink()
    os.mkfifo(folder / "double.py")
    with pytest.raises(OSError, match="not a regular file"):
        list(read_submission(submission))


def test_a_program_may_be_executable(small_course: SmallCourse) -> None:
    (small_course.hand_in("right", RIGHT) / "double.py").chmod(0o755)
    (submission,) = submissions_of(small_course, Course(small_course.folder).assignment("doubles"))
    assert {file.name: file.executable for file, _ in read_submission(submission)} == {
        "double.py": True,
        "triple.py": False,
    }


def test_provided_modules_travel(tmp_path: Path) -> None:
    course = Course(ROOT)
    assignment = next(one for one in course.assignments() if one.provided)
    unpacked = class_payload(replace(assignment, tests=()), ExpectedTranscripts({})).unpack(tmp_path)
    for ours, theirs in zip(assignment.provided, unpacked.provided, strict=True):
        assert theirs.source.is_relative_to(tmp_path)
        assert theirs.source.read_bytes() == ours.source.read_bytes()


def test_a_checker_travels_with_what_lies_beside_it(small_course: SmallCourse, tmp_path: Path) -> None:
    checkers = small_course.folder / "checkers"
    (checkers / "tables").mkdir(parents=True)
    (checkers / "own.py").write_text("import helper\n")
    (checkers / "helper.py").write_text("")
    (checkers / "tables" / "words.txt").write_text("words")
    assignment = Course(small_course.folder).assignment("doubles")
    own = CheckerSettings("own", checkers / "own.py", ())
    tests = (replace(assignment.tests[0], checker=own), assignment.tests[1])
    unpacked = class_payload(replace(assignment, tests=tests), ExpectedTranscripts({})).unpack(tmp_path / "there")
    first, second = (test.checker for test in unpacked.tests)
    assert first is not None
    assert first.file.is_relative_to(tmp_path / "there")
    assert first.file.read_text() == "import helper\n"
    assert (first.file.parent / "helper.py").exists()
    assert (first.file.parent / "tables" / "words.txt").read_text() == "words"
    assert second is None


def test_another_installation_is_refused(small_course: SmallCourse) -> None:
    plan = plan_of(Course(small_course.folder).assignment("doubles"))
    other = replace(plan, installation=replace(plan.installation, source="other"))
    said = "another version of grader; everything must be installed alike"
    with pytest.raises(ClusterError, match=said), open_worker_grader(other, 2):
        pass


@pytest.mark.parametrize(
    ("python", "error", "said"),
    [
        (PythonInUse("3.98.1"), PythonMissingError, "Python 3.98 is not installed here, so no test was run"),
        (
            PythonInUse(f"{StudentPython().version}.99"),
            ClusterError,
            f"it has Python {StudentPython().version}; the programs of",
        ),
        (
            PythonInUse(StudentPython().version, ("no-such-words==1",)),
            PythonMissingError,
            "no-such-words==1 cannot be installed",
        ),
    ],
)
def test_a_worker_without_the_python_of_the_class_refuses(
    small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch, python: PythonInUse, error: type[Exception], said: str
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    plan = replace(plan_of(Course(small_course.folder).assignment("doubles")), python=python)
    with pytest.raises(error, match=said), open_worker_grader(plan, 2):
        pass
