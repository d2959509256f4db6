"""Programs that a Makefile of the student builds: what valgrind and sanitizers find in them is told with its line."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.assignment import Isolation
from grader.model.judgement import Judgement, Verdict
from grader.model.program import Limits
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


def judged(environment: RunEnvironment, folder: Path, wrong: str, flags: str, command: str) -> Judgement:
    files = {
        "Makefile": f"CFLAGS = -g {flags}\nlist: list.o node.o\n\tgcc $(CFLAGS) -o list list.o node.o\n",
        "node.h": HEADER,
        "node.c": NODE,
        "list.c": MAIN.replace("WRONG", wrong),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    run = CommandRun((command,), is_line=True)
    by_make = recipe("Makefile", ("make",), ("./list",), BUILD_LIMITS)
    test = replace(TEST, program="Makefile", interaction=run, recipe=by_make)
    with environment.runner([(folder / name, name) for name in files], [test]) as runner:
        outcome = runner.run(test, Limits(wall_seconds=60), Isolation.FRESH_PROCESS, {})
    return run.judge(test, outcome)


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
    environment: RunEnvironment, wrong: str, flags: str, command: str, sentence: str, tmp_path: Path
) -> None:
    judgement = judged(environment, tmp_path, wrong, flags, command)
    if not sentence:
        assert judgement == Judgement(verdict=Verdict.PASSED)
        return
    assert judgement.diagnosis is not None
    assert judgement.diagnosis.sentence.startswith(sentence), judgement.diagnosis.sentence
    assert judgement.verdict is (Verdict.EXIT_STATUS if "139" in sentence else Verdict.RUNTIME_ERROR)
