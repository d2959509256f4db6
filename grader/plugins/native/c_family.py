"""Builds programs in C and C++, and writes main programs that call their functions.

A main program includes the student's file and renames its `main`. The support files write values as C and C++; their
names begin with `grader` or end in an underscore, unlike the names in a program.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import PurePath

from grader.model.interaction import FunctionCall, is_statement
from grader.model.program import LanguageBuild
from grader.run.language import Arguments, CallableLanguage

# A program may have macros with these names.
_WORDS = (
    *("auto", "char", "const", "do", "double", "else", "float", "for", "if", "int", "long", "return", "short"),
    *("signed", "sizeof", "static", "struct", "unsigned", "void", "while"),
)

STRICT = ("implicit-function-declaration", "int-conversion", "incompatible-pointer-types")
"""C warnings about a call that matches no declaration, which count as errors in calls from tests."""

_LENIENT = (
    "unused-variable",
    "unused-but-set-variable",
    "unused-value",
    "unused-result",
    "unused-function",
    "parentheses",
)

# The compiler no longer treats a renamed main as `main`, so its warnings about that are not the student's fault.
_RENAMED = ("-Dmain=grader_student_main", "-Wno-error=return-type", "-Wno-error=missing-declarations")

OWN_PLACE = '#line 1 "grader_calls"'

_MAX_READ = 20_000

_PLACE = re.compile(r"^(?P<label>setup|call(?: \d+)?) of \d+:\d+(?::\d+)?:", re.M)

_NAMED = re.compile(r"\b(?:setup|call(?: \d+)?) of (?P<by_compiler>\d+):|`grader_calls_(?P<by_linker>\d+)_\W")

_OWN_LINES = re.compile(
    r"^(?:(?:In file included|[ \t]+) from grader_calls|grader_calls|.*: In function .*grader_calls_"
    r"|(?:setup|call(?: \d+)?) of \d+: In |cc1(?:plus)?: (?:some|all) warnings being treated as errors|collect2: ).*\n",
    re.M,
)

# The warning that a renamed `main` returns nothing.
_OWN_WARNINGS = re.compile(r"^.*: In function .*grader_student_main.*\n(?:.*: warning: .*\n(?: .*\n)*)*", re.M)

# The note that a warning is treated as an error.
_OWN_FLAGS = re.compile(rf" \[-Werror=(?:{'|'.join(STRICT)})\]$", re.M)

_LINKER = re.compile(r"^(?:\S*/)?ld: .*?(?P<said>undefined reference to .*|in function `grader_calls_\d+_.*)\n", re.M)

# A linker prints line numbers, if they are known, instead of its own name.
_UNDEFINED = re.compile(r"(?<=: )(?<!error: )(?=undefined reference to )")

# A call occurs several times in the code that C compiles.
_ERRORS = re.compile(r"^(?=.*\berror: )", re.M)

_OWN_FRAME = re.compile(r"(?:grader_calls[\w.]*|(?P<label>setup|call)(?: \d+)? of \d+)(?=:\d+)")


class CFamily(CallableLanguage):
    """A language that gcc builds: C or C++.

    `end` is the suffix of its files. `support` pairs the names of files beside a main program with their names in
    support/; `first` is the file that a main includes first, and `options` holds the compiler's options for a main.
    """

    has_addresses = True
    end: str
    support: tuple[tuple[str, str], ...]
    first: str
    options: Arguments

    def build_command(self, file: str, flags: Arguments) -> Arguments:
        """Return the command that builds `file`. Libraries must come after the files that use them."""
        return (*self.tools, "-o", PurePath(file).stem, file, *flags, "-lm")

    def main_sources(self, build: LanguageBuild, calls: Sequence[FunctionCall]) -> Mapping[str, str]:
        """Return the main program, the reporting code, and the support files."""
        report = '#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include "grader_calls_report.h"\n'
        support = files("grader.plugins.native").joinpath("support")
        sources = {name: support.joinpath(file).read_text(encoding="utf-8") for name, file in self.support}
        main = "\n".join(self._main(build, calls))
        return {**sources, f"grader_calls_report{self.end}": report, f"grader_calls{self.end}": f"{main}\n"}

    def main_build(self, build: LanguageBuild, _: Sequence[FunctionCall]) -> Arguments:
        """Return the command that builds the main program."""
        sources = (f"grader_calls{self.end}", f"grader_calls_report{self.end}")
        return (*self.tools, "-o", "grader_calls", *sources, *build.flags, *_RENAMED, *self.options, "-lm", "-ldl")

    def main_run(self, number: int, _: Arguments) -> Arguments:
        """Return the command that makes the calls of a test."""
        return ("./grader_calls", str(number))

    def faulty_tests(self, output: str) -> frozenset[int]:
        """Return the numbers of the tests that the compiler or the linker names."""
        return frozenset(int(match["by_compiler"] or match["by_linker"]) for match in _NAMED.finditer(output))

    def plain_output(self, output: str, _: Sequence[FunctionCall]) -> str:
        """Return the beginning of the compiler's output, with the calls named and without names of generated files.

        A program can make the compiler print lines on which these patterns take quadratic time.
        """
        output = _LINKER.sub(_undefined_name, output[:_MAX_READ])
        for pattern in (_OWN_WARNINGS, _OWN_FLAGS):
            output = pattern.sub("", output)
        output = _UNDEFINED.sub("error: ", _PLACE.sub(r"\g<label>:", _OWN_LINES.sub(_undefined_name, output)))
        errors = [text for text in _ERRORS.split(output) if "__builtin_choose_expr" not in text]
        return "".join(dict.fromkeys(errors))

    def plain_report(self, report: str) -> str:
        """Return a report without the names of generated files."""
        return _OWN_FRAME.sub(lambda match: f"./{match['label'] or 'call'}", report)

    def preamble(self) -> Iterator[str]:
        """Yield the lines of a main program between the student's file and the calls."""
        yield from ()

    @abstractmethod
    def value_call(self, line: str, text: str) -> Iterable[str]:
        """Return the lines that make a call and report its value; `line` places the call in messages."""

    def _main(self, build: LanguageBuild, calls: Sequence[FunctionCall]) -> Iterator[str]:
        yield f'#include "{self.first}"'
        yield f"#include {_string_literal(build.file)}"
        yield from (f"#undef {word}" for word in ("main", *_WORDS))
        yield from dict.fromkeys(line for call in calls for line in call.setup if line.startswith("#"))
        yield from self.preamble()
        yield from (f'#pragma GCC diagnostic ignored "-W{kind}"' for kind in _LENIENT)
        for number, call in enumerate(calls):
            yield from self._test(number, call)
        tests = ", ".join(f"{{grader_calls_{number}_, {len(call.calls)}}}" for number, call in enumerate(calls))
        yield f"static const struct grader_test_ grader_tests_[] = {{{tests or '{0, 0}'}}};"
        yield "int main(int count_, char **arguments_) {"
        yield f"    return grader_main_(count_, arguments_, grader_tests_, {len(calls)});"
        yield "}"

    def _test(self, number: int, call: FunctionCall) -> Iterator[str]:
        yield f"static void grader_calls_{number}_(void) {{"
        for line in call.setup:
            if not line.startswith("#"):
                yield f'#line 1 "setup of {number}"'
                yield f"{line.rstrip(';')};"
                yield OWN_PLACE
        yield "    grader_begin_();"
        for place, text in enumerate(call.calls, 1):
            yield f"    grader_next_({_string_literal(text)});"
            label = "call" if len(call.calls) == 1 else f"call {place}"
            line = f'#line 1 "{label} of {number}"'
            if is_statement(text):
                yield from (line, text, OWN_PLACE, "    grader_null_();", "    grader_done_();")
            else:
                yield from self.value_call(line, text)
        yield "}"


def _string_literal(text: str) -> str:
    """Return a C string literal for a string; two question marks could mean another character."""
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode()
    )
    return f'"{plain}"'


def _undefined_name(match: re.Match[str]) -> str:
    """Return the name that a linker calls undefined in a line about generated files, or an empty string."""
    name = re.search(r"undefined reference to .*", match[0])
    return f"error: {name[0]}\n" if name else ""
