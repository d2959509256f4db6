"""A test that no submission passes, and the reference neither: no student loses marks, and a note says so."""

import json
import shutil

import pytest

from tests.conftest import RIGHT, Grader, SmallCourse


def verdicts(course: SmallCourse) -> dict[str, dict[str, str]]:
    content = json.loads((course.reports / "results.json").read_text())
    return {
        row["student"]: {test["id"]: test["verdict"] for test in row["tests"]} | {"mark": row["mark"] is not None}
        for row in content["submissions"]
    }


def stale(course: SmallCourse) -> None:
    """Let the expected transcripts of a test be those of another reference."""
    for variant in ("canonical", "wordy"):
        (course.expected / f"hidden-11.{variant}.txt").write_text("Number: 11\nDouble: 23\n")


@pytest.mark.slow
def test_a_test_that_the_reference_fails_too_is_charged_to_no_student(
    grader: Grader, small_course: SmallCourse
) -> None:
    small_course.hand_in("ann", RIGHT)
    small_course.hand_in("bob", RIGHT.replace("2 *", "3 *"))
    (small_course.hand_in("eve", None) / "triple.py").unlink()
    stale(small_course)
    for _ in range(2):
        run = grader("grade", "submissions")
        assert run.returncode == 1
        assert (
            "the test hidden-11 is passed by no submission, and not by the reference of double.py either" in run.stdout
        )
        found = verdicts(small_course)
        assert found["ann"] == {
            "small": "passed",
            "hidden-11": "internal-error",
            "hidden-12": "passed",
            "at-the-prompt": "passed",
            "mark": False,
        }
        assert (found["bob"]["hidden-11"], found["bob"]["hidden-12"]) == ("internal-error", "wrong-output")
        assert set(found["eve"].values()) == {"missing-file", True}
    pages = grader("report", "submissions").stdout.removeprefix("Web pages: ").strip()
    assert "the test hidden-11 is passed by no submission" in (small_course.folder / pages).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_test_that_is_hard_is_none(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("bob", RIGHT.replace("2 *", "3 *"))
    run = grader("grade", "submissions")
    assert (run.returncode, verdicts(small_course)["bob"]["small"]) == (0, "wrong-output")
    assert "reference" not in run.stdout


@pytest.mark.slow
def test_a_test_that_one_submission_passes_is_none_whatever_the_reference_does(
    grader: Grader, small_course: SmallCourse
) -> None:
    small_course.hand_in("ann", 'n = input("Number: ")\nprint("Double:", 23 if n == "11" else 2 * int(n))\n')
    small_course.hand_in("bob", RIGHT)
    stale(small_course)
    assert grader("grade", "submissions").returncode == 0
    assert verdicts(small_course)["bob"]["hidden-11"] == "wrong-output"


@pytest.mark.slow
def test_that_the_reference_fails_tests_is_told_loudly_even_where_submissions_pass_them(
    grader: Grader, small_course: SmallCourse
) -> None:
    small_course.hand_in("bob", RIGHT)
    reference = small_course.folder / "reference" / "double.py"
    reference.write_text(reference.read_text().replace("2 *", "3 *"))
    said = (
        "the reference of double.py does not pass 3 tests (small, hidden-11, hidden-12): what is expected of students "
        "is not what it does. If it is right, `grader generate` renews what is expected"
    )
    for arguments in (["grade"], ["grade"], ["-q", "grade"], ["report"]):
        run = grader(*arguments, "submissions")
        assert (run.returncode, run.stderr) == (0, f"warning: doubles: {said}\n"), arguments
    assert verdicts(small_course)["bob"]["small"] == "passed"
    assert json.loads((small_course.reports / "results.json").read_text())["notes"] == [said]
    assert said in " ".join(grader("grade", "submissions").stdout.split())
    reference.write_text(reference.read_text().replace("3 *", "2 *"))
    assert "warning" not in grader("grade", "submissions").stderr


@pytest.mark.slow
def test_the_reference_is_told_its_variant_and_may_give_reasons(grader: Grader, small_course: SmallCourse) -> None:
    reference = small_course.folder / "reference" / "double.py"
    text = reference.read_text().replace('os.environ.get("REFERENCE_VARIANT")', 'os.environ["REFERENCE_VARIANT"]')
    reference.write_text(f"from because import because\n{text}")
    small_course.hand_in("bob", RIGHT.replace("2 *", "3 *"))
    assert grader("grade", "submissions").returncode == 0


def test_a_course_without_references_is_graded_as_it_is(grader: Grader, small_course: SmallCourse) -> None:
    small_course.hand_in("bob", RIGHT.replace("2 *", "3 *"))
    shutil.rmtree(small_course.folder / "reference")
    assert grader("grade", "submissions").returncode == 0
    assert verdicts(small_course)["bob"]["small"] == "wrong-output"
