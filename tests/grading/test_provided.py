"""A student's program runs beside the provided module, and is told what the test states."""

import pytest

from grader.authoring.generate import GenerationError, generate
from grader.expected.transcripts import load_transcripts, write_transcript
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.judgement import Verdict
from grader.run.environment import open_environment
from grader.spec.course import Course
from tests.conftest import Grader, SmallCourse
from tests.intake.taking import submission_in

CARDS = "import os\nTOLD = [os.environ.get(f'PROVIDED_{name}') for name in ('EDITION', 'DECK', 'RANDOM_SEED')]\n"
PROGRAM = "import cards\nprint(cards.TOLD)\n"
TESTS = """\
format: 1
program: double.py
part: doubles
points: 5
tests:
  - {id: usual, input: []}
  - {id: stated, input: [], edition: lab, deck: 3♠ 10♥, random_seed: 5}
  - {id: small, input: [], points: 0, visibility: public}
"""


@pytest.fixture
def course(small_course: SmallCourse) -> SmallCourse:
    """A course whose double.py prints what the provided cards.py was told."""
    spec = small_course.folder / "test_specs" / "doubles"
    main = (spec / "assignment.yaml").read_text()
    provided = "provided:\n  - {file: cards.py, source: cards_of_course.py}\neditions: [padded, lab]\nparts:"
    (spec / "assignment.yaml").write_text(main.replace("parts:", provided))
    (spec / "tests" / "double.yaml").write_text(TESTS)
    (small_course.folder / "reference" / "cards_of_course.py").write_text(CARDS)
    (small_course.folder / "reference" / "double.py").write_text(PROGRAM)
    return small_course


def expect(course: SmallCourse) -> dict[str, str]:
    """Generate the expected transcripts; returns those of the first variant by test."""
    assignment = Course(course.folder).assignment("doubles")
    with open_environment() as environment:
        generated = generate(assignment, assignment.tests, environment, jobs=2, tick=lambda: None)
    for file, text in generated.items():
        write_transcript(file, text)
    return {file.name.removesuffix(".canonical.txt"): text for file, text in generated.items()}


def test_the_reference_is_told_what_the_test_states(course: SmallCourse) -> None:
    transcripts = expect(course)
    assert transcripts["usual"] == "['padded', None, None]\n"
    assert transcripts["stated"] == "['lab', '3♠ 10♥', '5']\n"


@pytest.mark.slow
def test_a_submission_is_told_the_same_and_its_own_copy_is_not_used(course: SmallCourse) -> None:
    expect(course)
    folder = course.hand_in("student", PROGRAM)
    (folder / "cards.py").write_text("TOLD = 'my own cards'\n")
    assignment = Course(course.folder).assignment("doubles")
    submission = submission_in(folder, assignment.file_names, assignment.zone, ["cards.py"])
    assert submission.notes == ("cards.py is passed over: the one that is provided is used",)
    transcripts = load_transcripts(assignment, assignment.tests)
    with open_environment() as environment:
        graded = grade_submission(
            assignment, assignment.tests, transcripts, submission, OutcomeSource(environment), tick=lambda: None
        )
    assert {result.verdict for result in graded.results} == {Verdict.PASSED}


@pytest.mark.slow
def test_another_name_for_the_provided_module_is_noticed(course: SmallCourse) -> None:
    expect(course)
    folder = course.hand_in("student", PROGRAM.replace("cards", "cards_A"))
    assignment = Course(course.folder).assignment("doubles")
    submission = submission_in(folder, assignment.file_names, assignment.zone)
    transcripts = load_transcripts(assignment, assignment.tests)
    with open_environment() as environment:
        graded = grade_submission(
            assignment, assignment.tests, transcripts, submission, OutcomeSource(environment), tick=lambda: None
        )
    found = {result.judgement.diagnosis.sentence for result in graded.results if result.judgement.diagnosis}
    assert len(found) == 1
    assert found.pop().endswith("No module named 'cards_A'; the provided module is called `cards`.")


@pytest.mark.slow
def test_a_class_and_a_self_check(course: SmallCourse, grader: Grader) -> None:
    expect(course)
    folder = course.hand_in("student", PROGRAM)
    (folder / "cards.py").write_text("TOLD = 'my own cards'\n")
    assert grader("grade", "submissions/").returncode == 0
    assert (
        '"cards.py is passed over: the one that is provided is used"' in (course.reports / "results.json").read_text()
    )
    assert grader("check", folder).returncode == 0


def test_a_deck_that_the_module_refuses_is_told_to_the_author(course: SmallCourse) -> None:
    cards = course.folder / "reference" / "cards_of_course.py"
    cards.write_text("import sys\nprint('PROVIDED_DECK names x')\nsys.exit(2)\n")
    with pytest.raises(GenerationError, match=r"its exit status is 2(.|\n)*PROVIDED_DECK names x"):
        expect(course)


def test_a_changed_copy_beside_the_program_is_told_and_an_unchanged_one_is_not(
    course: SmallCourse, grader: Grader
) -> None:
    expect(course)
    program = course.hand_in("right", PROGRAM) / "double.py"
    copy = program.with_name("cards.py")
    told = "Mind: the tests use the course's cards.py; your own copy differs from it.\n"
    copy.write_bytes(CARDS.replace("\n", "\r\n").encode())
    assert "Mind:" not in grader("check", str(program)).stdout
    copy.write_text(CARDS + "TOLD = []\n")
    assert told in grader("check", str(program)).stdout
    assert told in grader("check", str(program.parent)).stdout
