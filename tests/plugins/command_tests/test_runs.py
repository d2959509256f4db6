"""Commands are run beside the program, and how they end is judged and told."""

import shlex
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.files.digest import content_digest
from grader.model.assignment import Isolation
from grader.model.ending import ANY_STATUS, NONZERO, EndsBySignal, ExitsBetween
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome
from grader.model.program import BuildCommands, CourseFile, Limits, StartSettings
from grader.model.test import Test
from grader.plugins.command_tests.interaction import CommandRun
from grader.plugins.command_tests.judge import judge_command
from grader.run.environment import RunEnvironment, open_environment
from grader.run.find_python import InstalledPackages, StudentPython
from tests.building import TEST

Run = Callable[..., Outcome]
needs_compiler = pytest.mark.skipif(not shutil.which("gcc") or not shutil.which("make"), reason="needs gcc and make")


def a_test(*words: str, line: bool = True, **fields: object) -> Test:
    return replace(TEST, interaction=CommandRun(words, is_line=line), **fields)  # type: ignore[arg-type]


@pytest.fixture
def run(everywhere: RunEnvironment, tmp_path: Path) -> Run:
    """Runs a test on a submission, given as text by name."""

    def outcome(test: Test, seconds: float = 60, **files: str) -> Outcome:
        named = {"game.py": "print('hello')\n", **{name.replace("__", "."): text for name, text in files.items()}}
        for name, text in named.items():
            (tmp_path / name).write_text(text)
        with everywhere.runner([(tmp_path / name, name) for name in named], [test]) as runner:
            return runner.run(test, Limits(wall_seconds=seconds), Isolation.FRESH_PROCESS, {})

    return outcome


def judged(test: Test, outcome: Outcome) -> Judgement:
    assert isinstance(test.interaction, CommandRun)
    return judge_command(test, test.interaction, outcome)


def sentence(test: Test, outcome: Outcome) -> str:
    diagnosis = judged(test, outcome).diagnosis
    return str(diagnosis.sentence) if diagnosis else "passed"


def test_the_exit_status_decides_and_both_streams_are_kept_in_order(run: Run) -> None:
    test = a_test("python game.py; echo oops >&2; echo end; test -t 1 || exit 3")
    outcome = run(test)
    assert (outcome.transcript, outcome.errors, outcome.exit_code) == ("hello\noops\nend\n", "", 3)
    assert judged(test, outcome).verdict is Verdict.EXIT_STATUS
    assert sentence(test, outcome).endswith(" ends with exit status 3; expected 0.")
    assert judged(replace(test, ending=NONZERO), outcome).verdict is Verdict.PASSED
    assert judged(replace(test, ending=ExitsBetween(3, 3)), outcome).verdict is Verdict.PASSED


def test_a_list_is_run_word_for_word(run: Run) -> None:
    test = a_test("python3", "-c", "import sys; print(sys.argv[1:])", "a b", "$HOME;", line=False)
    outcome = run(test)
    assert (outcome.transcript, outcome.exit_code) == ("['a b', '$HOME;']\n", 0)


def test_a_traceback_that_a_command_prints_is_no_crash_of_the_program(run: Run) -> None:
    test = a_test("python3 -m unittest -q checks")
    checks = (
        "import unittest\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual({}, 'right')\n"
    )
    failed = run(test, checks__py=checks.format("'wrong'"))
    assert "AssertionError: 'wrong' != 'right'" in failed.transcript
    assert judged(test, failed).verdict is Verdict.EXIT_STATUS
    assert sentence(test, failed) == (
        "The command `python3 -m unittest -q checks` ends with exit status 1; expected 0."
    )
    assert judged(test, run(test, checks__py=checks.format("'right'"))).verdict is Verdict.PASSED


def test_a_course_file_can_be_executed(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "given.sh"
    script.write_text('#!/bin/sh\ntest "$(python3 game.py)" = hello && echo right\n')
    given = CourseFile("tests/given.sh", content_digest(script.read_bytes()), script)
    for words, is_line in ((("./tests/given.sh",), False), (("cd tests && cp ../game.py . && ./given.sh",), True)):
        test = a_test(*words, line=is_line, start=StartSettings((), {}, (given,)))
        outcome = run(test)
        assert (outcome.transcript, outcome.exit_code) == ("right\n", 0)


def test_nothing_can_be_read_from_standard_input(run: Run) -> None:
    assert run(a_test("cat; echo end")).transcript == "end\n"


def test_a_command_that_goes_on_is_stopped(run: Run) -> None:
    test = a_test("echo begin; sleep 100")
    outcome = run(test, seconds=1)
    assert judged(test, outcome).verdict is Verdict.TIMEOUT
    assert sentence(test, outcome).startswith("The command `echo begin; sleep 100` was still running after ")
    assert outcome.transcript == "begin\n"


def test_a_signal_is_named(run: Run) -> None:
    test = a_test("kill -ABRT $$")
    outcome = run(test)
    assert judged(test, outcome).verdict is Verdict.CRASH
    assert sentence(test, outcome) == "The command `kill -ABRT $$` was ended by SIGABRT."
    in_shell = a_test("sh -c 'kill -SEGV $$'; exit $?")
    assert "ends with exit status 139, as after the signal SIGSEGV; expected 0." in sentence(in_shell, run(in_shell))


_ABORT = "kill -ABRT $$"
_ABORTED = EndsBySignal(signal.SIGABRT)


@pytest.mark.parametrize(
    ("words", "is_line", "passes"),
    [
        (("sh", "-c", _ABORT), False, True),
        (("./abort.sh",), False, True),
        (("sh", "-c", "exit 134"), False, False),
        (("sh", "-c", "kill -SEGV $$"), False, False),
        ((_ABORT,), True, True),
        ((f"sh -c '{_ABORT}'; exit $?",), True, True),
        (("exit 139",), True, False),
        (("exit 1",), True, False),
        (("true",), True, False),
    ],
)
def test_a_command_ended_by_the_expected_signal_passes(
    run: Run, words: tuple[str, ...], is_line: bool, passes: bool
) -> None:
    test = a_test(*words, line=is_line, ending=_ABORTED)
    judgement = judged(test, run(test, abort__sh=f"#!/bin/sh\n{_ABORT}\n"))
    assert (judgement.verdict is Verdict.PASSED) == passes, judgement.diagnosis


def test_the_exit_status_of_a_signal_in_a_shell_still_fits_a_list(run: Run) -> None:
    test = a_test("sh", "-c", _ABORT, line=False)
    outcome = run(test)
    for ending in (ExitsBetween(134, 134), NONZERO, ANY_STATUS):
        assert judged(replace(test, ending=ending), outcome).verdict is Verdict.PASSED
    assert judged(test, outcome).verdict is Verdict.CRASH
    assert sentence(test, outcome) == "The command `sh -c 'kill -ABRT $$'` was ended by SIGABRT."


def test_a_list_may_begin_with_a_word_of_the_shell(run: Run) -> None:
    assert run(a_test("exit", "3", line=False)).exit_code == 3


def test_the_end_of_a_long_output_is_kept(run: Run) -> None:
    outcome = run(a_test("seq 1 100000"))
    kept = outcome.transcript
    assert (kept.startswith("[... "), kept.endswith("\n99999\n100000\n"), len(kept) < 21_000) == (True, True, True)
    assert kept.partition("\n")[2].partition("\n")[0].isdecimal()


def test_what_is_not_installed_is_no_fault_of_the_student(run: Run) -> None:
    for words, is_line in ((("no-such-tool --all",), True), (("no-such-tool", "--all"), False)):
        with pytest.raises(SessionError, match=r"`no-such-tool` is not installed here .* `no-such-tool --all` cannot"):
            run(a_test(*words, line=is_line))
    with pytest.raises(SessionError, match=r"has no pytest, .*: the instructor has to add `packages: .pytest.`"):
        run(a_test("python3 -m pytest -q"))
    with pytest.raises(SessionError, match=r"`./run\.sh` is neither handed in nor among the `files` of the test"):
        run(a_test("./run.sh"))
    with pytest.raises(SessionError, match=r"`./run\.sh` is neither handed in nor among the `files` of the test"):
        run(a_test("./run.sh", line=False))


@pytest.mark.parametrize(
    "printed", ["/usr/bin/python3: No module named unittest", "/usr/bin/python3: No module named pytest\nno"]
)
def test_words_about_a_module_may_be_the_students(run: Run, printed: str) -> None:
    test = a_test(f"echo '{printed}'; : python3 -m unittest python3 -m pytest; exit 1")
    assert judged(test, run(test)).verdict is Verdict.EXIT_STATUS


CLAIMS = {
    "a package": ("python3 -m pytest -q", "/opt/python/bin/python3: No module named pytest", 1),
    "a package, in a list": ("python3 -m pytest", "/opt/python/bin/python3: No module named pytest", 1),
    "the file itself": ("./run.sh", "sh: 1: ./run.sh: not found", 127),
}


@pytest.mark.parametrize(("command", "printed", "status"), CLAIMS.values(), ids=CLAIMS)
def test_a_program_cannot_claim_that_something_is_missing(
    tmp_path: Path, command: str, printed: str, status: int
) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "pytest.py").write_text(f"import os\nos.write(1, b'{printed}\\n')\nos._exit({status})\n")
    (tmp_path / "run.sh").write_text(f"#!/bin/sh\necho '{printed}'\nexit {status}\n")
    python = StudentPython(packages=InstalledPackages(packages, ("pytest==9",)))
    with open_environment(python) as environment:
        test = a_test(*(shlex.split(command) if "list" in command else [command]), line="list" not in command)
        outcome = environment.run(test, ((tmp_path / "run.sh", "run.sh"),), Limits(wall_seconds=60), {})
    assert outcome.transcript == f"{printed}\n"
    assert judged(test, outcome).verdict is Verdict.EXIT_STATUS


def test_a_program_that_a_student_should_have_built_is_missing(run: Run) -> None:
    recipe = BuildCommands(build=("true",), run=("./calc",), limits=Limits())
    test = a_test("./calc", recipe=recipe)
    outcome = run(test)
    assert judged(test, outcome).verdict is Verdict.EXIT_STATUS
    assert sentence(test, outcome) == (
        "The command `./calc` ends with exit status 127: something that it starts is not there; expected 0."
    )
    assert "./calc: not found" in outcome.transcript or "No such file" in outcome.transcript


def test_a_file_that_cannot_be_executed(run: Run) -> None:
    test = a_test("mkdir folder; ./folder")
    assert "ends with exit status 126: something that it starts cannot be executed; " in sentence(test, run(test))


@needs_compiler
def test_a_command_finds_what_was_built(run: Run) -> None:
    recipe = BuildCommands(build=("make",), run=("./calc",), limits=Limits(processes=256))
    test = a_test("test $(./calc) = 42", recipe=recipe)
    files = {"Makefile": "calc: calc.c\n\tgcc -o calc calc.c\n", "calc__c": "int main(void) { SAY return 0; }\n"}
    calc = files["calc__c"].replace("SAY", 'puts("42");')
    outcome = run(test, **{**files, "calc__c": f"#include <stdio.h>\n{calc}"})
    assert (outcome.exit_code, outcome.in_build) == (0, False), outcome.transcript
    outcome = run(test, **files)
    assert (outcome.in_build, judged(test, outcome).verdict) == (True, Verdict.BUILD_ERROR)
