"""Adds a recorded test to an assignment: as a whole or not at all."""

import shutil
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.authoring.generate import generate
from grader.authoring.test_file_editor import EditedTest, RecordError, new_tests_file, with_test
from grader.expected.transcripts import write_transcript
from grader.model.assignment import Assignment
from grader.model.interaction import typed_lines
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

    Raises a GraderError and leaves everything as it was when the file cannot take it, the assignment would no longer
    load, or the reference does not do the same again.
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


@contextmanager
def replaced_file(file: Path, content: bytes) -> Iterator[None]:
    """Give `file` another content, which it keeps unless an exception is raised."""
    before = file.read_bytes() if file.exists() else None
    try:
        _put(file, content)
        yield
    except BaseException:
        if before is None:
            file.unlink(missing_ok=True)
        else:
            _put(file, before)
        raise


def _put(file: Path, content: bytes) -> None:
    """Write a file so that it is either the old or the new one at any moment. Raises RecordError."""
    real = file.resolve()
    new = real.with_name(f".{real.name}.new")
    try:
        new.write_bytes(content)
        if real.exists():
            shutil.copymode(real, new)
        new.replace(real)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise RecordError(f"{file} cannot be written: {error.strerror}") from None


def write_expected(generated: Mapping[Path, str]) -> None:
    """Write expected files, all or none. Raises RecordError."""
    written: list[Path] = []
    try:
        for file, text in generated.items():
            written.append(file)
            write_transcript(file, text)
    except BaseException as error:
        for file in written:
            with suppress(OSError):
                file.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise RecordError(f"{written[-1]} cannot be written: {error.strerror}") from None
        raise
