"""`grader check` as a student uses it."""

from pathlib import Path

import pytest

from tests.conftest import RIGHT, TRIPLE, Grader, SmallCourse
from tests.prepared_grader import PreparedGrader


@pytest.mark.slow
def test_a_right_program_passes(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    run = grader("check", folder)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "2 of 2 tests passed." in run.stdout


def test_hidden_tests_are_not_run(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    assert "hidden-11" not in grader("check", folder).stdout


def test_one_file_runs_only_its_own_tests(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    run = grader("check", folder / "double.py")
    assert run.returncode == 0
    assert "1 of 1 tests passed." in run.stdout


def test_a_wrong_program_gets_a_diff_and_a_sentence(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("wrong", 'print("Double: ", 2 * int(input("Number: ")))\n')
    run = grader("check", folder / "double.py")
    assert run.returncode == 1
    lines = run.stdout.splitlines()
    assert "  wrong-output   small: a small number" in lines
    assert "  run: python3 double.py   type: 4" in lines
    assert ">     1 │ Number: 4" in lines
    assert "-     2 │ Double: 8" in lines
    assert "+     2 │ Double: ·8" in lines
    assert any("spaces" in line for line in lines)


def test_a_missing_variation_selector_is_named(grader: Grader, small_course: SmallCourse) -> None:
    expected = small_course.expected / "small.canonical.txt"
    expected.write_text("Number: 4\nDouble: \u263a\ufe0f\n")
    folder = small_course.hand_in("bare", 'input("Number: "); print("Double: \u263a")\n')
    run = grader("check", folder / "double.py")
    assert "U+FE0F (variation selector-16) is missing after \u263a" in run.stdout


def test_a_crash_shows_error_and_line(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("crash", 'number = int(input("Number: "))\nprint(number / 0)\n')
    run = grader("check", folder / "double.py")
    assert "stops in line 2 (`print(number / 0)`) with ZeroDivisionError: division by zero." in run.stdout


def test_show_limits_the_details(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("wrong", "")
    run = grader("check", folder, "--show", "0")
    assert run.returncode == 1
    assert "│" not in run.stdout
    assert "1 more failure is not shown (--show 1)." in run.stdout


def test_a_diff_is_a_screenful_unless_all_is_asked_for(grader: Grader, small_course: SmallCourse) -> None:
    for variant in ("canonical", "wordy"):
        (small_course.expected / f"small.{variant}.txt").write_text("Number: 4\n" + "x\n" * 100)
    folder = small_course.hand_in("other", 'input("Number: ")\nprint("y\\n" * 99)\n')
    short = grader("check", folder / "double.py").stdout
    assert short.count("│") <= 20
    assert "         ⋮\n" in short
    full = grader("check", folder / "double.py", "--full").stdout
    assert full.count("│ x\n") == 100
    assert full.count("│ y\n") == 99


def test_save_writes_what_the_program_printed(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("bytes", 'import os\nos.write(1, b"\\xff\\n")\n')
    saved = small_course.folder / "my outputs"
    grader("check", folder, "--save", saved)
    assert (saved / "small.txt").read_bytes() == b"\xff\n"
    assert (saved / "at-the-prompt.txt").read_text() == ">>> from triple import show\n>>> show(5)\n15\n>>> \n"


def test_a_missing_program_is_a_failure(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("half", None)
    run = grader("check", folder)
    assert run.returncode == 1
    missing = f"  missing-file   double.py is not in {folder} or below: 1 test was not run"
    assert missing in run.stdout.splitlines()
    assert run.stdout.count("double.py") == 1
    assert "1 of 1 tests passed; 1 not run." in run.stdout.splitlines()


RENAME = "if that is your program, rename it to double.py"


def test_a_program_of_a_similar_name_is_named(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("half", None)
    (folder / "Double.py").write_text("print()\n")
    lines = grader("check", folder).stdout.splitlines()
    assert "  note           double.py is missing; there is `Double.py`: " + RENAME in lines


def test_a_program_in_a_subfolder_and_further_copies_are_named(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("copies", None)
    for name in ("old/double.py", "old/older/double.py", "old/triple.py", "triple.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(RIGHT)
    run = grader("check", folder)
    assert [line for line in run.stdout.splitlines() if line.startswith("  note")] == [
        "  note           double.py is taken from a folder: old/double.py",
        "  note           old/triple.py is passed over: triple.py is there",
        "  note           old/older/double.py is passed over: old/double.py is there",
        "  note           triple.txt is not used: it is not one of the files to hand in",
    ]


def test_output_that_was_saved_is_no_file_to_explain(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("saved", RIGHT)
    (folder / "out").mkdir()
    (folder / "out" / "notes.txt").touch()
    assert grader("check", folder, "--save", folder / "out").returncode == 0
    notes = [line for line in grader("check", folder).stdout.splitlines() if line.startswith("  note")]
    assert notes == ["  note           out/notes.txt is not used: it is not one of the files to hand in"]


def test_a_variant_is_named(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("wordy", 'print("Twice:", 2 * int(input("Number: ")))\n')
    run = grader("check", folder)
    assert run.returncode == 0
    assert "double.py read as: wordy (an accepted variant)" in run.stdout


def test_the_course_is_found_from_the_file(prepared: PreparedGrader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("right", RIGHT)
    run = prepared.run("check", folder, folder=Path("/"))
    assert run.returncode == 0, run.stderr


def test_terminal_control_sequences_of_a_program_are_shown_as_text(grader: Grader, small_course: SmallCourse) -> None:
    folder = small_course.hand_in("escape", 'input("Number: "); print("\\x1b[2J\\x1b]0;hacked\\x07")\n')
    run = grader("check", folder / "double.py")
    assert "\x1b" not in run.stdout
    assert "<U+001B>" in run.stdout


def test_a_wrong_file_name_suggests_the_right_one(grader: Grader, small_course: SmallCourse) -> None:
    wrong = small_course.folder / "duoble.py"
    wrong.write_text(TRIPLE)
    run = grader("check", wrong)
    assert run.returncode == 2
    assert "did you mean `double.py`?" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_path_that_is_not_there(grader: Grader) -> None:
    run = grader("check", "nothing.py")
    assert run.returncode == 2
    assert run.stderr == "There is no file or folder nothing.py.\n"


def test_a_path_without_its_suffix_is_named(grader: Grader, small_course: SmallCourse) -> None:
    program = small_course.hand_in("right", RIGHT) / "double.py"
    run = grader("check", program.with_suffix(""))
    assert run.returncode == 2
    assert run.stderr == f"There is no file or folder {program.with_suffix('')}; did you mean `double.py`?\n"


def test_outside_a_course(grader: Grader, small_course: SmallCourse) -> None:
    run = grader("check", small_course.folder, "--course", "/")
    assert run.returncode == 2
    assert "expected a folder with `test_specs/` in it" in run.stderr


def test_problems_in_specs_are_listed_without_a_traceback(grader: Grader, small_course: SmallCourse) -> None:
    spec = small_course.folder / "test_specs" / "doubles" / "assignment.yaml"
    spec.write_text(spec.read_text().replace("late:", "lat:").replace("marks: 2", "marks: two"))
    run = grader("check", small_course.hand_in("right", RIGHT))
    assert run.returncode == 2
    assert run.stderr.splitlines() == [
        f"{spec}:9:43: found `two`; expected a number such as 3.5",
        f"{spec}:12:1: unknown key `lat`; did you mean `late`?",
    ]


def test_a_missing_expected_file_says_what_to_do(grader: Grader, small_course: SmallCourse) -> None:
    (small_course.expected / "small.wordy.txt").unlink()
    run = grader("check", small_course.hand_in("right", RIGHT))
    assert run.returncode == 2
    assert "run `grader generate doubles`" in run.stderr


def test_a_right_output_with_a_wrong_exit_status_is_not_read_as_another_variant(
    grader: Grader, small_course: SmallCourse
) -> None:
    folder = small_course.hand_in("status", f"import sys\n{RIGHT}sys.exit(3)\n")
    run = grader("check", folder / "double.py")
    assert "The output is right, but the exit status is 3" in run.stdout
    assert "read as" not in run.stdout
