"""Input files and checkers that tests name."""

from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.model.ending import ANY_STATUS
from grader.model.interaction import StdinRun
from grader.spec.course import Course
from grader.spec.sample import read_sample

ASSIGNMENT = """\
format: 1
id: demo
title: Demo
programs: [{file: game.py}]
parts: [{id: play, title: Play, marks: 1}]
due: 2025-10-27 11:59
time_zone: Australia/Sydney
"""


def course(folder: Path, test: str) -> Course:
    demo = folder / "test_specs" / "demo"
    for name in ("tests", "inputs"):
        (demo / name).mkdir(parents=True)
    (demo / "assignment.yaml").write_text(ASSIGNMENT)
    (demo / "inputs" / "one.txt").write_text("1\n")
    head = "format: 1\nprogram: game.py\npart: play\npoints: 1\nchecker: paths\nchecker_options: {order: top-first}\n"
    (demo / "tests" / "play.yaml").write_text(f"{head}tests:\n  - {{id: a, {test}}}\n")
    (folder / "checkers").mkdir()
    for name in ("mine", "paths"):
        (folder / "checkers" / f"{name}.py").write_text("")
    (folder / "checkers" / "maps").mkdir()
    return Course(folder)


def test_a_file_is_read_and_the_checker_of_the_file_is_taken(tmp_path: Path) -> None:
    (test,) = course(tmp_path, "stdin: one.txt, exit_status: any").assignment("demo").tests
    assert (test.interaction, test.ending) == (StdinRun("one.txt", "1\n"), ANY_STATUS)
    assert test.checker is not None
    assert (test.checker.name, test.checker.file, test.checker.options) == (
        "paths",
        tmp_path / "checkers" / "paths.py",
        (("order", "top-first"),),
    )


def test_the_checker_of_a_test(tmp_path: Path) -> None:
    (test,) = course(tmp_path, "input: [1], checker: mine, checker_options: {}").assignment("demo").tests
    assert test.checker is not None
    assert (test.checker.file, test.checker.options) == (tmp_path / "checkers" / "mine.py", ())


def test_a_tests_file_that_is_a_link_has_the_checkers_of_the_course_it_is_in(tmp_path: Path) -> None:
    linked = course(tmp_path / "course", "input: [1], checker: mine, checker_options: {}")
    file = tmp_path / "course" / "test_specs" / "demo" / "tests" / "play.yaml"
    elsewhere = tmp_path / "shared" / "further" / "down" / "tests" / "play.yaml"
    elsewhere.parent.mkdir(parents=True)
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    (test,) = linked.assignment("demo").tests
    assert test.checker is not None
    assert test.checker.file == tmp_path / "course" / "checkers" / "mine.py"


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("stdin: on.txt", "cannot be read (No such file or directory); did you mean `one.txt`?"),
        ("stdin: one.txt, checker: path", "there is no checker `path`; did you mean `paths`?"),
        ("stdin: one.txt, checker: ../x", "found `../x`; expected lowercase letters, digits and `_`"),
        ("stdin: ../one.txt", "found `../one.txt`; expected letters, digits"),
        (
            "stdin: one.txt, exit_status: all",
            "found `all`; expected a number from 0 to 255, `any`, `nonzero`, or a signal such as SIGABRT",
        ),
        (
            "stdin: one.txt, exit_status: 256",
            "found `256`; expected a number from 0 to 255, `any`, `nonzero`, or a signal such as SIGABRT",
        ),
    ],
)
def test_what_is_not_there_or_wrong(tmp_path: Path, test: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        course(tmp_path, test).assignment("demo")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (b"1\r\n2\r\n", ["the lines end as on Windows"]),
        (b"\xef\xbb\xbf1\n", ["the file begins with a byte order mark"]),
        (b"\xff\xfe1\x00\n\x00", ["the file is in UTF-16"]),
        (b"\xef\xbb\xbf1\r\n", ["the file begins with a byte order mark", "the lines end as on Windows"]),
        (b"1\n2\n", []),
    ],
)
def test_an_input_file_saved_on_windows_is_noted(text: bytes, noted: list[str], tmp_path: Path) -> None:
    made = course(tmp_path, "stdin: one.txt, exit_status: any")
    (tmp_path / "test_specs" / "demo" / "inputs" / "one.txt").write_bytes(text)
    notes = made.assignment("demo").notes
    assert [note.message.split(",")[0] for note in notes] == noted


@pytest.mark.parametrize("saved", [b"a\nb\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\r\nb\r\n"])
def test_how_a_transcript_was_saved_is_no_part_of_it(saved: bytes, tmp_path: Path) -> None:
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "one.txt").write_bytes(saved)
    assert read_sample(tmp_path / "tests" / "play.yaml", "one.txt") == "a\nb\n"
