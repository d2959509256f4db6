"""Sanitizers and valgrind look for errors in real programs, and what they report is no part of the transcript."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.judge.error_report import ErrorKind, found_errors
from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, Interaction, StdinRun
from grader.model.outcome import Outcome, Termination
from grader.model.program import BUILD_LIMITS, Limits, Sanitizer
from grader.run import toolchain
from grader.run.environment import RunEnvironment, open_environment, sandboxed_environment
from grader.spec.languages import BuildEntry, recipe
from tests.building import TEST
from tests.sandbox import needs_sandbox

needs_cplusplus = pytest.mark.skipif(not shutil.which("g++"), reason="needs the Debian package g++")
needs_valgrind = pytest.mark.skipif(not shutil.which("valgrind"), reason="needs the Debian package valgrind")
SANITIZED = BuildEntry(sanitizers=(Sanitizer.ADDRESS, Sanitizer.UNDEFINED))
VALGRIND = BuildEntry(valgrind=True)
FOUR = Dialogue(("4",))
SAID = "Number: 4\nDouble: 8\n"

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int number, *kept = (int *) malloc(10 * sizeof(int));
    printf("Number: "); fflush(stdout);
    if (scanf("%d", &number) != 1) return 1;
    kept[0] = number;
    printf("Double: %d\\n", 2 * kept[0]); fflush(stdout);
    WRONG
    free(kept);
    return 0;
}
"""


@pytest.fixture(
    scope="module",
    params=[pytest.param("open", marks=pytest.mark.slow), pytest.param("sandboxed", marks=needs_sandbox)],
)
def environment(request: pytest.FixtureRequest) -> Iterator[RunEnvironment]:
    with open_environment() if request.param == "open" else sandboxed_environment(()) as environment:
        yield environment


def outcome_of(
    environment: RunEnvironment,
    folder: Path,
    source: str,
    settings: BuildEntry,
    file: str = "double.c",
    *,
    interaction: Interaction = FOUR,
) -> Outcome:
    (folder / file).write_text(source)
    test = replace(TEST, program=file, interaction=interaction, recipe=recipe(file, settings, None, BUILD_LIMITS))
    with environment.runner([(folder / file, file)]) as runner:
        outcome = runner.run(test, Limits(wall_seconds=60), Isolation.FORK, {})
    assert not outcome.in_build, outcome.transcript
    return outcome


WRONG = [
    ("kept[10] = 1;", "writes 1 element past the end of an array of 10", ErrorKind.MEMORY),
    ("number = kept[-2];", "reads 2 elements before the start of an array of 10", ErrorKind.MEMORY),
    ("free(kept); kept[1] = 1;", "writes memory that it has freed", ErrorKind.MEMORY),
    ("free(kept); free(kept);", "frees memory that it has freed already", ErrorKind.MEMORY),
    ("kept = (int *) malloc(24);", "never frees 40 bytes that it allocates", ErrorKind.LEAK),
    ("free(kept); kept = NULL; kept[0] = number;", "follows a null pointer", ErrorKind.MEMORY),
]
AT_ANY_TIME = WRONG[0], WRONG[4]
"""Valgrind takes long, so the others are left to the slow tests."""


@needs_cplusplus
@pytest.mark.parametrize(
    ("settings", "wrong", "what", "kind"),
    [
        *(pytest.param(SANITIZED, *one, id=f"sanitized-{one[1]}") for one in WRONG),
        *(pytest.param(VALGRIND, *one, id=f"valgrind-{one[1]}", marks=needs_valgrind) for one in AT_ANY_TIME),
        *(
            pytest.param(VALGRIND, *one, id=f"valgrind-{one[1]}", marks=[needs_valgrind, pytest.mark.slow])
            for one in WRONG
            if one not in AT_ANY_TIME
        ),
    ],
)
def test_an_error_is_reported_with_its_line_and_not_printed(
    environment: RunEnvironment, settings: BuildEntry, wrong: str, what: str, kind: ErrorKind, tmp_path: Path
) -> None:
    outcome = outcome_of(environment, tmp_path, PROGRAM.replace("WRONG", wrong), settings)
    found = found_errors(outcome.error_report)
    assert found, outcome.transcript
    line = 4 if kind is ErrorKind.LEAK else 9
    assert (found[0].what, found[0].kind, found[0].file, found[0].line) == (what, kind, "double.c", line)
    assert outcome.transcript.removesuffix("AddressSanitizer:DEADLYSIGNAL\n") == SAID


@needs_cplusplus
@pytest.mark.parametrize(
    "settings", [SANITIZED, pytest.param(VALGRIND, marks=needs_valgrind)], ids=["sanitized", "valgrind"]
)
@pytest.mark.parametrize("file", ["double.c", pytest.param("double.cpp", marks=pytest.mark.slow)])
def test_nothing_is_found_in_a_right_program(
    environment: RunEnvironment, settings: BuildEntry, file: str, tmp_path: Path
) -> None:
    outcome = outcome_of(environment, tmp_path, PROGRAM.replace("WRONG", ""), settings, file)
    assert (outcome.error_report, outcome.transcript, outcome.exit_code) == ("", SAID, 0)


@needs_cplusplus
def test_what_is_undefined_is_reported_and_the_program_goes_on(environment: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", 'number += 2147483647; if (number > 0) puts("impossible");')
    for sanitizers in (SANITIZED.sanitizers, (Sanitizer.UNDEFINED,)):
        outcome = outcome_of(environment, tmp_path, source, BuildEntry(sanitizers=sanitizers))
        (found,) = found_errors(outcome.error_report)
        assert found.what.startswith("does what is undefined (signed integer overflow: "), found.what
        assert (found.kind, found.file, found.line) == (ErrorKind.UNDEFINED, "double.c", 9)
        assert (outcome.transcript, outcome.exit_code) == (SAID, 0)


@needs_cplusplus
@needs_valgrind
def test_a_value_that_was_never_set(environment: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", "if (kept[3] > 1000000) return 3;")
    found = found_errors(outcome_of(environment, tmp_path, source, VALGRIND).error_report)
    assert (found[0].what, found[0].line) == ("decides by a value that was never set", 9)


@needs_cplusplus
@pytest.mark.parametrize(
    "settings", [SANITIZED, pytest.param(VALGRIND, marks=needs_valgrind)], ids=["sanitized", "valgrind"]
)
@pytest.mark.slow
def test_leaks_are_left_alone_where_the_course_says_so(
    environment: RunEnvironment, settings: BuildEntry, tmp_path: Path
) -> None:
    source = PROGRAM.replace("WRONG", "kept = (int *) malloc(24);")
    outcome = outcome_of(environment, tmp_path, source, settings.model_copy(update={"leaks": False}))
    assert (outcome.error_report, outcome.exit_code) == ("", 0)


TAKEN_BACK = """\
#include <unistd.h>
static void __attribute__((destructor)) take_back(void) { if (ftruncate(3, 0)) lseek(3, 0, SEEK_SET); }
"""


@needs_cplusplus
@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        (SANITIZED, 'number += 2147483647; if (number > 0) puts("impossible");'),
        pytest.param(VALGRIND, "kept[10] = 1;", marks=needs_valgrind),
    ],
    ids=["sanitized", "valgrind"],
)
@pytest.mark.slow
def test_no_program_takes_back_what_was_reported(
    environment: RunEnvironment, settings: BuildEntry, wrong: str, tmp_path: Path
) -> None:
    outcome = outcome_of(environment, tmp_path, TAKEN_BACK + PROGRAM.replace("WRONG", wrong), settings)
    assert found_errors(outcome.error_report)


@needs_cplusplus
@needs_valgrind
def test_valgrind_ends_otherwise_where_its_reports_are_not_let_out(environment: RunEnvironment, tmp_path: Path) -> None:
    source = f"#include <sys/socket.h>\n{PROGRAM.replace('WRONG', 'shutdown(3, SHUT_WR); kept[10] = 1;')}"
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert (outcome.error_report, outcome.exit_code == 0) == ("", False)


@needs_cplusplus
@needs_valgrind
def test_a_large_array_of_a_function_is_no_error(environment: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", "int grid[900][900]; grid[899][899] = grid[0][0] = number; if (grid[0][0]) {}")
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert (outcome.error_report, outcome.transcript, outcome.exit_code) == ("", SAID, 0)


@needs_cplusplus
def test_reports_on_a_program_without_a_terminal(environment: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", 'fprintf(stderr, "kept\\n"); kept[10] = 1;')
    run = StdinRun(name=None, text="4\n")
    outcome = outcome_of(environment, tmp_path, source, SANITIZED, interaction=run)
    assert outcome.transcript == "Number: Double: 8\n"
    assert outcome.errors == "kept\n"
    assert [found.line for found in found_errors(outcome.error_report)] == [9]


@needs_cplusplus
@pytest.mark.slow
def test_the_shadow_of_a_sanitizer_is_no_memory_but_what_is_used_is(
    environment: RunEnvironment, tmp_path: Path
) -> None:
    source = (
        "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n"
    )
    assert outcome_of(environment, tmp_path, source, SANITIZED).ending is Termination.MEMORY_LIMIT


@needs_cplusplus
@pytest.mark.parametrize("settings", [SANITIZED, VALGRIND], ids=["sanitized", "valgrind"])
def test_what_is_missing_on_this_machine_is_no_fault_of_the_program(
    settings: BuildEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poor = tmp_path / "bin"
    poor.mkdir()
    (poor / "gcc").write_text('#!/bin/sh\ncase $1 in -print*) echo libasan.so;; *) exec /usr/bin/gcc "$@";; esac\n')
    (poor / "gcc").chmod(0o755)
    monkeypatch.setattr(toolchain, "SYSTEM_PATH", str(poor))
    with open_environment() as environment, pytest.raises(SessionError) as caught:
        outcome_of(environment, tmp_path, PROGRAM.replace("WRONG", ""), settings)
    assert str(caught.value) in (
        "gcc has no sanitizer `address` (libasan.so)",
        "valgrind is not installed (on Debian: apt-get install valgrind)",
    )
