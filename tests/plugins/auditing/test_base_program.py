"""Programs of students that mutants are made of."""

from collections.abc import Mapping
from pathlib import Path

from grader.model.results import GradedSubmission
from grader.model.submission import Submission, SubmittedFile
from grader.plugins.auditing.base_program import Accepted, BaseProgram, accepted_programs
from grader.spec.course import Course
from tests.conftest import RIGHT, TRIPLE, SmallCourse


def handed_in(folder: Path, student: str, files: Mapping[str, bytes]) -> tuple[GradedSubmission, tuple[str, ...]]:
    (folder / student).mkdir()
    for name, content in files.items():
        (folder / student / name).write_bytes(content)
    submitted = tuple(SubmittedFile(name, folder / student / name) for name in files)
    submission = Submission(student=student, files=submitted, submitted=None, time_source="none", notes=())
    return GradedSubmission(submission=submission, results=(), variants={}), (student,)


def names_beside(base: BaseProgram) -> list[tuple[str, str]]:
    return [(file.name, file.path.parent.name) for file in base.beside]


def test_each_text_is_one_program_with_the_other_files_of_its_student(
    small_course: SmallCourse, tmp_path: Path
) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    accepted = [
        handed_in(tmp_path, "ann", {"double.py": RIGHT.encode(), "triple.py": TRIPLE.encode(), "own.txt": b"1"}),
        handed_in(tmp_path, "bob", {"double.py": RIGHT.encode(), "triple.py": TRIPLE.encode() + b"\n"}),
    ]
    found = accepted_programs(assignment, accepted)
    assert [(base.file, base.origin, names_beside(base)) for base in found.bases] == [
        ("double.py", Accepted(("ann", "bob")), [("triple.py", "ann"), ("own.txt", "ann")]),
        ("triple.py", Accepted(("ann",)), [("double.py", "ann"), ("own.txt", "ann")]),
        ("triple.py", Accepted(("bob",)), [("double.py", "bob")]),
    ]
    submission = found.bases[0].submission("changed", tmp_path / "mutant")
    assert [file.path.read_bytes() for file in submission.files] == [b"changed", TRIPLE.encode(), b"1"]


def test_what_cannot_be_read_is_named(small_course: SmallCourse, tmp_path: Path) -> None:
    assignment = Course(small_course.folder).assignment("doubles")
    accepted = [
        handed_in(tmp_path, "ann", {"double.py": "\ufeffx = 1\r\n".encode(), "triple.py": b"print 1"}),
        handed_in(tmp_path, "bob", {"double.py": b"# coding: latin-1\nx = '\xe4'\n"}),
    ]
    found = accepted_programs(assignment, accepted)
    assert [base.source for base in found.bases] == ["x = 1\r\n"]
    assert [words.partition(":")[0] for words in found.unreadable] == [
        "triple.py of ann makes no mutants",
        "double.py of bob makes no mutants",
    ]
