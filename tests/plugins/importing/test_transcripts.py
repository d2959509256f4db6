"""`grader import transcripts`: recorded runs become tests, with a solution or without one."""

from pathlib import Path

import pytest

import grader
from grader.errors import GraderError
from grader.plugins.importing.api import import_transcripts
from tests.plugins.importing.packages import ADD, verdicts, write, written
from tests.prepared_grader import PreparedGrader
from tests.sandbox import needs_sandbox

RECORDED = {
    "short.in": "1 2\n",
    "short.out": "3\r\n",
    "long/numbers.in": "1 2 3\n",
    "long/numbers.ans": "6\n",
    "greet.args": "\ufeff-n 'Ada L'\n",
    "greet.expected": "0\n",
    "notes.txt": "mine\n",
    "lonely.in": "1\n",
}


@needs_sandbox
def test_recorded_runs_with_a_solution(tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", {**RECORDED, "add.py": ADD})
    made = import_transcripts(folder, solution=folder / "add.py", into=tmp_path / "course")
    assert verdicts(made) == {"accepted-add.py": ["passed", "passed", "passed"]}
    tests = {test.id: test for test in grader.load("sums", made.course).tests}
    assert set(tests) == {"greet", "long-numbers", "short"}
    assert written(made, "tests/tests.yaml")["tests"][0]["args"] == ["-n", "Ada L"]
    listed = [note for note in made.notes if "no part of a pair" in note]
    assert [note.partition(":")[0] for note in listed] == ["lonely.in", "notes.txt"]


def test_without_a_solution_the_tests_say_all(prepared: PreparedGrader, tmp_path: Path) -> None:
    alike = {"long-numbers.in": "2 2\n", "long-numbers.out": "4\n"}
    write(tmp_path / "sums", {**RECORDED, **alike, "open.in": "4 5\n", "open.out": "9"})
    done = prepared.run("import", "transcripts", "sums", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "made: sums-course: sums, 5 tests" in done.stdout
    assert "open.out ends without a newline, and so must what a program prints in open." in done.stdout
    course = write(tmp_path / "sums-course", {"sums.py": ADD})
    assert prepared.run("generate", folder=course).returncode == 0
    assert prepared.run("check", "sums.py", folder=course).returncode in (0, 2)


@pytest.mark.parametrize(
    ("files", "solution", "words"),
    [
        ({"a.in": "", "b.out": ""}, None, "has no recorded runs"),
        (RECORDED, "none.py", "is no program in a language"),
        ({**RECORDED, "add.lisp": ""}, "add.lisp", "is no program in a language"),
    ],
)
def test_what_cannot_be_imported(files: dict[str, str], solution: str | None, words: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "sums", files)
    with pytest.raises(GraderError, match=words):
        import_transcripts(folder, solution=solution and folder / solution, into=tmp_path / "course")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="is no folder"):
        import_transcripts(tmp_path / "none")


@pytest.mark.parametrize(
    ("input_name", "output_name"),
    [
        ("input/a.in", "output/a.out"),
        ("input/a.txt", "output/a.txt"),
        ("inputs/a.txt", "expected/a.txt"),
        ("in/week1/a.in", "out/week1/a.out"),
        ("T01/input", "T01/output"),
        ("T01/input.txt", "T01/expected.txt"),
    ],
)
def test_input_and_output_in_two_folders_or_a_folder_each(input_name: str, output_name: str, tmp_path: Path) -> None:
    for name, text in ((input_name, "3\n"), (output_name, "6\n")):
        file = tmp_path / "recorded" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    made = import_transcripts(tmp_path / "recorded", into=tmp_path / "course")
    (folder,) = (tmp_path / "course" / "test_specs").iterdir()
    assert [file.read_text() for file in (folder / "inputs").iterdir()] == ["3\n"]
    assert [file.read_text() for file in (folder / "samples").iterdir()] == ["6\n"]
    assert not [note for note in made.notes if "no part of a pair" in note]


def test_names_by_patterns(prepared: PreparedGrader, tmp_path: Path) -> None:
    files = {"t/1/given.txt": "1 2\n", "t/1/wanted.txt": "3\n", "t/2/given.txt": "4\n", "read.me": "", "add.py": ADD}
    write(tmp_path / "sums", files)
    patterns = ("--inputs", "t/*/given.txt", "--outputs", "t/*/wanted.txt")
    done = prepared.run("import", "transcripts", "sums", "--solution", "sums/add.py", *patterns, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "sums, 1 test" in done.stdout
    assert "t/2/given.txt: not imported; it is no part of a pair." in done.stdout
    assert (tmp_path / "sums-course" / "test_specs" / "sums" / "inputs" / "1.in").read_text() == "1 2\n"
    assert prepared.run("import", "transcripts", "sums", *patterns[:2], folder=tmp_path).returncode == 2
    assert (
        "no recorded runs: *.a with *.b"
        in prepared.run(
            "import", "transcripts", "sums", "--id", "b", "--inputs", "*.a", "--outputs", "*.b", folder=tmp_path
        ).stderr
    )
