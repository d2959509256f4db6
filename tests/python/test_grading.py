"""A class that is graded with the Python and the packages that its assignment asks for."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.model.python_request import minor_version
from grader.run.find_python import StudentPython
from grader.spec.course import Course
from tests.python.conftest import PROGRAM, WordsCourse
from tests.python.wheels import NAME, wheel
from tests.sandbox import needs_sandbox

OWN_VERSION = minor_version(StudentPython().version)
NEEDED = [pytest.param("bwrap", marks=needs_sandbox), "none"]


def results(course: WordsCourse) -> dict[str, dict[str, object]]:
    """Verdict of each student's tests, and what the class ran with."""
    content = json.loads((course.folder / "reports" / "words" / "results.json").read_text())
    verdicts = {
        one["student"]: {test["id"]: test["verdict"] for test in one["tests"]} for one in content["submissions"]
    }
    return {**verdicts, "python": content["python"]}


def grade(course: WordsCourse, sandbox: str = "none", *more: str) -> str:
    return course.done("grade", "submissions", "--sandbox", sandbox, *more)


@pytest.mark.parametrize("sandbox", NEEDED)
@pytest.mark.slow
def test_programs_and_references_find_the_packages(asking: Callable[..., WordsCourse], sandbox: str) -> None:
    course = asking()
    course.hand_in("right")
    course.hand_in("wrong", PROGRAM.replace(f"return {NAME}.WORD", "return 'other'"))
    course.hand_in("other-package", PROGRAM.replace(f"import {NAME}", f"import {NAME}, pytest"))
    printed = grade(course, sandbox)
    passed = dict.fromkeys(("said", "called"), "passed")
    found = results(course)
    assert found["right"] == passed
    assert found["wrong"] == dict.fromkeys(("said", "called"), "wrong-output")
    assert found["other-package"] == dict.fromkeys(("said", "called"), "crash")
    assert found["python"] == {"version": StudentPython().version, "packages": [f"{NAME}==1.0"]}
    assert f"The programs ran under Python {StudentPython().version} with {NAME} 1.0" in printed
    told = (course.folder / "reports" / "words" / "students" / "right.txt").read_text()
    assert f"Python           {StudentPython().version} with {NAME} 1.0\n" in told
    course.done("report", "submissions", "--sandbox", sandbox)
    page = (course.folder / "reports" / "html" / "words" / "index.html").read_text()
    assert f"The programs ran under Python {StudentPython().version} with {NAME} 1.0." in page


@pytest.mark.parametrize("sandbox", NEEDED)
@pytest.mark.slow
def test_programs_run_with_another_python(
    asking: Callable[..., WordsCourse], other_python: StudentPython, sandbox: str
) -> None:
    version = minor_version(other_python.version)
    course = asking(version)
    course.hand_in("right")
    grade(course, sandbox)
    assert results(course)["right"] == dict.fromkeys(("said", "called"), "passed")
    assert results(course)["python"] == {"version": other_python.version, "packages": [f"{NAME}==1.0"]}
    expected = course.folder / "test_specs" / "words" / "expected" / "said.canonical.txt"
    assert expected.read_text().endswith(f" {version.replace('.', ' ')}\n")


@pytest.mark.slow
@needs_sandbox
def test_packages_are_read_only_in_the_sandbox(asking: Callable[..., WordsCourse], tmp_path: Path) -> None:
    course = asking()
    spoil = f"import os\ntry:\n    open({NAME}.__file__, 'w')\nexcept OSError:\n    pass\nelse:\n    os._exit(9)\n"
    course.hand_in("spoiler", PROGRAM.replace("\n\ndef", f"\n{spoil}\n\ndef", 1))
    grade(course, "bwrap")
    assert results(course)["spoiler"] == dict.fromkeys(("said", "called"), "passed")
    (module,) = (tmp_path / "cache").rglob(f"{NAME}/__init__.py")
    assert module.read_text() == "WORD = 'one'\n"


@pytest.mark.slow
def test_another_version_of_a_package_is_another_run(
    asking: Callable[..., WordsCourse], wheels: Path, tmp_path: Path
) -> None:
    course = asking()
    course.hand_in("right")
    grade(course)
    # The same words in assignment.yaml, and what is installed anew is newer.
    wheel(wheels, "2.0", "two")
    shutil.rmtree(tmp_path / "cache" / "grader" / "packages")
    course.run("grade", "submissions", "--sandbox", "none")
    found = results(course)
    assert found["python"] == {"version": StudentPython().version, "packages": [f"{NAME}==2.0"]}
    assert "two Ann" in (course.folder / "reports" / "words" / "transcripts" / "right" / "said.txt").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "told"),
    [
        # Every Python that is found is asked for its version.
        pytest.param(
            'python: "3.98"\n', "Python 3.98 is not installed here, so no test was run.", marks=pytest.mark.slow
        ),
        ("packages: [no-such-words]\n", "no-such-words cannot be installed for Python "),
    ],
)
def test_what_is_missing_refuses_before_the_first_test(words: WordsCourse, keys: str, told: str) -> None:
    words.hand_in("right")
    words.write("test_specs/words/expected/said.canonical.txt", "")
    words.write("test_specs/words/expected/called.canonical.json", "{}")
    words.ask(keys)
    run = words.run("grade", "submissions", "--sandbox", "none")
    assert run.returncode == 2
    assert told in run.stderr
    assert "assignment.yaml:8:" in run.stderr
    assert run.stdout == ""
    assert not (words.folder / "reports").exists()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("python: 3.13.2\n", "found `3.13.2`; expected a Python version such as 3.13 (3.11 or newer)"),
        ("python: 3.10\n", "found `3.10`; expected a Python version such as 3.13 (3.11 or newer)"),
        ("python: 2.7\n", "found `2.7`; expected a Python version such as 3.13 (3.11 or newer)"),
        ("packages: [numpy==]\n", "found `numpy==`; expected a package, optionally with a version"),
        (
            'packages: ["numpy @ https://example.org/numpy.whl"]\n',
            "URLs are not allowed because their content can change",
        ),
    ],
)
def test_keys_that_say_nothing_sensible_are_refused(words: WordsCourse, keys: str, said: str) -> None:
    words.ask(keys)
    with pytest.raises(SpecError) as raised:
        Course(words.folder).assignment("words")
    assert said in str(raised.value)
    assert "assignment.yaml:8:" in str(raised.value)


@pytest.mark.slow
def test_the_command_line_beats_the_key_and_says_so(
    asking: Callable[..., WordsCourse], other_python: StudentPython
) -> None:
    course = asking()
    run = course.run("generate", "--python", other_python.executable)
    assert run.returncode == 0, run.stderr
    told = f"note: words: the references were run with Python {other_python.version}, as --python says; "
    assert f"{told}assignment.yaml asks for {OWN_VERSION}\n" in run.stderr
    check = course.run("generate", "--check")
    assert check.returncode == 1
    assert "note:" not in check.stderr


@pytest.mark.slow
def test_workers_of_a_cluster_run_the_same(asking: Callable[..., WordsCourse]) -> None:
    course = asking()
    course.hand_in("right")
    grade(course, "none", "--cluster", "local:1")
    assert results(course)["right"] == dict.fromkeys(("said", "called"), "passed")
    assert results(course)["python"] == {"version": StudentPython().version, "packages": [f"{NAME}==1.0"]}


RULES = """\
rules:
  - {id: docs, title: docstrings, rule: docstrings, part: words, points: 1}
"""


@pytest.mark.slow
def test_rules_are_read_by_the_python_of_the_course(words: WordsCourse, newer_python: StudentPython) -> None:
    words.ask(f'python: "{minor_version(newer_python.version)}"\npackages: [{NAME}]\n' + RULES)
    tests = words.folder / "test_specs" / "words" / "tests" / "words.yaml"
    tests.write_text(tests.read_text().replace("points: 2, call", "points: 1, call"))
    words.done("generate")
    typed = "type Word = str\n" + PROGRAM
    words.hand_in("documented", typed.replace("def word():\n", 'def word() -> Word:\n    """The word."""\n'))
    words.hand_in("bare", typed)
    grade(words)
    content = json.loads((words.folder / "reports" / "words" / "results.json").read_text())
    kept = {one["student"]: one["rules"][0] for one in content["submissions"]}
    assert kept["documented"]["kept"]
    assert [found["line"] for found in kept["bare"]["findings"]] == [7]
    assert "word" in kept["bare"]["findings"][0]["message"]


def test_doctor_says_what_is_missing(words: WordsCourse, tmp_path: Path) -> None:
    words.ask(f'python: "{OWN_VERSION}"\npackages: [{NAME}]\n')
    shutil.rmtree(tmp_path / "cache" / "grader" / "packages")
    printed = words.run("doctor").stdout
    assert f"yes  words: Python {StudentPython().version} (" in printed
    assert f"{NAME}: not installed yet, the first run does that" in printed
    words.ask('python: "3.98"\n')
    run = words.run("doctor")
    assert run.returncode == 1
    assert "no   words: " in run.stdout
    assert "uv python install 3.98" in run.stdout
