"""Builds and runs Java programs as their sources require, and writes main classes that call their methods.

Each test has its own main class, in the package of the student's class. That package may have classes with any name, so
Java's own classes are named in full, and the reporting code is in a separate package.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import PurePath

from grader.model.interaction import FunctionCall, is_statement
from grader.model.program import BuildCommands, LanguageBuild
from grader.plugins.native.java_source import JavaSource, misplaced, read_java
from grader.run.interface import SubmissionFiles
from grader.run.language import Arguments, CallableLanguage

_REPORT = "graderreport/GraderReport.java"

_IMPORTS = ("import java.util.*;", "import java.util.function.*;", "import java.util.stream.*;")
# Java does not use numbers for descriptors, so the report sets the number of a descriptor object.
_OPEN = ("--add-opens", "java.base/java.io=ALL-UNNAMED")
_MAX_OUTPUT = 20_000
_PLACE = re.compile(r"^GraderCalls(?P<number>\d+)\.java:(?P<line>\d+):", re.M)


class Java(CallableLanguage):
    """The language Java. Files may declare a package without being in its folder, as uploads from IDEs do."""

    name = "Java"
    tools = ("javac",)

    def build_command(self, file: str, flags: Arguments) -> Arguments:
        """Return the command that builds the class."""
        return ("javac", *flags, file)

    def run_command(self, file: str) -> Arguments:
        """Return the command that runs the class."""
        # Java's other garbage collectors start more threads and reserve more memory.
        return ("java", "-XX:+UseSerialGC", PurePath(file).stem)

    def fit(self, recipe: BuildCommands, build: LanguageBuild, files: SubmissionFiles) -> BuildCommands:
        """Return the commands that the packages and classes of the submission's files require.

        The class with the file's name is run if it has a `main`, or if several others do; if only one other class has a
        `main`, it is run instead.
        """
        sources = {name: read_java(path) for path, name in files if name.endswith(".java")}
        source = sources.get(build.file, JavaSource("", ()))
        package, with_main = source.package, source.types_with_main
        *run, usual = recipe.run
        main = with_main[0] if len(with_main) == 1 else usual
        packages = {name: other.package for name, other in sources.items()}
        others = [name for name in misplaced(packages, PurePath(build.file).parent) if name != build.file]
        if package or others:
            flags = (*build.flags, *others)
            command = ("javac", "-d", ".", *flags, build.file)
            recipe = replace(recipe, build=command, language=replace(build, flags=flags, package=package))
        return replace(recipe, run=(*run, f"{package}.{main}" if package else main))

    def main_sources(self, build: LanguageBuild, calls: Sequence[FunctionCall]) -> Mapping[str, str]:
        """Return a class for each test, and the reporting class."""
        # On the first line, so that line numbers stay the same.
        package = f"package {build.package}; " if build.package else ""
        tests = {
            f"GraderCalls{number}.java": package + "".join(f"{line}\n" for _, line in _class_lines(number, call))
            for number, call in enumerate(calls)
        }
        report = files("grader.plugins.native").joinpath("support", "GraderReport.java").read_text(encoding="utf-8")
        return {_REPORT: report, **tests}

    def main_build(self, build: LanguageBuild, calls: Sequence[FunctionCall]) -> Arguments:
        """Return the command that builds all classes."""
        tests = (f"GraderCalls{number}.java" for number in range(len(calls)))
        return ("javac", "-d", ".", *build.flags, build.file, _REPORT, *tests)

    def main_run(self, number: int, run: Arguments) -> Arguments:
        """Return the command that runs the class of a test."""
        package, dot, _ = run[-1].rpartition(".")
        return (*run[:-1], *_OPEN, f"{package}{dot}GraderCalls{number}")

    def faulty_tests(self, output: str) -> frozenset[int]:
        """Return the numbers of the tests in whose classes the compiler finds an error."""
        return frozenset(int(match["number"]) for match in _PLACE.finditer(output))

    def plain_output(self, output: str, calls: Sequence[FunctionCall]) -> str:
        """Return the output of the compiler with the calls instead of the lines of the class."""
        labels = [label for call in calls[:1] for label, _ in _class_lines(0, call)]

        def place(match: re.Match[str]) -> str:
            line = int(match["line"])
            return f"{labels[line - 1] or 'call'}:" if 1 <= line <= len(labels) else match[0]

        return _PLACE.sub(place, output[:_MAX_OUTPUT])


def _class_lines(number: int, call: FunctionCall) -> Iterator[tuple[str, str]]:
    """Yield the lines of a class, each with a label: the label of a call, `setup`, or empty."""
    imports = [line for line in call.setup if line.startswith("import ")]
    yield from (("", line) for line in _IMPORTS)
    yield from (("setup", f"{line.rstrip(';')};") for line in imports)
    yield "", '@java.lang.SuppressWarnings("all")'
    yield "", f"final class GraderCalls{number} {{"
    yield ("", "    static void make(graderreport.GraderReport graderReport) throws java.lang.Throwable {")
    yield from (("setup", f"{line.rstrip(';')};") for line in call.setup if line not in imports)
    yield "", "        graderReport.begin();"
    for place, text in enumerate(call.calls, 1):
        label = "call" if len(call.calls) == 1 else f"call {place}"
        yield "", f"        graderReport.next({_string_literal(text)});"
        if is_statement(text):
            yield from ((label, text), ("", "        graderReport.done();"))
        else:
            yield from (("", "        graderReport.call(() ->"), (label, text), ("", "        );"))
    yield "", "    }"
    yield ("", "    public static void main(java.lang.String[] arguments) throws java.lang.Exception {")
    yield ("", f"        graderreport.GraderReport.run(arguments, {len(call.calls)}, GraderCalls{number}::make);")
    yield from (("", "    }"), ("", "}"))


def _string_literal(text: str) -> str:
    """Return a Java string literal for a string."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[index : index + 2], "big") for index in range(0, len(units), 2))
    plain = "".join(
        f"\\{chr(code)}" if chr(code) in '"\\' else chr(code) if 32 <= code < 127 else f"\\u{code:04x}"
        for code in codes
    )
    return f'"{plain}"'
