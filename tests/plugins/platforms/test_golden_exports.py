"""The exports of one class are contracts: they are compared with stored files, byte for byte, and validated.

To accept a change of format, run `python -m tests.plugins.platforms.test_golden_exports`, read the difference and
commit it.
"""

import base64
import io
import json
import re
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import xmlschema

from grader.platforms import exports
from grader.platforms.platform import AutograderExport, ExportedFiles, ExportOptions
from grader.plugins.exporting.formats import student_export
from grader.plugins.exporting.student_files import student_file_writer
from grader.plugins.platforms.blackboard.gradebook import blackboard_gradebook
from grader.plugins.platforms.brightspace.grades import brightspace_grades, new_brightspace_grades
from grader.plugins.platforms.canvas.gradebook import canvas_gradebook, new_canvas_gradebook
from grader.plugins.platforms.moodle.exports import moodle_feedback, moodle_worksheet
from grader.plugins.platforms.plain_files.exports import junit_xml
from tests.grading.hidden_example import (
    CLASS,
    EXCUSED,
    NOTHING,
    OPEN,
    ORIGIN,
    SECRET_INPUT,
    SECRET_OUTPUT,
    SECRET_REASON,
    WRONG,
)
from tests.plugins.platforms.schemas import (
    Autolab,
    Classroom,
    Classroom50Score,
    CodeGradePoints,
    CodeGradeTests,
    Ed,
    Gradescope,
    PrairieLearn,
    PrairieLearnNotGradable,
)
from tests.plugins.platforms.test_blackboard import downloaded
from tests.plugins.platforms.test_brightspace import LINES as BRIGHTSPACE
from tests.plugins.platforms.test_brightspace import exported_grades
from tests.plugins.platforms.test_canvas import LINES, gradebook
from tests.plugins.platforms.test_moodle import HEADER, ROWS, sheet_of

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"


def exported(name: str) -> ExportedFiles:
    """The class in an export of a file per student."""
    return student_file_writer(student_export(name), ExportOptions())(CLASS, ORIGIN)


def of(name: str, student: str) -> bytes:
    """What this export holds of a student."""
    return exported(name).files[student + student_export(name).suffix]


def of_wrong(name: str) -> Callable[[], bytes]:
    return lambda: of(name, WRONG.student)


def decoded(content: bytes) -> bytes:
    return json.dumps(json.loads(base64.b64decode(content)), indent=1).encode() + b"\n"


def feedback() -> bytes:
    """All texts of the zip, one after the other, each after its name."""
    content = moodle_feedback(CLASS, sheet_of(HEADER, *ROWS)).files["feedback.zip"]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".txt")]
        return b"".join(f"== {name}\n".encode() + archive.read(name) for name in names)


EXPORTS: dict[str, Callable[[], bytes]] = {
    "moodle.csv": lambda: moodle_worksheet(CLASS, sheet_of(HEADER, *ROWS)).files["moodle.csv"],
    "feedback.txt": feedback,
    "brightspace.csv": lambda: brightspace_grades(CLASS, exported_grades(*BRIGHTSPACE), None).files["brightspace.csv"],
    "brightspace-new.csv": lambda: new_brightspace_grades(CLASS, None).files["brightspace.csv"],
    "blackboard.csv": lambda: blackboard_gradebook(CLASS, downloaded(","), None).files["blackboard.csv"],
    "canvas.csv": lambda: canvas_gradebook(CLASS, gradebook(*LINES), None).files["canvas.csv"],
    "canvas-new.csv": lambda: new_canvas_gradebook(CLASS, None).files["canvas.csv"],
    "gradescope.json": of_wrong("gradescope"),
    "autolab.txt": of_wrong("autolab"),
    "prairielearn.json": of_wrong("prairielearn"),
    "classroom.json": lambda: decoded(of_wrong("classroom")()),
    "classroom50.json": of_wrong("classroom50"),
    "codegrade.jsonl": of_wrong("codegrade"),
    "ed.json": of_wrong("ed"),
    "junit-student.xml": of_wrong("junit-student"),
    "junit.xml": lambda: junit_xml(CLASS, ORIGIN).files["junit.xml"],
}


def test_every_export_of_results_is_here() -> None:
    """Those with tests of their own: test_canvas_api.py, test_names.py, and results.csv and texts among the reports."""
    autograders = {name for name, export in exports().items() if isinstance(export, AutograderExport)}
    here = {re.split(r"[.]|-new", name)[0] for name in EXPORTS}
    assert here | {"canvas-api", "pages", "csv", "text"} | autograders == {*exports()}


@pytest.mark.parametrize("name", EXPORTS)
def test_export_is_as_stored(name: str) -> None:
    assert EXPORTS[name]().decode() == (GOLDEN / name).read_bytes().decode()


@pytest.mark.parametrize("name", EXPORTS)
def test_no_control_character_and_nothing_hidden_is_in_an_export(name: str) -> None:
    text = EXPORTS[name]().decode()
    assert not [one for one in text if ord(one) < 32 and one not in "\r\n"]
    assert SECRET_INPUT not in text
    assert SECRET_OUTPUT not in text
    assert SECRET_REASON not in text


def each(name: str) -> dict[str, bytes]:
    """What the export holds of each student who has a score."""
    files = exported(name)
    excused = student_export(name).takes_excused
    again = f"{OPEN.student}: a test has to be run again (internal error)"
    assert files.left_out == ((again,) if excused else (again, f"{EXCUSED.student}: excused"))
    assert files.notes == ((f"excused: {EXCUSED.student}",) if excused else ())
    assert files.students == {row.student for row in CLASS.rows if row is not OPEN and (excused or row is not EXCUSED)}
    scored = [row.student for row in CLASS.rows if row not in (OPEN, EXCUSED)]
    return {student: files.files[student + student_export(name).suffix] for student in scored}


def test_platforms_that_know_results_without_a_score_are_told_who_is_excused() -> None:
    assert json.loads(of("prairielearn", EXCUSED.student)) == {
        "gradable": False,
        "format_errors": ["Mark: excused, no mark counts. Points: 1.75 of 4. Tests passed: 1 of 2."],
    }
    autolab = of("autolab", EXCUSED.student).decode()
    assert "Mark             excused: no mark counts\n" in autolab
    assert autolab.splitlines()[-1] == '{"scores": {}}'


def test_gradescope_fields() -> None:
    for student, content in each("gradescope").items():
        found = Gradescope.model_validate_json(content)
        tested = [test for test in found.tests if test.max_score is not None]
        assert sum(test.max_score or 0 for test in tested) == (3.75 if student == NOTHING.student else 4)
        assert [test.visibility for test in found.tests[:2]] == ["visible", "after_published"]


def test_autolab_fields() -> None:
    for content in each("autolab").values():
        last = content.decode().splitlines()[-1]
        assert set(Autolab.model_validate_json(last).scores) <= {"doubles", "style"}


def test_prairielearn_fields() -> None:
    for student, content in each("prairielearn").items():
        assert len(content) < 1_000_000
        if student == NOTHING.student:
            PrairieLearnNotGradable.model_validate_json(content)
        else:
            found = PrairieLearn.model_validate_json(content)
            assert sum(test.max_points for test in found.tests) == 4


def test_classroom_fields() -> None:
    for content in each("classroom").values():
        assert content.count(b"\n") == 1
        found = Classroom.model_validate_json(base64.b64decode(content, validate=False))
        assert found.status == ("pass" if all(test.status == "pass" for test in found.tests) else "fail")


def test_classroom50_fields() -> None:
    for student, content in each("classroom50").items():
        found = Classroom50Score.model_validate_json(content)
        assert (found.max_score, sum(test.max_score for test in found.tests)) == (
            400,
            375 if student == NOTHING.student else 400,
        )
        assert found.score == sum(test.score for test in found.tests)


def test_codegrade_fields() -> None:
    shares = []
    for content in each("codegrade").values():
        tests, points = content.splitlines()
        assert max(map(len, (tests, points))) < 250_000
        (suite,) = CodeGradeTests.model_validate_json(tests).results
        assert {case.status for case in suite.cases if case.reason} <= {"failure"}
        shares.append(Fraction(CodeGradePoints.model_validate_json(points).points))
    assert shares == [1, Fraction(9, 10), 0, 0]


def test_ed_fields() -> None:
    totals = []
    for content in each("ed").values():
        found = Ed.model_validate_json(content)
        assert sum(case.score for case in found.testcases if not case.passed) == 0
        assert [case for case in found.testcases if case.hidden or case.private or not case.ok] == []
        totals.append(sum(case.score for case in found.testcases))
    assert totals == [4, 4, 0, 0], "Ed adds up the scores and knows no lateness"


def test_junit_xml_is_valid_for_the_schema_of_pytest() -> None:
    schema = xmlschema.XMLSchema(HERE / "junit-10.xsd")
    schema.validate(junit_xml(CLASS, ORIGIN).files["junit.xml"].decode())
    for content in exported("junit-student").files.values():
        schema.validate(content.decode())


if __name__ == "__main__":
    for name, render in EXPORTS.items():
        (GOLDEN / name).write_bytes(render())
