"""Standard streams that are closed, full or not read to their end: a reason, no traceback, no lost work."""

import subprocess
import sys

import pytest

from tests.conftest import RIGHT, SmallCourse

GRADE = "grade submissions --sandbox none"


def run(arguments: str, streams: str, course: SmallCourse) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", f'set -o pipefail; "$0" -m grader {arguments} {streams}', sys.executable]
    return subprocess.run(command, cwd=course.folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "streams", ["<&- >&- 2>&-", *(pytest.param(one, marks=pytest.mark.slow) for one in (">&-", "2>/dev/full"))]
)
def test_what_is_not_printed_is_graded_all_the_same(streams: str, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    done = run(GRADE, streams, small_course)
    assert (done.returncode, done.stderr) == (0, "")
    assert (small_course.reports / "students" / "right.txt").exists()


@pytest.mark.parametrize("arguments", ["--help", "--version", "explain crash", GRADE])
def test_standard_output_that_is_full_is_told(arguments: str, small_course: SmallCourse) -> None:
    small_course.hand_in("right", RIGHT)
    done = run(arguments, ">/dev/full", small_course)
    assert done.returncode == 2
    assert done.stderr == "Standard output cannot be written: No space left on device\n"


def test_output_that_is_not_read_to_its_end_ends_the_command(small_course: SmallCourse) -> None:
    done = run("explain crash", "| true", small_course)
    assert (done.returncode, done.stderr) == (141, "")
