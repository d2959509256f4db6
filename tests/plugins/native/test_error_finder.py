"""Sanitizers and valgrind look for errors in real programs, and what they report is no part of the transcript."""

import platform
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SessionError
from grader.judge.found_errors import ErrorKind, found_errors
from grader.model.assignment import Isolation
from grader.model.interaction import Dialogue, Interaction, StdinRun
from grader.model.outcome import Outcome, Termination
from grader.model.program import Limits, Sanitizer
from grader.run import toolchain
from grader.run.environment import RunEnvironment, open_environment
from grader.spec.languages import BUILD_LIMITS, BuildEntry, recipe
from tests.building import TEST

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


@pytest.mark.slow
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
    everywhere: RunEnvironment, settings: BuildEntry, wrong: str, what: str, kind: ErrorKind, tmp_path: Path
) -> None:
    outcome = outcome_of(everywhere, tmp_path, PROGRAM.replace("WRONG", wrong), settings)
    found = found_errors(outcome.error_report)
    assert found, outcome.transcript
    line = 4 if kind is ErrorKind.LEAK else 9
    assert (found[0].what, found[0].kind, found[0].file, found[0].line) == (what, kind, "double.c", line)
    assert outcome.transcript.removesuffix("AddressSanitizer:DEADLYSIGNAL\n") == SAID


@pytest.mark.slow
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


@pytest.mark.slow
@needs_cplusplus
def test_what_is_undefined_is_reported_and_the_program_goes_on(environment: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", 'number += 2147483647; if (number > 0) puts("impossible");')
    for sanitizers in (SANITIZED.sanitizers, (Sanitizer.UNDEFINED,)):
        outcome = outcome_of(environment, tmp_path, source, BuildEntry(sanitizers=sanitizers))
        (found,) = found_errors(outcome.error_report)
        assert found.what.startswith("does what is undefined (signed integer overflow: "), found.what
        assert (found.kind, found.file, found.line) == (ErrorKind.UNDEFINED, "double.c", 9)
        assert (outcome.transcript, outcome.exit_code) == (SAID, 0)


@pytest.mark.slow
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


LEAK = """\
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
HEAD
int main(int count, char **arguments) {
    int number, *kept = (int *) malloc(40);
    if (!count || !*arguments || !kept || scanf("%d", &number) != 1) return 1;
    puts("4"); fflush(stdout);
    WRONG
}
"""
FOUND_AT_ITS_LINE = [("never frees 40 bytes that it allocates", "double.c", 6)]
ENDS = {
    "return": ("", "return 0;"),
    "exit": ("", "exit(0);"),
    "exit-in-a-function": ("static void stop(void) { exit(0); }", "stop(); kept[0] = 1; return 0;"),
    "exit-called-by-address": ("static void (*stop)(int) = exit;", "stop(0); kept[0] = 1; return 0;"),
    "_exit": ("", "_exit(0);"),
    "_Exit": ("", "_Exit(0);"),
    "quick_exit": ("", "quick_exit(0);"),
}
WATCHED = [pytest.param(SANITIZED, id="sanitized"), pytest.param(VALGRIND, id="valgrind", marks=needs_valgrind)]


def errors_of(outcome: Outcome) -> list[tuple[str, str | None, int | None]]:
    return [(error.what, error.file, error.line) for error in found_errors(outcome.error_report)]


@pytest.mark.slow
@needs_cplusplus
@pytest.mark.parametrize("settings", WATCHED)
@pytest.mark.parametrize(
    "end", [name if name == "exit" else pytest.param(name, marks=pytest.mark.slow) for name in ENDS]
)
def test_a_leak_is_found_however_the_program_ends(
    environment: RunEnvironment, settings: BuildEntry, end: str, tmp_path: Path
) -> None:
    head, wrong = ENDS[end]
    source = LEAK.replace("HEAD", head).replace("WRONG", wrong)
    outcome = outcome_of(environment, tmp_path, source, settings)
    assert (errors_of(outcome), outcome.transcript) == (FOUND_AT_ITS_LINE, "4\n4\n")


COMPARE = "static int compare(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }\n"


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
def test_what_the_c_library_does_is_the_line_that_calls_it(environment: RunEnvironment, tmp_path: Path) -> None:
    source = COMPARE + PROGRAM.replace("WRONG", "kept = (int *) realloc(kept, 40); qsort(kept, 9, 4, compare);")
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert errors_of(outcome)[0] == ("decides by a value that was never set", "double.c", 10)


ENDS_WELL = {
    "freed-at-exit": (
        "static int *kept; static void give(void) { free(kept); }|kept = (int *) malloc(4); atexit(give); exit(0);"
    ),
    "kept-by-a-global": "static int *kept;|kept = (int *) malloc(4); exit(0);",
    "status": "|fflush(stdout); exit(fork() ? 0 : 3);",
    "error-of-the-library": '#include <err.h>\n|if (freopen("/dev/null", "w", stderr)) errx(0, "bye");',
    "child-that-executes": (
        "#include <sys/wait.h>\n|int *own = (int *) malloc(4); "
        'if (!fork()) { execlp("true", "true", (char *) 0); _exit(1); } wait(0); free(own); return 0;'
    ),
    "failed-exec": '|int *own = (int *) malloc(4); execl("/none", "none", (char *) 0); free(own); return 0;',
    "last-thread": (
        "static void *work(void *n) { return n; }|pthread_t t; pthread_create(&t, 0, work, 0); pthread_exit(0);"
    ),
    "child-of-the-shell": '|return system("true");',
    "child": "|int *own = (int *) malloc(4); if (!fork()) _exit(0); free(own); return 0;",
    "exit-at-exit": "static void again(void) { _exit(0); }|atexit(again); exit(0);",
    "thread": "static void *work(void *n) { exit(0); return n; }|pthread_t t; pthread_create(&t, 0, work, 0); pause();",
}


@needs_cplusplus
@pytest.mark.slow
@pytest.mark.parametrize("settings", WATCHED)
@pytest.mark.parametrize("end", ENDS_WELL)
def test_a_program_without_a_leak_ends_as_it_does_unwatched(
    environment: RunEnvironment, settings: BuildEntry, end: str, tmp_path: Path
) -> None:
    # A compiler is as strict in a sandbox as outside.
    flags = ("-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror") if environment.has_forks else ()
    head, body = ENDS_WELL[end].split("|")
    source = (
        "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
        f'{head}\nint main(void) {{ puts("done"); fflush(stdout); {body} }}\n'
    )
    settings = settings.model_copy(update={"flags": flags})
    outcome = outcome_of(environment, tmp_path, source, settings, interaction=Dialogue(()))
    assert (outcome.error_report, outcome.transcript, outcome.exit_code) == ("", "done\n", 0)


ORDER = (
    "#include <stdint.h>\nstatic void order(uintptr_t code) { volatile uintptr_t what[6] = {code, 1, 0, 0, 0, 0}; "
    "uintptr_t result = 0; "
    '__asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx" '
    ': "=d"(result) : "a"(&what[0]), "0"(result) : "cc", "memory"); }'
)
SILENCED = {
    "started-again": ("", 'if (count == 1) execl("./double", "double", "again", (char *) 0); return 0;'),
    "settings": (
        "",
        'if (count == 1) { setenv("VALGRIND_OPTS", "--leak-check=no", 1); execl("./double", "2", "3", (char *) 0); }',
    ),
}


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
@pytest.mark.parametrize("way", SILENCED)
def test_valgrind_watches_what_a_program_starts(environment: RunEnvironment, way: str, tmp_path: Path) -> None:
    head, wrong = SILENCED[way]
    source = LEAK.replace('scanf("%d", &number) != 1', "(number = 0)").replace("HEAD", head).replace("WRONG", wrong)
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert errors_of(outcome) == FOUND_AT_ITS_LINE


THREADED = """#include <pthread.h>
#include <stdlib.h>

void *work(void *kept) {
    ((int *) kept)[10] = 1;
    return NULL;
}

int main(void) {
    int *kept = calloc(10, sizeof(int));
    pthread_t thread;
    pthread_create(&thread, NULL, work, kept);
    pthread_join(thread, NULL);
    LAST
    return 0;
}
"""


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
@pytest.mark.parametrize(("last", "leaks"), [("free(kept);", False), ("kept = NULL;", True)])
def test_what_another_thread_does_is_an_error_too(
    environment: RunEnvironment, last: str, leaks: bool, tmp_path: Path
) -> None:
    outcome = outcome_of(environment, tmp_path, THREADED.replace("LAST", last), VALGRIND)
    beyond = "writes 1 element past the end of an array of 10", "double.c", 5
    leak = "never frees 40 bytes that it allocates", "double.c", 10
    assert errors_of(outcome) == [beyond, leak][: 1 + leaks]


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
@pytest.mark.skipif(platform.machine() != "x86_64", reason="machine code of x86-64")
def test_orders_to_valgrind_are_an_error(environment: RunEnvironment, tmp_path: Path) -> None:
    source = LEAK.replace("HEAD", ORDER).replace("WRONG", "order(0x1801); return 0;")
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert errors_of(outcome) == [("gives orders to valgrind, as the macros of `valgrind.h` do", None, None)]


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
def test_valgrind_takes_no_settings_from_the_submission(environment: RunEnvironment, tmp_path: Path) -> None:
    (tmp_path / ".valgrindrc").write_text("--memcheck:undef-value-errors=no\n--suppressions=./none\n")
    (tmp_path / "double.c").write_text(PROGRAM.replace("WRONG", "if (kept[3] > 1000000) return 3;"))
    test = replace(TEST, program="double.c", interaction=FOUR, recipe=recipe("double.c", VALGRIND, None, BUILD_LIMITS))
    files = [(tmp_path / name, name) for name in ("double.c", ".valgrindrc")]
    with environment.runner(files) as runner:
        outcome = runner.run(test, Limits(wall_seconds=60), Isolation.FORK, {})
    assert errors_of(outcome)[0] == ("decides by a value that was never set", "double.c", 9)


HIDING = {
    "attribute": ('__attribute__((no_sanitize("address"))) static void hide(void) { }', "no_sanitize"),
    "pasted": (
        "#define HIDE(end) __attribute__((no_san ## end))\nHIDE(itize_address) static void hide(void) { }",
        "no_sanitize_address",
    ),
    "report": ("void __asan_report_store4(void *place) { (void) place; }", "__asan_report_store4"),
    "options": ('const char *__asan_default_options(void) { return "detect_leaks=0"; }', "__asan_default_options"),
    "turned-off": ("int __lsan_is_turned_off(void) { return 1; }", "__lsan_is_turned_off"),
    "optimize": ('#pragma GCC optimize("wrapv")', 'pragma GCC optimize("wrapv")'),
    "operator": ('_Pragma("GCC optimize(\\"wr\\" \\"apv\\")")', 'pragma GCC optimize("wr" "apv")'),
    "attribute-optimize": ('__attribute__((optimize("wrapv"))) static void hide(void) { }', "__attribute__"),
    "assembly": ('static void hide(void) { __asm__ volatile("nop"); }', "__asm__"),
    "weakref": ('static void hide(void) __attribute__((weakref("__ls" "an_disable")));', "__attribute__"),
    "alias": ('static void hide(void) __attribute__((unused, __alias__("main")));', "__attribute__"),
    "long-attribute": (
        "__attribute__((optimize(" + 220 * '"O1", ' + '"wrapv"))) static void hide(void) { }',
        "__attribute__",
    ),
    "raw-attribute": ('__attribute__((optimize(R"(wrapv)"))) static void hide(void) { }', "__attribute__"),
    "raw-string": (
        'static const char *kept_ = R"x(\n# 1 "double.c"\n)x"; __attribute__((no_sanitize_address)) static int i;',
        "no_sanitize_address",
    ),
    "label": ('void hide(void *place) __asm__("__asan_report_store4");', "__asm__"),
}


@needs_cplusplus
@pytest.mark.parametrize("way", HIDING)
def test_a_source_that_hides_from_sanitizers_is_not_built(
    environment: RunEnvironment, way: str, tmp_path: Path
) -> None:
    head, words = HIDING[way]
    (tmp_path / "double.c").write_text(LEAK.replace("HEAD", head).replace("WRONG", "return 0;"))
    test = replace(TEST, program="double.c", interaction=FOUR, recipe=recipe("double.c", SANITIZED, None, BUILD_LIMITS))
    with environment.runner([(tmp_path / "double.c", "double.c")]) as runner:
        outcome = runner.run(test, Limits(wall_seconds=60), Isolation.FORK, {})
    assert (outcome.in_build, outcome.exit_code) == (True, 1)
    line = 4 + head.count("\n")
    said = f"double.c:{line}: error: this hides from the sanitizers and may not be used here: {words}\n"
    assert said in outcome.transcript


@needs_cplusplus
@pytest.mark.parametrize("settings", WATCHED)
@pytest.mark.parametrize("name", ["dladdr", pytest.param("dl_iterate_phdr", marks=pytest.mark.slow)])
def test_a_function_that_would_be_called_in_place_of_the_library_is_not_built(
    environment: RunEnvironment, settings: BuildEntry, name: str, tmp_path: Path
) -> None:
    head = f"int {name}(void) {{ return 0; }}"
    (tmp_path / "double.c").write_text(LEAK.replace("HEAD", head).replace("WRONG", "return 0;"))
    test = replace(TEST, program="double.c", interaction=FOUR, recipe=recipe("double.c", settings, None, BUILD_LIMITS))
    with environment.runner([(tmp_path / "double.c", "double.c")]) as runner:
        outcome = runner.run(test, Limits(wall_seconds=60), Isolation.FORK, {})
    assert (outcome.in_build, outcome.exit_code) == (True, 1)
    message = "error: memory cannot be checked with a function of this name; give it another"
    assert f"{message}: {name}\n" in outcome.transcript


@needs_cplusplus
def test_no_text_of_a_student_is_taken_for_a_header_of_the_system(environment: RunEnvironment, tmp_path: Path) -> None:
    head = '# 1 "/usr/include/stdio.h" 1 3\nstatic void hide(void) { __asm__ volatile("nop"); }\n# 6 "double.c" 2'
    (tmp_path / "double.c").write_text(LEAK.replace("HEAD", head).replace("WRONG", "return 0;"))
    test = replace(TEST, program="double.c", interaction=FOUR, recipe=recipe("double.c", SANITIZED, None, BUILD_LIMITS))
    with environment.runner([(tmp_path / "double.c", "double.c")]) as runner:
        outcome = runner.run(test, Limits(wall_seconds=60), Isolation.FORK, {})
    assert (outcome.in_build, outcome.exit_code) == (True, 1)
    said = "double.c:4:3: error: line markers hide from the sanitizers and may not be used here\n"
    assert said in outcome.transcript


@pytest.mark.slow
@needs_cplusplus
def test_what_only_looks_like_hiding_is_built(environment: RunEnvironment, tmp_path: Path) -> None:
    head = (
        '#line 2 "double.c"\n#pragma GCC optimize("O3,unroll-loops")\n#pragma GCC push_options\n#include <string.h>\n'
        "static int optimize(const char *way) { return puts(way); } /* no_sanitize */ static int asm_ = 1;\n"
        '__attribute__((noinline, optimize("O1"))) static int plain(void) { return asm_; }\n'
    )
    wrong = 'optimize("no_sanitize(address) __asan_init wrapv"); plain(); free(kept); return 0;'
    outcome = outcome_of(environment, tmp_path, LEAK.replace("HEAD", head).replace("WRONG", wrong), SANITIZED)
    assert (outcome.error_report, outcome.transcript) == ("", "4\n4\nno_sanitize(address) __asan_init wrapv\n")


@pytest.mark.slow
@needs_cplusplus
def test_orders_to_a_sanitizer_by_name_have_no_effect(environment: RunEnvironment, tmp_path: Path) -> None:
    order = (
        'char name[] = "__asan_\\0npoison_memory_region"; void (*give)(void *, size_t); name[7] = 117; '
        "give = (void (*)(void *, size_t)) dlsym(RTLD_DEFAULT, name); if (give) give(kept, 4096); kept[10] = 1;"
    )
    source = "#define _GNU_SOURCE\n#include <dlfcn.h>\n" + PROGRAM.replace("WRONG", order)
    outcome = outcome_of(environment, tmp_path, source, SANITIZED)
    assert errors_of(outcome) == [("writes 1 element past the end of an array of 10", "double.c", 11)]


NOT_CHECKED = [("ends so that its memory cannot be checked: return from `main`, or call `exit`", None, None)]
UNCHECKED_ENDS = {
    "exec": ("", 'execl("/bin/true", "true", (char *) 0);'),
    "exit_group": ("", "syscall(SYS_exit_group, 0);"),
    "end-of-the-thread": ("", "syscall(SYS_exit, 0);"),
    "exit_group-in-a-destructor": (
        "static void __attribute__((destructor)) stop(void) { syscall(SYS_exit_group, 0); }",
        "return 0;",
    ),
}
LATE_ENDS = {
    "_exit-at-exit": ("static void stop(void) { _exit(0); }", "atexit(stop); return 0;"),
    "_exit-in-a-destructor": ("static void __attribute__((destructor)) stop(void) { _exit(0); }", "return 0;"),
    "_exit-of-a-thread": (
        "static void *stop(void *status) { _exit(0); return status; }",
        "pthread_t thread; kept = 0; pthread_create(&thread, 0, stop, 0); for (;;) pause();",
    ),
    "_exit-of-the-parent": ("", "if (fork()) { wait(0); _exit(0); } free(kept); return 0;"),
}
LATE_HEADERS = "".join(f"#include <{name}.h>\n" for name in ("pthread", "sys/syscall", "sys/wait"))


@needs_cplusplus
@pytest.mark.slow
@pytest.mark.parametrize("settings", WATCHED)
@pytest.mark.parametrize("end", [*UNCHECKED_ENDS, *LATE_ENDS])
def test_no_end_hides_a_leak(environment: RunEnvironment, settings: BuildEntry, end: str, tmp_path: Path) -> None:
    head, wrong = {**UNCHECKED_ENDS, **LATE_ENDS}[end]
    source = "#define _GNU_SOURCE\n" + LEAK.replace("HEAD", LATE_HEADERS + head).replace("WRONG", wrong)
    errors = errors_of(outcome_of(environment, tmp_path, source, settings))
    lost = ["never frees 40 bytes that it allocates"]
    wanted = [lost] if end in LATE_ENDS else [lost, [NOT_CHECKED[0][0]]]
    assert [what for what, _, _ in errors][:1] in wanted


@pytest.mark.slow
@needs_cplusplus
def test_a_program_that_replaces_itself_is_not_checked(environment: RunEnvironment, tmp_path: Path) -> None:
    source = LEAK.replace("HEAD", "").replace("WRONG", UNCHECKED_ENDS["exec"][1])
    assert errors_of(outcome_of(environment, tmp_path, source, SANITIZED)) == NOT_CHECKED
    lenient = SANITIZED.model_copy(update={"leaks": False})
    assert errors_of(outcome_of(environment, tmp_path, source, lenient)) == []


JUNK = [("writes to where its errors are reported (descriptor 3), so that its memory cannot be checked", None, None)]
WRITE = "#include <sys/syscall.h>\nstatic void say(const char *t, int n) { while (n--) if (write(3, t, 6) < 0) n = 0; }"
UNREPORTED = {
    "junk": ('say("hello\\n", 1); execl("/bin/true", "true", (char *) 0);', NOT_CHECKED),
    "remarks": ('say("==1== ", 1); execl("/bin/true", "true", (char *) 0);', NOT_CHECKED),
    "system-call": ('say("\\n\\n\\n\\n\\n\\n", 1); syscall(SYS_exit_group, 0);', NOT_CHECKED),
    "junk-before-a-return": ('say("hello\\n", 1); free(kept); return 0;', JUNK),
    "flood": ('say("==1==\\n", 300000); free(kept); return 0;', NOT_CHECKED),
}

LOST = [("never frees 40 bytes that it allocates", "double.c", 8)]


@pytest.mark.slow
@needs_cplusplus
@pytest.mark.parametrize("settings", WATCHED)
@pytest.mark.parametrize(
    "way", [way if way == "junk" else pytest.param(way, marks=pytest.mark.slow) for way in UNREPORTED]
)
def test_text_that_is_no_report_hides_nothing(
    environment: RunEnvironment, settings: BuildEntry, way: str, tmp_path: Path
) -> None:
    wrong, errors = UNREPORTED[way]
    source = "#define _GNU_SOURCE\n" + LEAK.replace("HEAD", WRITE).replace("WRONG", wrong)
    assert errors_of(outcome_of(environment, tmp_path, source, settings))[-1:] in (errors, LOST)


@pytest.mark.slow
@needs_cplusplus
@pytest.mark.parametrize(
    "head", ['#line 1 "a b.c"', '#line 1 "a:1:1: note"', '#line 1 ""', '#define BEFORE write(3, "x ", 2)']
)
def test_what_is_undefined_is_found_under_any_name(environment: RunEnvironment, head: str, tmp_path: Path) -> None:
    wrong = "BEFORE; free(kept); number += 2147483647; return number > 0;"
    source = f"#ifndef BEFORE\n#define BEFORE count++\n#endif\n{LEAK.replace('HEAD', '').replace('WRONG', wrong)}"
    settings = BuildEntry(sanitizers=(Sanitizer.UNDEFINED,))
    ((what, _, _),) = errors_of(outcome_of(environment, tmp_path, f"{head}\n{source}", settings))
    assert what.startswith("does what is undefined (signed integer overflow: ")


@pytest.mark.slow
@needs_cplusplus
@pytest.mark.parametrize("settings", WATCHED)
def test_an_allocation_that_gives_no_memory_is_no_error(
    everywhere: RunEnvironment, settings: BuildEntry, tmp_path: Path
) -> None:
    wrong = "free(kept); kept = (int *) malloc((size_t) number << 50); return kept != 0;"
    outcome = outcome_of(everywhere, tmp_path, LEAK.replace("HEAD", "").replace("WRONG", wrong), settings)
    assert (errors_of(outcome), outcome.exit_code) == ([], 0)


@pytest.mark.slow
@needs_cplusplus
def test_what_a_header_of_a_library_does_is_the_line_that_calls_it(environment: RunEnvironment, tmp_path: Path) -> None:
    source = (
        "#include <memory>\n#include <cstdio>\nint main() {\n    std::unique_ptr<int> none;\n"
        '    int &value = *none;\n    std::puts("4");\n    return &value != nullptr;\n}\n'
    )
    settings = BuildEntry(sanitizers=(Sanitizer.UNDEFINED,))
    outcome = outcome_of(environment, tmp_path, source, settings, "double.cpp", interaction=Dialogue(()))
    assert [(file, line) for _, file, line in errors_of(outcome)][:1] == [("double.cpp", 5)]


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


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
def test_valgrind_ends_otherwise_where_its_reports_are_not_let_out(environment: RunEnvironment, tmp_path: Path) -> None:
    source = f"#include <sys/socket.h>\n{PROGRAM.replace('WRONG', 'shutdown(3, SHUT_WR); kept[10] = 1;')}"
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert (outcome.error_report, outcome.exit_code == 0) == ("", False)


@pytest.mark.slow
@needs_cplusplus
@needs_valgrind
def test_a_large_array_of_a_function_is_no_error(environment: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", "int grid[900][900]; grid[899][899] = grid[0][0] = number; if (grid[0][0]) {}")
    outcome = outcome_of(environment, tmp_path, source, VALGRIND)
    assert (outcome.error_report, outcome.transcript, outcome.exit_code) == ("", SAID, 0)


@pytest.mark.slow
@needs_cplusplus
def test_reports_on_a_program_without_a_terminal(everywhere: RunEnvironment, tmp_path: Path) -> None:
    source = PROGRAM.replace("WRONG", 'fprintf(stderr, "kept\\n"); kept[10] = 1;')
    run = StdinRun(name=None, text="4\n")
    outcome = outcome_of(everywhere, tmp_path, source, SANITIZED, interaction=run)
    assert outcome.transcript == "Number: Double: 8\n"
    assert outcome.errors == "kept\n"
    assert [found.line for found in found_errors(outcome.error_report)] == [9]


@needs_cplusplus
@pytest.mark.slow
def test_the_shadow_of_a_sanitizer_is_no_memory_but_what_is_used_is(everywhere: RunEnvironment, tmp_path: Path) -> None:
    source = (
        "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }\n"
    )
    assert outcome_of(everywhere, tmp_path, source, SANITIZED).ending is Termination.MEMORY_LIMIT


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
