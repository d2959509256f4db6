"""Self-checks run their tests side by side, tell verdicts as they are known, and stop when going on is in vain."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.api.check import prepare_check
from grader.grading.grade_submission import TestOutcome
from grader.model.judgement import Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.test import Test
from grader.selfcheck.check import CheckError, FinishedTest, SelfCheck, open_runners
from grader.selfcheck.choose_tests import (
    after_a_failure,
    after_two_timeouts,
    chosen_tests,
    last_results,
    only_failed,
    only_named,
    remember_run,
)
from grader.selfcheck.running import CheckRun, InOrder, NoVerdict, exit_code, hold_check
from tests.building import TEST
from tests.conftest import RIGHT, SmallCourse


def called(*names: str) -> list[Test]:
    return [replace(TEST, id=name) for name in names]


def run(check: SelfCheck) -> tuple[CheckRun, dict[str, Verdict | NoVerdict]]:
    known: dict[str, Verdict | NoVerdict] = {}
    with open_runners(check.system) as runners:
        found = hold_check(check, runners, lambda test, verdict: known.update({test.id: verdict}))
    return found, known


def test_verdicts_are_passed_on_in_order() -> None:
    one, two, three = called("one", "two", "three")
    passed_on: list[str] = []
    in_order = InOrder([one, two, three], lambda test, _: passed_on.append(test.id))
    in_order(two, Verdict.PASSED)
    assert passed_on == []
    in_order(one, NoVerdict.NOT_RUN)
    assert passed_on == ["one", "two"]
    in_order(three, Verdict.WRONG_OUTPUT)
    assert passed_on == ["one", "two", "three"]


def finished(ending: Termination, verdict: Verdict | None, program: str = "game.py") -> FinishedTest:
    outcome = Outcome(
        transcript="", typed=(), ending=ending, exit_code=0, signal=None, unsent=0, wall_seconds=1, cpu_seconds=1
    )
    return FinishedTest(TestOutcome(replace(TEST, program=program), outcome), verdict)


TIMEOUT = finished(Termination.TIMED_OUT, Verdict.TIMEOUT)
OTHER_TIMEOUT = finished(Termination.TIMED_OUT, Verdict.TIMEOUT, "other.py")
PASSED = finished(Termination.EXITED, Verdict.PASSED)
OPEN = finished(Termination.EXITED, None)
FAILED = finished(Termination.EXITED, Verdict.WRONG_OUTPUT)


@pytest.mark.parametrize(
    ("before", "stops"),
    [
        ([], False),
        ([TIMEOUT], False),
        ([TIMEOUT, OTHER_TIMEOUT, FAILED, FAILED], False),
        ([TIMEOUT, PASSED, TIMEOUT], True),
    ],
)
def test_two_timeouts_of_one_program_are_enough(before: Sequence[FinishedTest], *, stops: bool) -> None:
    said = after_two_timeouts(replace(TEST, program="game.py"), before)
    assert (said is not None) == stops
    assert not stops or "game.py ran into its time limit twice" in str(said)
    assert after_two_timeouts(replace(TEST, program="third.py"), before) is None


@pytest.mark.parametrize(
    ("before", "stops"), [([], False), ([PASSED, OPEN], False), ([PASSED, FAILED], True), ([TIMEOUT], True)]
)
def test_fail_fast_stops_after_a_failure(before: Sequence[FinishedTest], *, stops: bool) -> None:
    assert (after_a_failure(TEST, before) is not None) == stops


@pytest.mark.slow
def test_an_endless_program_is_not_tried_again_and_again(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("endless", "while True: pass\n")
    check = prepare_check(folder / "double.py", course=small_course.folder)
    (test,) = check.tests
    many = tuple(replace(test, id=f"{test.id}-{number}") for number in range(9))
    texts = {
        (one.id, variant): check.transcripts.text(test, variant) for one in many for variant in ("canonical", "wordy")
    }
    limits = replace(check.assignment.limits, wall_seconds=0.3)
    hurried = replace(
        check,
        assignment=replace(check.assignment, limits=limits),
        tests=many,
        transcripts=replace(check.transcripts, texts=texts),
        stop_rules=(after_two_timeouts,),
    )
    found, known = run(hurried)
    assert found.exit_code == 1
    (skipped,) = found.skipped
    ran = [result.test.id for result in found.graded.results]
    assert [result.verdict for result in found.graded.results] == [Verdict.TIMEOUT] * len(ran)
    assert 2 <= len(ran) < 9
    assert [*ran, *(one.id for one in skipped.tests)] == [one.id for one in many]
    assert {name for name, verdict in known.items() if verdict is NoVerdict.NOT_RUN} == {
        one.id for one in skipped.tests
    }


def test_all_verdicts_are_told_and_the_variant_is_that_of_all_tests(small_course: SmallCourse) -> None:
    folder = small_course.hand_in("wordy", 'print("Twice:", 2 * int(input("Number: ")))\n')
    found, known = run(prepare_check(folder, course=small_course.folder))
    assert known == {result.test.id: result.verdict for result in found.graded.results}
    assert set(known.values()) == {Verdict.PASSED}
    assert found.graded.variants["double.py"] == "wordy"
    assert exit_code(found.graded.results) == found.exit_code == 0


def test_tests_are_chosen_by_name(small_course: SmallCourse) -> None:
    check = prepare_check(small_course.hand_in("right", RIGHT), course=small_course.folder)
    assert [test.id for test in only_named(check, ["s*"]).tests] == ["small"]
    assert [test.id for test in only_named(check, ["at-the-prompt", "small"]).tests] == ["small", "at-the-prompt"]
    with pytest.raises(CheckError, match="No test is called `smull`; did you mean `small`\\?"):
        only_named(check, ["smull"])
    with pytest.raises(CheckError, match="expected one of: at-the-prompt, small"):
        only_named(check, ["s*", "xyz*"])
    with pytest.raises(CheckError, match=r"did you mean `at-\*`\?"):
        only_named(check, ["at"])
    with pytest.raises(CheckError, match=r"did you mean `sma\*`\?"):
        only_named(check, ["sma"])


def test_failed_tests_are_remembered_for_each_program(
    small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(small_course.folder / "caches"))
    wrong = prepare_check(small_course.hand_in("wrong", "print(input())\n"), course=small_course.folder)
    right = prepare_check(small_course.hand_in("right", RIGHT), course=small_course.folder)
    assert only_failed(wrong).tests == wrong.tests
    for check in (wrong, right):
        remember_run(check, run(check)[0].graded.results)
    assert [test.id for test in only_failed(wrong).tests] == ["small"]
    assert only_failed(right).tests == right.tests
    only_prompt = only_named(wrong, ["at-the-prompt"])
    remember_run(only_prompt, run(only_prompt)[0].graded.results)
    assert [test.id for test in only_failed(wrong).tests] == ["small"]
    (wrong.path / "double.py").write_text(RIGHT)
    remember_run(wrong, run(only_failed(wrong))[0].graded.results)
    assert only_failed(wrong).tests == wrong.tests


def test_a_program_and_its_folder_are_remembered_alike(small_course: SmallCourse) -> None:
    whole = prepare_check(small_course.hand_in("wrong", "print('Double: 8')\n"), course=small_course.folder)
    remember_run(whole, run(whole)[0].graded.results)
    alone = prepare_check(whole.path / "double.py", course=small_course.folder)
    assert [test.id for test in only_failed(alone).tests] == [test.id for test in only_failed(whole).tests]
    (whole.path / "double.py").write_text(RIGHT)
    remember_run(alone, run(alone)[0].graded.results)
    assert "small" not in {test.id for test in only_failed(whole).tests if last_results(whole)[test.id]}


def test_where_nothing_can_be_remembered_all_tests_are_run(
    small_course: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = small_course.folder / "caches"
    blocked.write_text("a file, where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    check = prepare_check(small_course.hand_in("wrong", ""), course=small_course.folder)
    remember_run(check, run(check)[0].graded.results)
    assert only_failed(check).tests == check.tests


def test_a_command_line_chooses_tests_and_when_to_stop(small_course: SmallCourse) -> None:
    check = prepare_check(small_course.hand_in("right", RIGHT), course=small_course.folder)
    usual = chosen_tests(check, names=(), last_failed=False, fail_fast=False, run_all=False)
    assert (usual.tests, usual.stop_rules) == (check.tests, (after_two_timeouts,))
    eager = chosen_tests(check, names=["small"], last_failed=False, fail_fast=True, run_all=True)
    assert ([test.id for test in eager.tests], eager.stop_rules) == (["small"], (after_a_failure,))


def test_a_mix_of_variants_is_read_as_the_first_test_is_right_for_longest(small_course: SmallCourse) -> None:
    """Two tests are right as `wordy` and one as `canonical`, but the first sample says which reading is meant."""
    tests = small_course.folder / "test_specs" / "doubles" / "tests" / "double.yaml"
    tests.write_text(tests.read_text().replace("- id: hidden-$n", "- id: hidden-$n\n    visibility: public"))
    mixed = 'n = int(input("Number: "))\nprint("Double:" if n == 4 else "Twice:", 2 * n)\n'
    check = prepare_check(small_course.hand_in("student", mixed), course=small_course.folder)
    found, verdicts = run(check)
    assert found.graded.variants["double.py"] == "canonical"
    assert verdicts["small"] is Verdict.PASSED
    assert verdicts["hidden-11"] is Verdict.WRONG_OUTPUT


def test_a_program_of_another_variant_is_read_as_that_in_spite_of_a_fault(small_course: SmallCourse) -> None:
    faulty = 'n = int(input("Number: "))\nprint("Twice:", 2 * n if n == 4 else 0)\n'
    found, verdicts = run(prepare_check(small_course.hand_in("student", faulty), course=small_course.folder))
    assert found.graded.variants["double.py"] == "wordy"
    assert verdicts["small"] is Verdict.PASSED
