"""Programs that a Makefile of the student builds: what valgrind and sanitizers find in them is told with its line."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge.judge import judge
from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, Interaction, StdinRun
from grader.model.judgement import Judgement, Verdict
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits
from grader.model.test import Test
from grader.plugins.command_tests.interaction import CommandRun
from grader.run.environment import RunEnvironment
from grader.spec.languages import BUILD_LIMITS, recipe
from tests.building import TEST

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("gcc", "make", "valgrind"))), reason="needs gcc, make and valgrind"
)
HEADER = "struct node { int *values; };\nstruct node *make(int n);\nvoid drop(struct node *node);\n"
NODE = """\
#include <stdlib.h>
#include "node.h"
struct node *make(int n) {
    struct node *made = malloc(sizeof *made);
    made->values = malloc(n * sizeof(int));
    return made;
}
void drop(struct node *node) {
    free(node->values);
    free(node);
}
"""
MAIN = """\
#include <stdio.h>
#include <string.h>
#include "node.h"
int main(void) {
    int n = 3;
    struct node *list = make(n);
    list->values[0] = n;
    printf("%d\\n", 2 * list->values[0]); fflush(stdout);
    WRONG
    drop(list);
    return n == 3 ? 0 : 3;
}
"""
VALGRIND = "valgrind -q --leak-check=full --error-exitcode=9 ./list"
LEAK, PAST, NULL = (
    "list = make(4);",
    "list->values[3] = 1;",
    "struct node *kept = list; list = 0; list->values = 0; list = kept;",
)
ANY = "n = 2147483647; n += list->values[0];"


def outcome_of(
    environment: RunEnvironment,
    folder: Path,
    wrong: str,
    flags: str,
    interaction: Interaction,
    run: tuple[str, ...] = ("./list",),
) -> tuple[Test, Outcome]:
    files = {
        "Makefile": f"CFLAGS = -g {flags}\nlist: list.o node.o\n\tgcc $(CFLAGS) -o list list.o node.o\n",
        "node.h": HEADER,
        "node.c": NODE,
        "list.c": MAIN.replace("WRONG", wrong),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    by_make = recipe("Makefile", ("make",), run, BUILD_LIMITS)
    test = replace(TEST, program="Makefile", interaction=interaction, recipe=by_make)
    with environment.runner([(folder / name, name) for name in files], [test]) as runner:
        return test, runner.run(test, Limits(wall_seconds=60), Isolation.FRESH_PROCESS, {})


def judged(environment: RunEnvironment, folder: Path, wrong: str, flags: str, command: str) -> Judgement:
    run = CommandRun((command,), is_line=True)
    return run.judge(*outcome_of(environment, folder, wrong, flags, run))


@pytest.mark.parametrize(
    ("wrong", "flags", "command", "sentence"),
    [
        ("", "", VALGRIND, ""),
        ("", "-fsanitize=address,undefined", "./list", ""),
        (LEAK, "", VALGRIND, "The program never frees 20 bytes that it allocates, in line 4 of `node.c`."),
        (PAST, "", VALGRIND, "The program writes 1 element past the end of an array of 3, in line 9 of `list.c`."),
        (NULL, "", VALGRIND, "The program follows a null pointer, in line 9 of `list.c`"),
        (
            LEAK,
            "-fsanitize=address",
            "./list",
            "The program never frees 8 bytes that it allocates, in line 4 of `node.c`",
        ),
        (
            PAST,
            "-fsanitize=address",
            "./list",
            "The program writes 1 element past the end of an array of 3, in line 9 of",
        ),
        (NULL, "-fsanitize=address", "./list", "The program follows a null pointer, in line 9 of `list.c`."),
        (ANY, "-fsanitize=undefined", "./list", "The program does what is undefined (signed integer overflow: "),
        (
            NULL,
            "",
            "./list",
            "The command `./list` ends with exit status 139, as after the signal SIGSEGV; expected 0.",
        ),
    ],
)
def test_an_error_is_told_with_the_line_of_the_student(
    everywhere: RunEnvironment, wrong: str, flags: str, command: str, sentence: str, tmp_path: Path
) -> None:
    judgement = judged(everywhere, tmp_path, wrong, flags, command)
    if not sentence:
        assert judgement == Judgement(verdict=Verdict.PASSED)
        return
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence.startswith(sentence), judgement.diagnosis.sentence
    assert judgement.verdict is (Verdict.EXIT_STATUS if "139" in sentence else Verdict.RUNTIME_ERROR)


ADDRESS = "-fsanitize=address"
UNDER_VALGRIND = ("valgrind", "-q", "--leak-check=full", "--error-exitcode=9", "./list")
DIALOGUE, PIPED = Dialogue(()), StdinRun("in.txt", "")
PRINTS_A_REPORT = 'puts("list.c:5:3: runtime error: division by zero"); puts("==7==ERROR: AddressSanitizer: no");'


@pytest.mark.parametrize("interaction", [DIALOGUE, PIPED], ids=["input", "stdin"])
@pytest.mark.parametrize(
    ("wrong", "flags", "run", "cause", "sentence"),
    [
        ("", "", ("./list",), "", ""),
        ("", f"{ADDRESS},undefined", ("./list",), "", ""),
        ("", "-fsanitize=address -static-libasan", ("./list",), "", ""),
        ("", "", UNDER_VALGRIND, "", ""),
        (PAST, ADDRESS, ("./list",), "memory-error", "The program writes 1 element past the end of an array of 3, in"),
        (NULL, ADDRESS, ("./list",), "memory-error", "The program follows a null pointer, in line 9 of `list.c`."),
        (LEAK, ADDRESS, ("./list",), "memory-leak", "The program never frees 8 bytes that it allocates, in line 4 of"),
        (ANY, "-fsanitize=undefined", ("./list",), "undefined-behaviour", "The program does what is undefined (signed"),
        (PAST, "", UNDER_VALGRIND, "memory-error", "The program writes 1 element past the end of an array of 3, in"),
        (LEAK, "", UNDER_VALGRIND, "memory-leak", "The program never frees 20 bytes that it allocates, in line 4 of"),
    ],
)
def test_a_program_with_a_sanitizer_of_its_own_is_tested_as_others_are(
    environment: RunEnvironment,
    interaction: Interaction,
    wrong: str,
    flags: str,
    run: tuple[str, ...],
    cause: str,
    sentence: str,
    tmp_path: Path,
) -> None:
    test, outcome = outcome_of(environment, tmp_path, wrong, flags, interaction, run)
    judgement = judge(test, "6\n", outcome)
    assert outcome.transcript == "6\n"
    if not cause:
        assert judgement == Judgement(verdict=Verdict.PASSED)
        return
    assert judgement.verdict is Verdict.RUNTIME_ERROR
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.cause.id == cause
    assert judgement.diagnosis.sentence.startswith(sentence), judgement.diagnosis.sentence


def test_a_program_without_a_sanitizer_may_print_what_looks_like_a_report(
    environment: RunEnvironment, tmp_path: Path
) -> None:
    _, outcome = outcome_of(environment, tmp_path, PRINTS_A_REPORT, "", DIALOGUE)
    assert (outcome.error_report, outcome.transcript.count("\n")) == ("", 3)


def test_a_program_without_a_sanitizer_gets_no_more_memory_than_its_limit(
    environment: RunEnvironment, tmp_path: Path
) -> None:
    asks = 'puts(malloc(2000000000) ? "much" : "refused");'
    _, outcome = outcome_of(environment, tmp_path, f"extern void *malloc(unsigned long); {asks}", "", DIALOGUE)
    assert (outcome.ending, outcome.transcript) == (Termination.EXITED, "6\nrefused\n")


def test_lines_typed_after_a_report_keep_their_places(environment: RunEnvironment, tmp_path: Path) -> None:
    asks = f'{ANY} char name[9]; printf("Name: "); fflush(stdout); if (!fgets(name, 9, stdin)) return 1; '
    program = f'{asks} printf("Hi %s", name); n = 3;'
    _, outcome = outcome_of(environment, tmp_path, program, "-fsanitize=undefined", Dialogue(("Ada",)))
    assert outcome.transcript == "6\nName: Ada\nHi Ada\n"
    assert [outcome.transcript[line.offset :] for line in outcome.typed] == ["Ada\nHi Ada\n"]
    assert "signed integer overflow" in outcome.error_report
