"""Tests with an interactor also say how the program is run and must end."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

import grader
from grader.model.program import SandboxKind
from grader.plugins.bundling.bundle import make_file
from tests.conftest import bare_python
from tests.courses.conftest import OneProgram
from tests.sandbox import needs_sandbox

ADDS = """\
def play(program):
    program.expect("Number: ")
    program.send(program.options["number"])
    said = program.read_line("a sum")
    program.expect_end()
    if said != program.options["sum"]:
        program.wrong(f"{said} is not the sum.")
"""
# Both ways to talk to the program, in both ways to keep it.
THROUGH = pytest.mark.parametrize(
    ("demo", "through"),
    [
        pytest.param(SandboxKind.BWRAP, "terminal", marks=needs_sandbox),
        pytest.param(SandboxKind.BWRAP, "pipes", marks=[needs_sandbox, pytest.mark.slow]),
        pytest.param(SandboxKind.NONE, "terminal", marks=pytest.mark.slow),
        pytest.param(SandboxKind.NONE, "pipes"),
    ],
    indirect=["demo"],
)


def write(demo: OneProgram, through: str, keys: str, reference: str, files: Mapping[str, str] | None = None) -> None:
    """A course with one test, `t`, which also has these keys: what the program adds to 4 must be 7."""
    options = "interactor: adds, interactor_options: {number: 4, sum: 7}"
    demo.write(
        f"- {{id: t, {options}, through: {through}, {keys}}}",
        reference=reference,
        files={"../../interactors/adds.py": ADDS, **(files or {})},
    )


def verdict_and_words(demo: OneProgram, source: str) -> tuple[str, str | None]:
    judgement = demo.results(source)["t"].judgement
    return str(judgement.verdict), judgement.diagnosis.sentence if judgement.diagnosis else None


ARGUMENT = "import sys\nprint(int(input('Number: ')) + int(sys.argv[1]))\n"


@pytest.mark.slow
@THROUGH
def test_arguments(demo: OneProgram, through: str) -> None:
    write(demo, through, 'args: ["3", "a b"]', ARGUMENT)
    demo.generate()
    assert verdict_and_words(demo, ARGUMENT) == ("passed", None)
    assert verdict_and_words(demo, ARGUMENT.replace("[1]", "[0][:0] or '5'")) == ("wrong-output", "9 is not the sum.")


VARIABLE = "import os\nprint(int(input('Number: ')) + int(os.environ.get('MORE', '1')))\n"


@pytest.mark.slow
@THROUGH
def test_environment_variables(demo: OneProgram, through: str) -> None:
    write(demo, through, 'environment: {MORE: "3"}', VARIABLE)
    demo.generate()
    assert verdict_and_words(demo, VARIABLE) == ("passed", None)
    assert verdict_and_words(demo, VARIABLE.replace("MORE", "LESS")) == ("wrong-output", "5 is not the sum.")


CONTENT = "number = int(input('Number: '))\nprint(number + int(open('in/more.txt').read()))\n"


@pytest.mark.slow
@THROUGH
def test_files_beside_the_program(demo: OneProgram, through: str) -> None:
    write(demo, through, "files: {in/more.txt: three.txt}", CONTENT, {"files/three.txt": "3\n"})
    demo.generate()
    assert verdict_and_words(demo, CONTENT) == ("passed", None)
    assert verdict_and_words(demo, CONTENT.replace("+", "-")) == ("wrong-output", "1 is not the sum.")


SUM = "print(int(input('Number: ')) + 3)\n"


@pytest.mark.slow
@THROUGH
def test_limits(demo: OneProgram, through: str) -> None:
    write(demo, through, "limits: {output_bytes: 1000}", SUM)
    demo.generate()
    assert demo.verdicts(f"{SUM}print('x' * 900)\n") == {"t": "passed"}
    assert demo.verdicts(f"{SUM}print('x' * 1100)\n") == {"t": "output-limit"}


@pytest.mark.slow
@THROUGH
@pytest.mark.parametrize(
    ("exit_status", "end"),
    [
        pytest.param("nonzero", "raise SystemExit(3)", marks=pytest.mark.slow),
        pytest.param("3", "raise SystemExit(3)", marks=pytest.mark.slow),
        ("SIGABRT", "import os, sys; sys.stdout.flush(); os.abort()"),
    ],
)
def test_how_the_program_must_end(demo: OneProgram, through: str, exit_status: str, end: str) -> None:
    write(demo, through, f"exit_status: {exit_status}", f"{SUM}{end}\n")
    demo.generate()
    assert demo.verdicts(f"{SUM}{end}\n") == {"t": "passed"}
    assert demo.verdicts(SUM) == {"t": "exit-status"}
    assert demo.verdicts(f"{SUM}import os, sys; sys.stdout.flush(); os.kill(os.getpid(), 15)\n") == {"t": "crash"}
    assert verdict_and_words(demo, SUM.replace("3", "5") + end) == ("wrong-output", "9 is not the sum.")


@THROUGH
def test_a_reference_that_ends_otherwise_than_the_test_says(demo: OneProgram, through: str) -> None:
    write(demo, through, "exit_status: nonzero", SUM)
    with pytest.raises(grader.GraderError, match=r"fails the test t: .*exit status"):
        demo.generate()


@pytest.mark.slow
def test_files_go_where_interactors_go(tmp_path: Path) -> None:
    demo = OneProgram(tmp_path / "course", grader.SandboxKind.NONE)
    demo.folder.mkdir()
    write(demo, "pipes", "files: {in/more.txt: three.txt}, args: [x]", CONTENT, {"files/three.txt": "3\n"})
    assignment = grader.load("demo", course=demo.folder)
    make_file(assignment, tmp_path / "grader.pyz", interactors=True)
    demo.folder.rename(tmp_path / "gone")
    (tmp_path / "p.py").write_text(CONTENT)
    command = [*bare_python(), str(tmp_path / "grader.pyz"), "check", str(tmp_path / "p.py")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env={})
    assert (run.returncode, "1 of 1 tests passed." in run.stdout) == (0, True), run.stdout + run.stderr
