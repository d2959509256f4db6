"""A digest names the content that was graded, or none: files may be replaced while a class is graded."""

import json

import pytest

from grader.grading.content_state import submission_digest
from grader.model.submission import SubmittedFile
from tests.conftest import RIGHT, Grader, SmallCourse

WRONG = RIGHT.replace("2 *", "3 *")

REPLACED = "import os\nopen({new!r}, 'w').write({content!r})\nos.replace({new!r}, {file!r})\n"
WRITTEN = "open({file!r}, 'w').write({content!r})\n"
REMOVED = "import os\nif os.path.exists({file!r}): os.remove({file!r})\n"


@pytest.mark.slow
@pytest.mark.parametrize("how", [REPLACED, WRITTEN, REMOVED])
def test_of_a_file_that_changed_meanwhile_no_result_counts(how: str, small_course: SmallCourse, grader: Grader) -> None:
    file = small_course.students / "ann" / "double.py"
    change = how.format(new=str(small_course.folder / "new"), file=str(file), content=WRONG)
    small_course.hand_in("ann", RIGHT + change)
    before = submission_digest([SubmittedFile(name, file.with_name(name)) for name in ("double.py", "triple.py")])
    done = grader("grade", "submissions/doubles", "--sandbox", "none")
    assert done.returncode == 1
    [row] = json.loads((small_course.reports / "results.json").read_text())["submissions"]
    assert (row["mark"], {test["verdict"] for test in row["tests"]}) == (None, {"internal-error"})
    after = submission_digest([SubmittedFile(name, file.with_name(name)) for name in ("double.py", "triple.py")])
    assert row["digest"] not in (before, after)
    small_course.hand_in("bob", RIGHT)
    file.write_text(WRONG)
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    marks = [
        row["mark"]["adjusted"]
        for row in json.loads((small_course.reports / "results.json").read_text())["submissions"]
    ]
    assert marks == ["2", "12"]


def test_files_that_stay_are_graded(small_course: SmallCourse, grader: Grader) -> None:
    small_course.hand_in("ann", RIGHT)
    assert grader("grade", "submissions/doubles", "--sandbox", "none").returncode == 0
    [row] = json.loads((small_course.reports / "results.json").read_text())["submissions"]
    assert row["mark"]["adjusted"] == "12"
