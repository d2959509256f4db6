"""The C code built into a program under a sanitizer or valgrind, so that the program ends where leaks can be found.

Memory to which only `main` has a pointer is lost when `main` returns, but still reachable if `main` calls `exit`, so a
call of `exit` returns from `main`. If a program calls `_exit`, a sanitizer does not check automatically, so a check is
requested. A program that ends in any other way, for example by `exec`, does not report its mark. A source that hides
from sanitizers is not built, and a program must not contain the machine code that silences valgrind.
"""

from collections.abc import Mapping
from importlib.resources import files

from grader.model.program import ErrorFinder, NotWatched, Sanitized, UnderValgrind

REPORT_DESCRIPTOR = 3
"""The descriptor for reports."""


FOUND_STATUS = 117
"""The exit status of a program in which valgrind found errors."""


MARK_VARIABLE = "WATCHED_PROGRAM_MARK_"
"""The environment variable with the mark that a program reports at its end."""


_LINKER_FLAGS = "-Wl,--wrap=main,--wrap=exit,--wrap=_exit,--wrap=_Exit,--wrap=quick_exit"
_SOURCE, _CHECK = "watched_program_.c", "watched_source_.py"
_BEGIN = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif
"""

# A child calls `_exit` because its memory belongs to the parent, not to hide a leak.
_ENDING = """\
int __real_main(int, char **, char **);
int __wrap_main(int, char **, char **);
void __real_exit(int) __attribute__((noreturn));
void __wrap_exit(int) __attribute__((noreturn));
void __real__exit(int) __attribute__((noreturn));
void __wrap__exit(int) __attribute__((noreturn));
void __real_quick_exit(int) __attribute__((noreturn));
void __wrap_quick_exit(int) __attribute__((noreturn));
void __wrap__Exit(int) __attribute__((noreturn));
void __lsan_do_leak_check(void) __attribute__((weak));
static jmp_buf main_returns_;
static pthread_t main_thread_;
static pid_t main_process_ = 0;
static int main_runs_ = 0, exit_status_;
static void (*end_)(int);
static char mark_[80];
static void __attribute__((constructor(101))) take_mark_(void) {
    char *given = getenv("MARK_VARIABLE");
    if (!given || strlen(given) >= sizeof mark_) return;
    strcpy(mark_, given);
    memset(given, 0, strlen(given));
    unsetenv("MARK_VARIABLE");
}
static void __attribute__((destructor(101))) report_end_(void) {
    if (getpid() == main_process_ && write(REPORT_DESCRIPTOR, mark_, strlen(mark_)) < 0) { }
}
static void return_from_main_(int status, void (*end)(int)) {
    if (!main_runs_ || !pthread_equal(pthread_self(), main_thread_)) return;
    if (end && getpid() != main_process_) return;
    exit_status_ = status;
    end_ = end;
    longjmp(main_returns_, 1);
}
static void __attribute__((noreturn)) end_at_once_(int status, void (*end)(int)) {
    return_from_main_(status, end);
    if (getpid() == main_process_) {
        report_end_();
        if (__lsan_do_leak_check) __lsan_do_leak_check();
    }
    end(status);
    for (;;) { }
}
void __wrap_exit(int status) { return_from_main_(status, 0); __real_exit(status); }
void __wrap__exit(int status) { end_at_once_(status, __real__exit); }
void __wrap__Exit(int status) { end_at_once_(status, __real__exit); }
void __wrap_quick_exit(int status) { end_at_once_(status, __real_quick_exit); }
int __wrap_main(int count, char **arguments, char **variables) {
    refuse_orders_();
    main_thread_ = pthread_self();
    main_process_ = getpid();
    if (!setjmp(main_returns_)) {
        main_runs_ = 1;
        exit_status_ = __real_main(count, arguments, variables);
    }
    main_runs_ = 0;
    if (!end_) return exit_status_;
    report_end_();
    if (__lsan_do_leak_check) __lsan_do_leak_check();
    end_(exit_status_);
    return exit_status_;
}
""".replace("MARK_VARIABLE", MARK_VARIABLE).replace("REPORT_DESCRIPTOR", str(REPORT_DESCRIPTOR))

_END = """\
#ifdef __cplusplus
}
#endif
"""

# Each sanitizer has a copy of the function that sets the destination of reports, and calls this one when it starts: the
# first before anything works, another perhaps at its first report. Otherwise they could only write to standard error,
# or to a file with the process number in its name.
_SANITIZER = f"""\
void *__real_dlsym(void *, const char *);
void *__wrap_dlsym(void *, const char *);
void *__real_dlvsym(void *, const char *, const char *);
void *__wrap_dlvsym(void *, const char *, const char *);
static int is_hidden_(const char *name) {{
    static const char *const beginnings[] = {{"__asan_", "__lsan_", "__ubsan_", "__sanitizer_", "dlsym", "dlvsym"}};
    size_t number;
    for (number = 0; number < sizeof beginnings / sizeof *beginnings; number++)
        if (!strncmp(name, beginnings[number], strlen(beginnings[number]))) return 1;
    return 0;
}}
void *__wrap_dlsym(void *library, const char *name) {{ return is_hidden_(name) ? 0 : __real_dlsym(library, name); }}
void *__wrap_dlvsym(void *library, const char *name, const char *version) {{
    return is_hidden_(name) ? 0 : __real_dlvsym(library, name, version);
}}
void __sanitizer_set_report_fd(void *);
void __sanitizer_set_report_path(const char *);
static int sanitizers_are_ready_ = 0;
static void __attribute__((constructor)) begin_reports_(void) {{
    sanitizers_are_ready_ = 1;
    __sanitizer_set_report_fd((void *) {REPORT_DESCRIPTOR});
}}
static void __attribute__((noinline)) report_apart_(void *caller) {{
    Dl_info place;
    void (*set)(void *);
    void *library, *found;
    if (!dladdr(caller, &place)) return;
    library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    found = library ? __real_dlsym(library, "__sanitizer_set_report_fd") : 0;
    memcpy(&set, &found, sizeof set);
    if (found) set((void *) {REPORT_DESCRIPTOR});
}}
void __attribute__((no_sanitize_address)) __sanitizer_set_report_path(const char *path) {{
    (void) path;
    if (sanitizers_are_ready_) report_apart_(__builtin_return_address(0));
}}
static void refuse_orders_(void) {{ }}
"""

# The pattern is stored inverted, so that it is not found in itself.
_VALGRIND = f"""\
#if defined(__x86_64__)
static const unsigned char orders_[] = {{
    0xb7, 0x3e, 0x38, 0xfc, 0xb7, 0x3e, 0x38, 0xf2, 0xb7, 0x3e, 0x38, 0xc2, 0xb7, 0x3e, 0x38, 0xcc
}};
#elif defined(__aarch64__)
static const unsigned char orders_[] = {{
    0x73, 0xf2, 0x33, 0x6c, 0x73, 0xca, 0x33, 0x6c, 0x73, 0x32, 0x33, 0x6c, 0x73, 0x0a, 0x33, 0x6c
}};
#else
static const unsigned char orders_[] = {{ 0 }};
#endif
static int gives_orders_(const unsigned char *code, size_t size) {{
    size_t place, count;
    if (sizeof orders_ == 1) return 0;
    for (place = 0; place + sizeof orders_ <= size; place++) {{
        for (count = 0; count < sizeof orders_ && code[place + count] + orders_[count] == 0xff; count++) {{ }}
        if (count == sizeof orders_) return 1;
    }}
    return 0;
}}
static int look_for_orders_(struct dl_phdr_info *program, size_t size, void *nothing) {{
    static const char said[] = "==0== Orders to valgrind\\n==0== \\n";
    int number;
    (void) size;
    (void) nothing;
    for (number = 0; number < program->dlpi_phnum; number++) {{
        const ElfW(Phdr) *part = &program->dlpi_phdr[number];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        if (!gives_orders_((const unsigned char *) (program->dlpi_addr + part->p_vaddr), part->p_memsz)) continue;
        if (write({REPORT_DESCRIPTOR}, said, sizeof said - 1) < 0) {{ }}
        _exit({FOUND_STATUS});
    }}
    return 1;
}}
static void refuse_orders_(void) {{ dl_iterate_phdr(look_for_orders_, 0); }}
"""


def source_beside(finder: ErrorFinder) -> Mapping[str, str]:
    """Return the texts of the files that a build needs in addition to the submission, by name."""
    match finder:
        case NotWatched():
            return {}
        case Sanitized() | UnderValgrind():
            check = files("grader.plugins.native").joinpath("support", "watched_source.py").read_text(encoding="utf-8")
            finder_code = _SANITIZER if isinstance(finder, Sanitized) else _VALGRIND
            return {_SOURCE: _BEGIN + finder_code + _ENDING + _END, _CHECK: check}


def watched_command(finder: ErrorFinder, command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that builds the program with these files."""
    match finder:
        case NotWatched():
            return command
        case Sanitized() | UnderValgrind():
            check = ("python3", "-I", _CHECK, _SOURCE)
            hidden = ",--wrap=dlsym,--wrap=dlvsym" if isinstance(finder, Sanitized) else ""
            return (*check, *command[:3], _SOURCE, *command[3:], f"{_LINKER_FLAGS}{hidden}")
