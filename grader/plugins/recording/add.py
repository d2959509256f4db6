"""Adds a recorded test to an assignment, either completely or not at all."""

from codecs import BOM_UTF8
from pathlib import Path

from grader.authoring.add_tests import replaced_file, write_expected
from grader.authoring.generate import generate
from grader.model.assignment import Assignment
from grader.model.interaction import typed_lines
from grader.plugins.recording.test_file import EditedTest, RecordError, new_tests_file, with_test
from grader.run.environment import RunEnvironment
from grader.spec.course import Course


def add_test(
    course: Course,
    before: Assignment,
    file: Path,
    new: tuple[str, str],
    entry: EditedTest,
    *,
    environment: RunEnvironment,
) -> None:
    """Add `entry` to the tests file `file`, with its expected files; `new` are program and part of a new file.

    Raises a GraderError, without changing anything, if the test cannot be added to the file, the assignment would no
    longer load, or the reference behaves differently the second time.
    """
    with replaced_file(file, _new_content(file, new, entry)):
        assignment = course.assignment(before.id)
        test = next((test for test in assignment.tests if test.id == entry.id), None)
        others = tuple(test for test in assignment.tests if test.id != entry.id)
        if test is None or typed_lines(test.interaction) != entry.lines or others != before.tests:
            raise RecordError(
                f"The test cannot be added to {file} without changing other tests; add it by hand:\n{entry.text()}"
            )
        generated = generate(assignment, [test], environment, jobs=1, tick=lambda: None)
        write_expected(generated)


def _new_content(file: Path, new: tuple[str, str], entry: EditedTest) -> bytes:
    if not file.exists():
        return new_tests_file(*new, entry).encode()
    content = file.read_bytes()
    mark = BOM_UTF8 if content.startswith(BOM_UTF8) else b""
    return mark + with_test(file, content.removeprefix(mark).decode(), entry).encode()
