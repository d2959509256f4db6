"""Students with the same mistake share its words, though their programs are written differently."""

import json

from tests.conftest import WRONG, Grader, SmallCourse

IN_A_FUNCTION = """\
def main():
    print("Double:", 3 * int(input("Number: ")))


main()
"""
ANOTHER_MISTAKE = 'number = int(input("Number: "))\nprint("Double:", number + number + number)\n'
ANOTHER_FAILURE = WRONG.replace("3 *", "1 *")


def test_the_same_failures_and_a_common_token_make_a_mistake(grader: Grader, small_course: SmallCourse) -> None:
    programs = {"ann": WRONG, "ben": IN_A_FUNCTION, "cy": ANOTHER_MISTAKE, "dan": ANOTHER_FAILURE, "eve": WRONG}
    for student, text in programs.items():
        small_course.hand_in(student, text)
    run = grader("grade", "submissions", "--repair")
    assert run.returncode == 0, run.stderr
    content = json.loads((small_course.reports / "results.json").read_text())
    repairs = {entry["student"]: repair for entry in content["submissions"] for repair in entry.get("repairs", [])}
    assert set(repairs) == set(programs)
    assert repairs["ben"]["changes"] == ["`2` for `3` in main"]
    assert {repairs[student]["mistake"] for student in ("ann", "ben", "eve")} == {
        "double.py: `2` for `3` outside functions"
    }
    assert repairs["ben"]["shared_with"] == ["ann", "eve"]
    assert [repairs[student]["shared_with"] for student in ("cy", "dan")] == [[], []]
