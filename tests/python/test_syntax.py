"""A program that only another version of Python can read is told which one."""

import os
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from grader.grading.other_syntax import with_reader
from grader.judge.judge import judge
from grader.model.judgement import Verdict
from grader.model.results import TestResult
from grader.model.submission import Submission, SubmittedFile, TimeSource
from grader.run.environment import open_environment
from grader.run.find_python import StudentPython
from grader.run.syntax_versions import find_newer_python
from grader.run.terminal.session import run_dialogue
from tests.judge.sessions import game

NEWER = {
    "match": ("3.10", "match 3:\n    case 1:\n        pass\n"),
    "except*": ("3.11", "try:\n    pass\nexcept* ValueError:\n    pass\n"),
    "star in an index": ("3.11", "d = {}\nprint(d[*(1, 2)])\n"),
    "quotes in an f-string": ("3.12", "d = {'a': 1}\nprint(f'{d['a']}')\n"),
    "backslash in an f-string": ("3.12", "print(f'{\"\\n\".join([])}')\n"),
    "type": ("3.12", "type Vector = list[float]\n"),
    "generic function": ("3.12", "def first[T](items: list[T]) -> T:\n    return items[0]\n"),
    "default of a type": ("3.13", "class Box[T = int]:\n    pass\n"),
    "t-string": ("3.14", "name = 'Ann'\nprint(t'{name}')\n"),
    "except without brackets": ("3.14", "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n"),
}
UNREADABLE = [
    "def f(:\n    pass\n",
    "print((1)\n",
    "if x = 3:\n    pass\n",
    "match 3:\n    case 1:\n        print('a\n",
]


@pytest.mark.parametrize("name", NEWER)
def test_the_oldest_version_that_reads_it_is_found(name: str) -> None:
    version, source = NEWER[name]
    assert find_newer_python(source.encode(), "3.9") == version


@pytest.mark.parametrize("source", UNREADABLE)
def test_no_version_reads_a_plain_mistake(source: str) -> None:
    assert find_newer_python(source.encode(), "3.9") is None


@pytest.mark.parametrize("name", NEWER)
def test_installed_interpreters_agree(name: str, other_python: StudentPython) -> None:
    version, source = NEWER[name]
    asked = subprocess.run(
        [other_python.executable, "-I", "-c", "import ast, sys; ast.parse(sys.stdin.read())"],
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    minor = int(other_python.version.split(".")[1])
    found = find_newer_python(source.encode(), f"3.{minor}")
    assert found == (None if asked.returncode == 0 else version)


def test_what_is_refused_for_another_reason_is_no_matter_of_versions() -> None:
    # Every version parses it, and refuses it later.
    assert find_newer_python(b"def f():\n    nonlocal x\n", "3.11") is None


def test_without_ruff_the_interpreters_on_path_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newer_python: StudentPython
) -> None:
    monkeypatch.setattr("grader.run.syntax_versions._ruff", lambda: None)
    minor = int(newer_python.version.split(".")[1])
    script = tmp_path / f"python3.{minor}"
    script.write_text(f'#!/bin/sh\nexec "{newer_python.executable}" "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/nowhere:{Path(shutil.which('sh') or '/bin/sh').parent}")
    source = NEWER["type"][1].encode()
    assert find_newer_python(source, f"3.{minor - 1}") == f"3.{minor}"
    assert find_newer_python(UNREADABLE[0].encode(), f"3.{minor - 1}") is None


def told(tmp_path: Path, source: str, python: StudentPython = StudentPython()) -> str:
    """The sentence on a real run of a program; its verdict is that of any program that crashes."""
    test = game()
    program = tmp_path / test.program
    program.write_text(source)
    with open_environment(python) as environment:
        outcome = run_dialogue(environment.interpreter.program(test.program, tmp_path), [])
    judgement = judge(test, "won\n", outcome)
    files = (SubmittedFile(test.program, program),)
    submission = Submission(student="ann", files=files, submitted=None, time_source=TimeSource.NONE, notes=())
    before = TestResult(test=test, judgement=judgement, outcome=outcome, expected="won\n")
    after = with_reader(before, submission, python.version, {})
    assert (after.verdict, after.points) == (before.verdict, before.points) == (Verdict.CRASH, Decimal(0))
    assert after.judgement.diagnosis is not None
    return after.judgement.diagnosis.sentence


def test_the_sentence_names_a_newer_version(tmp_path: Path) -> None:
    own = StudentPython().version.rpartition(".")[0]
    version, source = NEWER["except without brackets" if sys.version_info >= (3, 12) else "type"]
    if sys.version_info >= (3, 14):
        pytest.skip("Ruff knows no syntax that is newer than this Python")
    assert told(tmp_path, source).startswith(
        f"Python {version} or newer reads this program, but it is run with Python {own}: SyntaxError: "
    )


@pytest.mark.parametrize("source", ["print 'won'\n", "exec 'x = 1'\n"])
def test_the_sentence_names_python_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    # Where no Python 2 is found, Python's own words tell of the line.
    monkeypatch.setenv("PATH", "/nowhere")
    assert told(tmp_path, source).startswith("Python 2 reads this line, but it is run with Python 3.")


def test_a_python_2_that_is_there_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It answers for a Python 2: whether it is asked, and believed, is seen.
    for name, status in (("reads", 0), ("refuses", 1)):
        script = tmp_path / name / "python2.7"
        script.parent.mkdir()
        script.write_text(f"#!/bin/sh\nexit {status}\n")
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'reads'}:{os.environ['PATH']}")
    assert told(tmp_path, "x = `3`\n").startswith("Python 2 reads this program")
    monkeypatch.setenv("PATH", f"{tmp_path / 'refuses'}:{os.environ['PATH']}")
    assert told(tmp_path, "x = `3`\n").startswith("Python cannot read the program: SyntaxError")


@pytest.mark.parametrize("source", UNREADABLE[:3])
def test_a_plain_mistake_has_the_usual_sentence(tmp_path: Path, source: str) -> None:
    assert told(tmp_path, source).startswith("Python cannot read the program: SyntaxError: ")


def test_an_older_one_is_told_of_the_version_that_the_grader_has(tmp_path: Path, other_python: StudentPython) -> None:
    minor = int(other_python.version.split(".")[1])
    if minor < 12:
        pytest.skip("needs a Python that reads `type`")
    sentence = told(tmp_path, "type Word = str\nprint('won)\n", other_python)
    assert sentence.startswith("Python cannot read the program: SyntaxError: unterminated string literal")
