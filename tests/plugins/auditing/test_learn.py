"""Faulty programs of an earlier class become samples that the tests must catch, and no one can be told from them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from grader.analysis.failure_groups import groups_of
from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.results import GradedSubmission
from grader.model.submission import StudentIdentity, Submission, SubmittedFile
from grader.plugins.auditing.base_run import TrialSetting
from grader.plugins.auditing.earlier_class import EarlierClass, FaultyProgram, earlier_class
from grader.plugins.auditing.samples import broken_samples, samples_in
from grader.run.environment import open_environment
from grader.spec.course import Course
from tests.conftest import RIGHT, TRIPLE, Grader, SmallCourse
from tests.sandbox import needs_sandbox

WRONG = RIGHT.replace("2 *", "3 *")


@pytest.fixture
def setting(small_course: SmallCourse) -> Iterator[TrialSetting]:
    assignment = Course(small_course.folder).assignment("doubles")
    with open_environment() as environment:
        transcripts = load_transcripts(assignment, assignment.tests)
        yield TrialSetting(assignment, transcripts, OutcomeSource(environment), jobs=1)


def graded(setting: TrialSetting, folder: Path, student: str, double: str, name: str | None = None) -> GradedSubmission:
    (folder / student).mkdir(parents=True)
    for file, text in (("double.py", double), ("triple.py", TRIPLE)):
        (folder / student / file).write_text(text)
    files = tuple(SubmittedFile(file, folder / student / file) for file in ("double.py", "triple.py"))
    submission = Submission(
        student=student, files=files, submitted=None, time_source="none", notes=(), identity=StudentIdentity(name=name)
    )
    tests = setting.assignment.tests
    return grade_submission(
        setting.assignment, tests, setting.transcripts, submission, setting.outcomes, tick=lambda: None
    )


def learned(earlier: EarlierClass, submissions: list[GradedSubmission], folder: Path) -> list[FaultyProgram | None]:
    return [earlier.faulty_program(group, folder / "again") for group in groups_of(submissions)]


@pytest.mark.slow
def test_the_smallest_program_of_a_group_is_kept_without_comments_and_docstrings(
    setting: TrialSetting, tmp_path: Path
) -> None:
    submissions = [
        graded(setting, tmp_path, "ann", f'"""By Ann Lee."""\nunused = 12345678\n{WRONG}', "Ann Lee"),
        graded(
            setting, tmp_path, "bob", f'"""By Bob, s1234567, and Ann Lee, who helped."""\n# Bob\n{WRONG}', "Bob Ray"
        ),
        graded(setting, tmp_path, "eve", RIGHT, "Eve Fox"),
    ]
    [found] = learned(earlier_class(setting, submissions), submissions, tmp_path)
    assert found is not None
    assert found.texts == {
        "double.py": "print('Double:', 3 * int(input('Number: ')))\n",
        "triple.py": TRIPLE,
    }


@pytest.mark.slow
def test_a_program_that_names_its_student_is_not_kept(setting: TrialSetting, tmp_path: Path) -> None:
    submissions = [
        graded(setting, tmp_path, "s0", f"fieldnotesOfJane = 1\n{WRONG}", "Jane Doe"),
        graded(setting, tmp_path, "s1", f"by = 'li'\n{WRONG}", "Li Wu"),
        graded(setting, tmp_path, "s2", f"friend = 'Jane_DOE@school.edu'\n{WRONG}", "Bob Ray"),
        graded(setting, tmp_path, "s3", f"planner = 'Ray, but not of Bob or Jane'\n{WRONG}", "Eve Fox"),
    ]
    earlier = earlier_class(setting, submissions)
    [found] = learned(earlier, submissions, tmp_path)
    assert found is not None
    assert "planner" in found.texts["double.py"]
    assert learned(earlier_class(setting, submissions[:3]), submissions[:3], tmp_path) == [None]


def test_a_program_that_needs_what_is_taken_away_is_not_kept(setting: TrialSetting, tmp_path: Path) -> None:
    submissions = [
        graded(setting, tmp_path, "ann", f'"""Trouble"""\n{RIGHT.replace("Double:", "").replace("2 *", "__doc__,")}')
    ]
    assert learned(earlier_class(setting, submissions), submissions, tmp_path) == [None]


@pytest.mark.slow
def test_what_is_written_is_a_sample_that_the_tests_must_catch(
    setting: TrialSetting, small_course: SmallCourse, tmp_path: Path
) -> None:
    submissions = [graded(setting, tmp_path, "ann", WRONG, "Ann Lee")]
    [found] = learned(earlier_class(setting, submissions), submissions, tmp_path)
    assert found is not None
    found.write(small_course.students / "learned-1")
    [file] = samples_in(small_course.students)
    assert yaml.safe_load(file.read_text())["fails"] == {"doubles": ["wrong-output"]}
    assert "ann" not in file.read_text().casefold()
    assert list(broken_samples(setting, [file], lambda: None)) == []
    fewer = replace(
        setting.assignment, tests=tuple(test for test in setting.assignment.tests if test.part != "doubles")
    )
    missed = list(broken_samples(replace(setting, assignment=fewer), [file], lambda: None))
    assert missed == ["learned-1, doubles: got passed; stated wrong-output"]


@needs_sandbox
@pytest.mark.slow
def test_an_earlier_class_is_learned_once_and_not_needed_again(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("ann", f"# by Ann\n{WRONG}")
    small_course.hand_in("bob", RIGHT)
    small_course.students.rename(small_course.folder / "last-year")
    command = ("audit", "doubles", "--sample", "0", "--min-percent", "0")
    first = grader(*command, "--learn", "last-year")
    assert first.returncode == 0, first.stderr
    [line] = [line for line in first.stdout.splitlines() if line.startswith("written: ")]
    sample = small_course.students / line.rpartition("/")[2]
    assert (sample / "double.py").read_text() == "print('Double:', 3 * int(input('Number: ')))\n"
    again = grader(*command, "--learn", "last-year")
    assert "written: " not in again.stdout
    (sample / "double.py").write_text(RIGHT)
    missed = grader(*command)
    assert missed.returncode == 1
    assert f"{sample.name}, doubles: got passed; stated wrong-output" in missed.stdout
