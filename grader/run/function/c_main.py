"""Writes a main in C or C++ that makes the calls of tests: it includes the student's file, whose own main it renames.

What writes the values is in support/, as C and C++. The names there begin with `grader` or end in an underscore, so
that they are not those of a program.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.model.interaction import FunctionCall, is_statement
from grader.model.program import CallBuild, CallLanguage
from grader.run.function.call import own_text

_SUPPORT = {
    CallLanguage.C: {
        "grader_calls.h": "calls.h",
        "grader_calls_write.h": "write.h",
        "grader_calls_report.h": "report.h",
    },
    CallLanguage.CPLUSPLUS: {
        "grader_calls.hpp": "calls.hpp",
        "grader_calls_write.h": "write.h",
        "grader_calls_report.h": "report.h",
    },
}

# What C++ needs comes first, as it must not meet the macros of a program, and what is laid out, as pragmas change that.
_BEFORE = {CallLanguage.C: "grader_calls_write.h", CallLanguage.CPLUSPLUS: "grader_calls.hpp"}
# A program may have macros with these names.
_WORDS = (
    *("auto", "char", "const", "do", "double", "else", "float", "for", "if", "int", "long", "return", "short"),
    *("signed", "sizeof", "static", "struct", "unsigned", "void", "while"),
)

_END = {CallLanguage.C: ".c", CallLanguage.CPLUSPLUS: ".cpp"}
# A call that fits no declaration is an error here, though C lets it pass with a warning.
_STRICT = ("implicit-function-declaration", "int-conversion", "incompatible-pointer-types")
_LENIENT = (
    "unused-variable",
    "unused-but-set-variable",
    "unused-value",
    "unused-result",
    "unused-function",
    "parentheses",
)

# A main that got another name is no main for the compiler, so what it lacks then is not the student's fault.
_RENAMED = ("-Dmain=grader_student_main", "-Wno-error=return-type", "-Wno-error=missing-declarations")
_OWN_OPTIONS = {CallLanguage.C: ("-Wno-error=missing-prototypes",), CallLanguage.CPLUSPLUS: ("-fexceptions",)}
_OWN_PLACE = '#line 1 "grader_calls"'
_MOST_READ = 20_000
_PLACE = re.compile(r"^(?P<label>setup|call(?: \d+)?) of \d+:\d+(?::\d+)?:", re.M)
_NAMED = re.compile(r"\b(?:setup|call(?: \d+)?) of (?P<by_compiler>\d+):|`grader_calls_(?P<by_linker>\d+)_\W")
_OWN_LINES = re.compile(
    r"^(?:(?:In file included|\s+) from grader_calls|grader_calls|.*: In function .*grader_calls_"
    r"|(?:setup|call(?: \d+)?) of \d+: In |cc1(?:plus)?: (?:some|all) warnings being treated as errors|collect2: ).*\n",
    re.M,
)
# That a main with another name returns nothing.
_OWN_WARNINGS = re.compile(r"^.*: In function .*grader_student_main.*\n(?:.*: warning: .*\n(?: .*\n)*)*", re.M)
# That a warning is an error here.
_OWN_FLAGS = re.compile(rf" \[-Werror=(?:{'|'.join(_STRICT)})\]$", re.M)
_LINKER = re.compile(r"^(?:\S*/)?ld: .*?(?P<said>undefined reference to .*|in function `grader_calls_\d+_.*)\n", re.M)
# Where there are the numbers of lines, a linker tells them instead of itself.
_UNDEFINED = re.compile(r"(?<=: )(?<!error: )(?=undefined reference to )")
# A call stands several times in what C compiles.
_ERRORS = re.compile(r"^(?=.*\berror: )", re.M)
_OWN_FRAME = re.compile(r"(?:grader_calls[\w.]*|(?P<label>setup|call)(?: \d+)? of \d+)(?=:\d+)")


def sources(build: CallBuild, calls: Sequence[FunctionCall]) -> Mapping[str, str]:
    """Return the files that the main is built from, in addition to those of the submission: text by name."""
    end = _END[build.language]
    report = '#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include "grader_calls_report.h"\n'
    files = {name: own_text(f"support/{source}") for name, source in _SUPPORT[build.language].items()}
    main = "\n".join(_main(build, calls))
    return {**files, f"grader_calls_report{end}": report, f"grader_calls{end}": f"{main}\n"}


def build_command(build: CallBuild, _: Sequence[FunctionCall]) -> tuple[str, ...]:
    """Return the command that builds the main."""
    end = _END[build.language]
    own = (f"grader_calls{end}", f"grader_calls_report{end}")
    options = (*build.flags, *_RENAMED, *_OWN_OPTIONS[build.language])
    return (build.compiler, "-o", "grader_calls", *own, *options, "-lm", "-ldl")


def run_command(number: int, _: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that makes the calls of the test `number`; it is given the name of a request too."""
    return ("./grader_calls", str(number))


def _main(build: CallBuild, calls: Sequence[FunctionCall]) -> Iterator[str]:
    yield f'#include "{_BEFORE[build.language]}"'
    yield f"#include {_text(build.file)}"
    yield from (f"#undef {word}" for word in ("main", *_WORDS))
    yield from dict.fromkeys(line for call in calls for line in call.setup if line.startswith("#"))
    if build.language is CallLanguage.C:
        yield '#include "grader_calls.h"'
    kinds = _STRICT if build.language is CallLanguage.C else ()
    yield from (f'#pragma GCC diagnostic error "-W{kind}"' for kind in kinds)
    yield from (f'#pragma GCC diagnostic ignored "-W{kind}"' for kind in _LENIENT)
    for number, call in enumerate(calls):
        yield from _test(build.language, number, call)
    tests = ", ".join(f"{{grader_calls_{number}_, {len(call.calls)}}}" for number, call in enumerate(calls))
    yield f"static const struct grader_test_ grader_tests_[] = {{{tests or '{0, 0}'}}};"
    yield "int main(int count_, char **arguments_) {"
    yield f"    return grader_main_(count_, arguments_, grader_tests_, {len(calls)});"
    yield "}"


def _test(language: CallLanguage, number: int, call: FunctionCall) -> Iterator[str]:
    yield f"static void grader_calls_{number}_(void) {{"
    for line in call.setup:
        if not line.startswith("#"):
            yield f'#line 1 "setup of {number}"'
            yield f"{line.rstrip(';')};"
            yield _OWN_PLACE
    yield "    grader_begin_();"
    for place, text in enumerate(call.calls, 1):
        yield f"    grader_next_({_text(text)});"
        label = "call" if len(call.calls) == 1 else f"call {place}"
        yield from _step(language, text, f"{label} of {number}")
    yield "}"


def _step(language: CallLanguage, text: str, label: str) -> Iterable[str]:
    line = f'#line 1 "{label}"'
    if is_statement(text):
        return (line, text, _OWN_PLACE, "    grader_null_();", "    grader_done_();")
    if language is CallLanguage.C:
        return (line, f"GRADER_CALL_({text});", _OWN_PLACE)
    return ("    grader_::call_([&] { grader_::end_(((", line, text, _OWN_PLACE, "    ), grader_::Call_())); });")


def _text(text: str) -> str:
    """Return a literal of C for a text; two question marks could mean another character."""
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode()
    )
    return f'"{plain}"'


def without_own_files(report: str) -> str:
    """What was found while a program ran, with names of generated files that are not those of a student's."""
    return _OWN_FRAME.sub(lambda match: f"./{match['label'] or 'call'}", report)


def faulty(said: str) -> frozenset[int]:
    """Return the numbers of the tests that the compiler speaks of."""
    return frozenset(int(match["by_compiler"] or match["by_linker"]) for match in _NAMED.finditer(said))


def told(said: str, _: Sequence[FunctionCall]) -> str:
    """What the compiler said first, with the calls named and without the names of generated files.

    A program can have it say lines for which these patterns take the square of their length.
    """
    said = _LINKER.sub(_kept, said[:_MOST_READ])
    for pattern in (_OWN_WARNINGS, _OWN_FLAGS):
        said = pattern.sub("", said)
    said = _UNDEFINED.sub("error: ", _PLACE.sub(r"\g<label>:", _OWN_LINES.sub(_kept, said)))
    errors = [text for text in _ERRORS.split(said) if "__builtin_choose_expr" not in text]
    return "".join(dict.fromkeys(errors))


def _kept(match: re.Match[str]) -> str:
    """What a linker says in a line that otherwise speaks of generated files."""
    found = re.search(r"undefined reference to .*", match[0])
    return f"error: {found[0]}\n" if found else ""
