"""Writes mains in Java that make the calls of tests: a class for each test, in the package of the student's class.

That may have classes with any name, so those of Java are named in full; what reports is in a package of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from grader.model.interaction import FunctionCall, is_statement
from grader.model.program import CallBuild
from grader.run.function.call import own_text

_REPORT = "graderreport/GraderReport.java"
_IMPORTS = ("import java.util.*;", "import java.util.function.*;", "import java.util.stream.*;")
# Java numbers no descriptors: the report sets the number of one.
_OPEN = ("--add-opens", "java.base/java.io=ALL-UNNAMED")
_MOST_READ = 20_000
_PLACE = re.compile(r"^GraderCalls(?P<number>\d+)\.java:(?P<line>\d+):", re.M)


def sources(build: CallBuild, calls: Sequence[FunctionCall]) -> Mapping[str, str]:
    """Return the files that are built in addition to those of the submission: text by name."""
    # On the first line, so that the numbers of lines stay.
    package = f"package {build.package}; " if build.package else ""
    tests = {
        f"GraderCalls{number}.java": package + "".join(f"{line}\n" for _, line in _lines(number, call))
        for number, call in enumerate(calls)
    }
    return {_REPORT: own_text("support/GraderReport.java"), **tests}


def build_command(build: CallBuild, calls: Sequence[FunctionCall]) -> tuple[str, ...]:
    """Return the command that builds all of them."""
    own = (f"GraderCalls{number}.java" for number in range(len(calls)))
    return (build.compiler, "-d", ".", *build.flags, build.file, _REPORT, *own)


def run_command(number: int, run: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that makes the calls of the test `number`, given the one that runs the program."""
    package, dot, _ = run[-1].rpartition(".")
    return (*run[:-1], *_OPEN, f"{package}{dot}GraderCalls{number}")


def _lines(number: int, call: FunctionCall) -> Iterator[tuple[str, str]]:
    """Yield the lines of a class, each with what it stands for: a call, the setup, or nothing."""
    imports = [line for line in call.setup if line.startswith("import ")]
    yield from (("", line) for line in _IMPORTS)
    yield from (("setup", f"{line.rstrip(';')};") for line in imports)
    yield "", '@java.lang.SuppressWarnings("all")'
    yield "", f"final class GraderCalls{number} {{"
    yield "", "    static void make(graderreport.GraderReport graderReport) throws java.lang.Throwable {"
    yield from (("setup", f"{line.rstrip(';')};") for line in call.setup if line not in imports)
    yield "", "        graderReport.begin();"
    for place, text in enumerate(call.calls, 1):
        label = "call" if len(call.calls) == 1 else f"call {place}"
        yield "", f"        graderReport.next({_text(text)});"
        if is_statement(text):
            yield from ((label, text), ("", "        graderReport.done();"))
        else:
            yield from (("", "        graderReport.call(() ->"), (label, text), ("", "        );"))
    yield "", "    }"
    yield "", "    public static void main(java.lang.String[] arguments) throws java.lang.Exception {"
    yield "", f"        graderreport.GraderReport.run(arguments, {len(call.calls)}, GraderCalls{number}::make);"
    yield from (("", "    }"), ("", "}"))


def _text(text: str) -> str:
    """Return a literal of Java for a text."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[index : index + 2], "big") for index in range(0, len(units), 2))
    plain = "".join(
        f"\\{chr(code)}" if chr(code) in '"\\' else chr(code) if 32 <= code < 127 else f"\\u{code:04x}"
        for code in codes
    )
    return f'"{plain}"'


def faulty(said: str) -> frozenset[int]:
    """Return the numbers of the tests that the compiler speaks of."""
    return frozenset(int(match["number"]) for match in _PLACE.finditer(said))


def told(said: str, calls: Sequence[FunctionCall]) -> str:
    """What the compiler said of the main for one test, or none, with the calls named."""
    labels = [label for call in calls[:1] for label, _ in _lines(0, call)]

    def named(match: re.Match[str]) -> str:
        line = int(match["line"])
        return f"{labels[line - 1] or 'call'}:" if 1 <= line <= len(labels) else match[0]

    return _PLACE.sub(named, said[:_MOST_READ])
