"""A submission is read as the variant that gives most points, one for programs that share theirs."""

import subprocess
from pathlib import Path

import pytest

from grader.expected.transcripts import load_transcripts
from grader.grading.grade_submission import grade_submission
from grader.grading.result_cache import OutcomeSource
from grader.model.judgement import Verdict
from grader.model.results import GradedSubmission
from grader.reports.words import variant_words
from grader.run.environment import open_environment
from grader.spec.course import Course
from tests.conftest import RIGHT, SmallCourse
from tests.intake.taking import submission_in


def graded(course: SmallCourse, double: str) -> GradedSubmission:
    folder = course.hand_in("student", double)
    assignment = Course(course.folder).assignment("doubles")
    transcripts = load_transcripts(assignment, assignment.tests)
    submission = submission_in(folder, assignment.file_names, assignment.zone)
    with open_environment() as environment:
        return grade_submission(
            assignment, assignment.tests, transcripts, submission, OutcomeSource(environment), tick=lambda: None
        )


def verdicts(result: GradedSubmission) -> dict[str, Verdict]:
    return {one.test.id: one.verdict for one in result.results}


def test_the_best_variant_counts_for_all_tests(small_course: SmallCourse) -> None:
    double = RIGHT.replace("Double", "Twice")
    result = graded(small_course, double)
    assert result.variants == {"double.py": "wordy", "triple.py": "canonical"}
    assert set(verdicts(result).values()) == {Verdict.PASSED}


def test_mixing_variants_costs_the_points_of_the_lesser_one(small_course: SmallCourse) -> None:
    double = 'n = int(input("Number: "))\nprint("Double:" if n == 4 else "Twice:", 2 * n)\n'
    result = graded(small_course, double)
    assert result.variants["double.py"] == "wordy"
    assert verdicts(result)["small"] is Verdict.WRONG_OUTPUT
    assert verdicts(result)["hidden-11"] is Verdict.PASSED
    assert str(result.part_points("doubles")) == "6"


def test_without_points_the_variant_that_agrees_longest_is_shown(small_course: SmallCourse) -> None:
    for file in small_course.expected.glob("*.wordy.txt"):
        file.write_text(file.read_text().replace("Number", "Any number"))
    result = graded(small_course, 'n = int(input("Any number: "))\nprint("Twice", 2 * n)\n')
    assert result.variants["double.py"] == "wordy"
    assert {one.judgement.divergence.line for one in result.results if one.judgement.divergence} == {2}


def test_without_points_the_variant_with_fewer_lines_that_are_missing_is_shown(small_course: SmallCourse) -> None:
    for file in small_course.expected.glob("*.canonical.txt"):
        file.write_text("Hello\nOne\nTwo\n")
    for file in small_course.expected.glob("*.wordy.txt"):
        file.write_text("Hello\nThree\n")
    result = graded(small_course, "print('Hello')\n")
    assert result.variants["double.py"] == "wordy"


def test_what_stands_for_an_open_text_is_no_agreement(small_course: SmallCourse) -> None:
    file = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    file.write_text(file.read_text() + "compare: {wildcard_texts: [Any text]}\n")
    for expected in small_course.expected.glob("*.canonical.txt"):
        expected.write_text("Rules\nBoard 1\nBoard 2\nBye\n")
    for expected in small_course.expected.glob("*.wordy.txt"):
        expected.write_text("Rules\nAny text\nBye\nBoard 3\nBye\n")
    result = graded(small_course, "print('Rules\\nboard 1\\nBoard 2\\nBye')\n")
    assert result.variants["double.py"] == "canonical"
    of_double = [one.judgement.divergence for one in result.results if one.test.program == "double.py"]
    assert {one.line for one in of_double if one} == {2}


@pytest.mark.parametrize(("printed", "variant"), [("Doubled:", "canonical"), ("\\nDoubled:", "wordy")])
def test_a_blank_line_that_is_let_pass_does_not_choose_the_variant(
    small_course: SmallCourse, printed: str, variant: str
) -> None:
    """The variants differ in a blank line, which counts in one test only."""
    tests = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    lenient = "- id: hidden-$n\n    compare: {ignore: [blank-lines]}"
    tests.write_text(tests.read_text().replace("- id: hidden-$n", lenient))
    for file in small_course.expected.glob("*.canonical.txt"):
        file.with_name(file.name.replace("canonical", "wordy")).write_text(file.read_text().replace("\n", "\n\n", 1))
    result = graded(small_course, RIGHT.replace("Double:", printed))
    assert result.variants["double.py"] == variant


def test_with_everything_equal_the_first_variant_is_taken(small_course: SmallCourse) -> None:
    result = graded(small_course, "print('nothing')\n")
    assert result.variants["double.py"] == "canonical"


def test_a_failure_of_ours_is_an_internal_error_and_goes_no_further(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("student", RIGHT)
    assignment = Course(small_course.folder).assignment("doubles")
    transcripts = load_transcripts(assignment, assignment.tests)
    submission = submission_in(folder, assignment.file_names, assignment.zone)
    with open_environment() as environment:
        Path(environment.interpreter.executable).unlink()
        result = grade_submission(
            assignment, assignment.tests, transcripts, submission, OutcomeSource(environment), tick=lambda: None
        )
    assert set(verdicts(result).values()) == {Verdict.INTERNAL_ERROR}
    assert result.needs_rerun


def test_no_process_of_a_program_is_left(small_course: SmallCourse) -> None:
    mark = f"left-over-{small_course.folder.parent.name}"
    double = (
        "import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', {mark!r}])\n" + RIGHT
    )
    result = graded(small_course, double)
    assert verdicts(result)["small"] is Verdict.PASSED
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert not [line for line in found.stdout.splitlines() if mark in line]


def test_programs_without_variants_of_their_own_are_read_as_the_same_one(small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    text = spec.read_text().replace("{file: double.py, variants: [canonical, wordy]}", "{file: double.py}")
    spec.write_text(text + "variants: [canonical, wordy]\n")
    at_the_prompt = small_course.expected / "at-the-prompt.canonical.txt"
    (small_course.expected / "at-the-prompt.wordy.txt").write_text(at_the_prompt.read_text().replace("15", "fifteen"))
    result = graded(small_course, RIGHT.replace("Double", "Twice"))
    assert result.variants == {"double.py": "wordy", "triple.py": "wordy"}
    assert verdicts(result)["at-the-prompt"] is Verdict.WRONG_OUTPUT
    assert list(variant_words(Course(small_course.folder).assignment("doubles"), result)) == ["read as: wordy"]


def test_when_all_agree_equally_long_the_variant_with_more_lines_in_common_is_shown(small_course: SmallCourse) -> None:
    result = graded(small_course, 'n = int(input("Another number: "))\nprint("Twice:", 2 * n)\n')
    assert result.variants["double.py"] == "wordy"


def test_the_variant_with_most_points_that_count_is_taken(small_course: SmallCourse) -> None:
    """Two hidden tests are right as `wordy`; but they count only with `small`, which is right as `canonical`."""
    tests = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("- id: hidden-$n", "- id: hidden-$n\n    requires: [small]"))
    assert "requires: [small]" in tests.read_text()
    result = graded(small_course, 'n = int(input("Number: "))\nprint("Double:" if n == 4 else "Twice:", 2 * n)\n')
    assert result.variants["double.py"] == "canonical"


def test_a_variant_that_prints_little_is_not_nearer_for_it(small_course: SmallCourse) -> None:
    for file in small_course.expected.glob("*.canonical.txt"):
        file.write_text("Hello\nHand\n1\n2\n3\n4\n5\nBye\n")
    for file in small_course.expected.glob("*.wordy.txt"):
        file.write_text("Hello\nHand\n")
    result = graded(small_course, "print('Hello\\nHand\\n6\\n7\\n8\\n9\\n0\\nBye')\n")
    assert result.variants["double.py"] == "canonical"
