"""What is handed out in any shape comes back as the same students, files and times."""

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.course import DUE, PROGRAM, ZONE, Course, make_course
from benchmarks.shapes import SHAPES, Attempt, Student, teams
from grader.intake.choose_attempt import ClassSubmissions
from grader.intake.match_files import SubmissionRequirements
from grader.model.assignment import AttemptPolicy, SubmissionPolicy
from grader.model.submission import StudentIdentity, Submission
from tests.intake.taking import take_in

WANTED = SubmissionRequirements(programs={PROGRAM: (PROGRAM,)}, zone=ZONE)
SOME = 12


def taken(
    course: Course, shape: str, folder: Path, wanted: SubmissionRequirements = WANTED, *, roster: bool = True
) -> ClassSubmissions:
    path = course.write(folder / "class", shape)
    course.write_roster(folder / "roster.csv")
    (folder / "unpacked").mkdir()
    return take_in(path, wanted, folder / "unpacked", roster=folder / "roster.csv" if roster else None, due=DUE)


def source(submission: Submission) -> str | None:
    return submission.files[0].path.read_text() if submission.files else None


def counting(student: Student, shape: str) -> Attempt | None:
    """The attempt that counts: of repositories the last one on time, of others the last one."""
    in_time = [one for one in student.attempts if one.submitted <= DUE]
    candidates = in_time if shape == "git" and in_time else student.attempts
    return candidates[-1] if candidates else None


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"gradescope"}))
@given(seed=st.integers(0, 10_000))
@settings(max_examples=2, database=None)
def test_with_a_roster_everyone_is_there_with_the_file_and_time_that_count(shape: str, seed: int) -> None:
    course = make_course(SOME, seed)
    with tempfile.TemporaryDirectory() as name:
        intake = taken(course, shape, Path(name))
        found = {submission.student: source(submission) for submission in intake.submissions}
    attempts = {student.id: counting(student, shape) for student in course.students}
    assert found == {student: attempt and attempt.source for student, attempt in attempts.items()}
    for submission in intake.submissions:
        attempt = attempts[submission.student]
        if attempt is None:
            assert submission.submitted is None
            assert submission.readable
        elif "canvas" in shape:
            assert submission.submitted is not None
            assert (submission.submitted > DUE) == (attempt.submitted > DUE)
        else:
            # Zip files count time in steps of two seconds; the class is handed in at whole minutes.
            assert submission.submitted == attempt.submitted
    assert not [note for note in intake.notes if "is not in" in note]


@given(seed=st.integers(0, 10_000))
@settings(max_examples=3, database=None)
def test_teams_of_gradescope_are_a_row_each_with_the_same_file(seed: int) -> None:
    course = make_course(SOME, seed)
    with tempfile.TemporaryDirectory() as name:
        intake = taken(course, "gradescope", Path(name))
        found = {one.student: (source(one), one.submitted) for one in intake.submissions}
    expected = dict.fromkeys([student.id for student in course.students], (None, None))
    for team in teams(course.students):
        newest = team[0].attempts[-1]
        expected |= {student.id: (newest.source, newest.submitted) for student in team}  # type: ignore[misc]
    assert found == expected
    shared = [one for one in intake.submissions if any("together" in note for note in one.notes)]
    assert len(shared) == 2 * len([team for team in teams(course.students) if len(team) == 2])


CLUES = {
    "folders": lambda one: StudentIdentity(login=one.id),
    "files": lambda one: StudentIdentity(login=one.id),
    "git": lambda one: StudentIdentity(login=one.login),
    "moodle": lambda one: StudentIdentity(name=one.name, moodle=one.moodle),
    "moodle-flat": lambda one: StudentIdentity(name=one.name, moodle=one.moodle),
    "blackboard": lambda one: StudentIdentity(name=one.name, login=one.login),
    "canvas": lambda one: StudentIdentity(canvas=one.canvas),
    "gradescope": lambda one: StudentIdentity(name=one.name, id=one.id, email=one.email),
}


@pytest.mark.parametrize("shape", sorted(CLUES))
def test_without_a_roster_submissions_say_what_the_platform_says(shape: str, tmp_path: Path) -> None:
    course = make_course(SOME, 3)
    submissions = taken(course, shape, tmp_path, roster=False).submissions
    handed_in = [student for student in course.students if student.attempts or shape == "git"]
    found = [one.identity if shape != "canvas" else replace(one.identity, name=None) for one in submissions]
    expected = [CLUES[shape](student) for student in handed_in]
    if shape.startswith("moodle"):
        # These may not stand in the names of files.
        expected = [replace(one, name=str(one.name).replace('"', "")) for one in expected]
    assert sorted(map(str, found)) == sorted(map(str, expected))
    assert len({one.student for one in submissions}) == len(submissions)


def test_the_same_seed_makes_the_same_class_and_another_one_another() -> None:
    assert make_course(30, 1) == make_course(30, 1)
    assert make_course(30, 1) != make_course(30, 2)


@pytest.mark.parametrize("policy", AttemptPolicy)
@pytest.mark.parametrize("shape", ["attempts", "git"])
@pytest.mark.parametrize("grace", [timedelta(0), timedelta(days=2)])
@pytest.mark.slow
def test_the_policy_says_which_attempt_counts(
    shape: str, grace: timedelta, policy: AttemptPolicy, tmp_path: Path
) -> None:
    course = make_course(30, 5)
    wanted = replace(WANTED, policy=SubmissionPolicy(attempts=policy), grace=grace)
    found: dict[str, set[str | None]] = {}
    for one in taken(course, shape, tmp_path, wanted).submissions:
        found.setdefault(one.student, set()).add(source(one))
    for student in course.students:
        attempts = student.attempts
        in_time = [one for one in attempts if one.submitted <= DUE + grace]
        if policy is AttemptPolicy.LAST_ON_TIME or (policy is AttemptPolicy.BEST and shape == "git"):
            attempts = tuple((in_time or list(attempts))[-1:])
        elif policy is AttemptPolicy.LAST:
            attempts = attempts[-1:]
        assert found[student.id] == ({one.source for one in attempts} if attempts else {None})
