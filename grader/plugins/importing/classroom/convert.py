"""Makes an assignment from the tests of GitHub Classroom."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_DOWN, Decimal
from pathlib import Path, PurePosixPath

from grader.config.yaml_writer import Writable
from grader.plugins.importing.classroom.graders import IO, GraderTest, read_tests
from grader.plugins.importing.command_lines import Start, Words, built, plain_commands, started
from grader.plugins.importing.course_draft import CourseDraft, ImportedAssignment, UniqueNames, is_inside
from grader.plugins.importing.stated import ANYTHING, InexpressibleError, StatedAssignment
from grader.plugins.importing.test_files import read_files, student_module
from grader.plugins.importing.test_functions import TOLERANCE, Counted

_SOURCE = re.compile(r"[\w./-]+\.(?:py|c|cc|cpp|java|js|rs)\b")
_INSTALLS = re.compile(
    r"\b(?:npm|npx|yarn|pip3?|apt|apt-get|wget|curl|git|docker|mvn|mvnw|gradle|gradlew|dotnet|cargo|sudo)\b"
)
_FETCHES = re.compile(
    r"\b(?:npm (?:ci|i|install)|yarn (?:add|install)|yarn$|npx|pip3? install|apt|apt-get|wget|curl"
    r"|git (?:clone|pull|submodule)|docker|sudo)\b"
)
_SEPARATOR = re.compile(r"\s*(?:&&|;|\n)\s*")
_MAY_FETCH = re.compile(r"\b(?:npm|yarn|mvn|mvnw|gradle|gradlew|dotnet|cargo)\b")
_PYTEST = re.compile(r"(?:python3? -m )?pytest\b")
_PIP = re.compile(r"pip3?$")
_PYTHON = re.compile(r"\bpython(?=\s)")
_DATA = (".txt", ".csv", ".tsv", ".json", ".dat", ".in", ".out", ".xml")
_CONFIGURATION = (".jar", ".sh", ".toml", ".cfg", ".mk", ".gradle", ".properties")
_SHELLS = ("bash", "sh")
_SHELL: Mapping[str, Writable] = {"run": ["sh", "-c"]}
_ENDS = ("*.py", "*.c", "*.h", "*.cpp", "*.hpp", "*.java", "*.js")


@dataclass(frozen=True, kw_only=True)
class _Command:
    """The program of a test: the submitted file, the keys of its program, and the arguments."""

    program: str
    keys: Mapping[str, Writable]
    args: Words
    line: str
    """The whole command as a shell command line."""
    is_test: bool = False
    """True if only its exit status counts."""

    def in_shell(self) -> "_Command":
        """Return the command as a line for a shell."""
        return replace(self, keys=_SHELL, args=(_PYTHON.sub("python3", self.line),))


def import_classroom(
    folder: Path, course: Path, *, name: str, due: date, solution: Path | None, program: str | None
) -> ImportedAssignment:
    """Make an assignment from a repository; students hand in `program`. Raises ImportingError or SpecError."""
    draft = CourseDraft(name, folder)
    tests = _scored(read_tests(folder, draft), draft)
    reader = _Reader(folder=folder, program=program, draft=draft)
    by_pytest = [test for test in tests if _is_pytest(test)]
    possible = list(reader.possible(test for test in tests if test not in by_pytest))
    programs = _programs(command for _, command in possible)
    names = UniqueNames()
    entries = [_entry(test, command, programs, names, draft) for test, command in possible]
    groups: list[dict[str, Writable]] = []
    for test in by_pytest:
        _add_functions(test, reader, programs, names, (entries, groups))
    commands = [str(entry["command"]) for entry in entries if "command" in entry]
    if any("pytest" in command for command in commands):
        reader.packages.append("pytest")
    for handed_in in programs:
        draft.note(f"Students hand in {handed_in}; where that is a file of yours, name theirs with --program.")
    more: dict[str, Writable] = {"packages": list(reader.packages)} if reader.packages else {}
    run_whole = by_pytest if commands else []
    extra_files = list(_add_extra_files(folder, programs, [*(test for test, _ in possible), *run_whole], draft))
    assignment = StatedAssignment(
        draft=draft,
        title=folder.name,
        due=due,
        programs=programs,
        tests=entries,
        groups=groups,
        further_files=_ENDS,
        solution=solution,
        more={**more, "files": extra_files} if extra_files else more,
        defaults={"visibility": "public", **({"compare": {"relative_tolerance": TOLERANCE}} if by_pytest else {})},
    )
    return assignment.write(course)


def _scored(tests: Sequence[GraderTest], draft: CourseDraft) -> list[GraderTest]:
    """Return the tests with points: 1 each if no test has any."""
    has_points = any(test.points for test in tests)
    if not has_points:
        draft.note("No test has points; here each has 1.")
    if any(test.minutes for test in tests):
        draft.note(
            "Time limits, which are in minutes there, were not imported: a test has 30 seconds (`wall_seconds`)."
        )
    if any(test.kind == IO and test.comparison == "exact" for test in tests):
        draft.note("Where outputs are compared as a whole, blank lines and spaces at the end of a line do not count.")
    return [replace(test, points=(test.points or Decimal(0)) if has_points else Decimal(1)) for test in tests]


@dataclass(frozen=True, kw_only=True)
class _Reader:
    """Reads the commands of the tests; `program` is the file that students hand in, if specified."""

    folder: Path
    program: str | None
    draft: CourseDraft
    packages: list[str] = field(default_factory=list)

    def possible(self, tests: Iterable[GraderTest]) -> Iterator[tuple[GraderTest, _Command]]:
        """Yield the tests that can be expressed, with their commands; others are noted."""
        for test in tests:
            try:
                yield test, self._command(test)
            except InexpressibleError as reason:
                self.draft.leave_out(f"{test.place}: the test {test.name!r}", test.points or Decimal(0), reason)

    def _command(self, test: GraderTest) -> _Command:
        run, setup = plain_commands(test.command), plain_commands(test.setup)
        setup = setup and tuple(command for command in setup if not _installs(command, self.packages))
        before = self._setup_alone(test) if test.kind != IO else test.setup if setup or setup is None else ""
        line = " && ".join(filter(None, (before, test.command)))
        if setup is not None and run and (start := started(run[-1])) is not None:
            plain = self._plain(start, (*setup, *run[:-1]))
            if plain is not None:
                return replace(plain, line=line)
        if match := (_INSTALLS if test.kind == IO else _FETCHES).search(line):
            raise InexpressibleError(f"`{match[0]}` installs or fetches something, and tests have no network")
        named = [name for found in _SOURCE.finditer(line) if "/" not in (name := found[0].removeprefix("./"))]
        command = _Command(program=self._handed_in(named), keys={}, args=(), line=line, is_test=test.kind != IO)
        if not command.is_test:
            return command.in_shell()
        if match := _MAY_FETCH.search(line):
            self.draft.note(f"{test.place}: `{match[0]}` has no network here: what it needs must be among the files.")
        return command if command.program.endswith(".py") else replace(command, keys=_SHELL)

    def _setup_alone(self, test: GraderTest) -> str:
        """Return the setup of a test without commands that install something, which are noted."""
        match = _FETCHES.search(test.setup)
        if match is None:
            return test.setup
        self.draft.note(f"{test.place}: the setup `{match[0]}` was not imported: it installs or fetches something.")
        commands = _SEPARATOR.split(test.setup.strip())
        return " && ".join(command for command in commands if command and not _FETCHES.search(command))

    def _handed_in(self, named: Sequence[str]) -> str:
        """Return the file that students hand in: one of the named files, or else the only source file."""
        if self.program is not None:
            return self.program
        sources = [name for file in self.folder.glob("*.*") if _SOURCE.fullmatch(name := file.name)]
        for names in (named, sources if len(sources) == 1 else (), named):
            chosen = next((name for name in names if not _is_of_tests(name) or names is not named), None)
            if chosen is not None:
                return chosen
        raise InexpressibleError("the command does not name the file that students hand in (--program)")

    def _plain(self, start: Start, commands: Sequence[Words]) -> _Command | None:
        """Return a start whose program and build are known, or None for any other."""
        file, keys = start.file, dict[str, Writable]({"run": list(start.run)} if start.run else {})
        builds = [build for command in commands if (build := built(command)) is not None]
        makes = {build.makes: build for build in builds}
        if len(builds) < len(commands):
            return None
        if file in makes:
            file, keys["build"] = makes[file].sources[0], list(makes[file].command)
        elif start.run and (start.run[0].startswith("./") or start.run[0] in _SHELLS or builds):
            return None
        if self.program not in (None, file):
            if builds or start.run or not (self.folder / file).is_file():
                return None
            file, keys = str(self.program), {"run": ["python3", file]}
        return None if "/" in file else _Command(program=file, keys=keys, args=start.args, line="")


def _installs(command: Words, packages: list[str]) -> bool:
    """Return whether a command only installs Python packages, and add their names to `packages`."""
    words = [word for word in command if word not in ("sudo", "-H", "python", "python3", "-m")]
    if len(words) < 2 or not _PIP.fullmatch(words[0]) or words[1] != "install" or "-r" in words:
        return False
    packages += [word for word in words[2:] if not word.startswith("-") and word not in (*packages, "pytest", "pip")]
    return True


def _is_of_tests(name: str) -> bool:
    return "test" in name.lower()


def _is_pytest(test: GraderTest) -> bool:
    """Return whether a test runs pytest and nothing else."""
    words = plain_commands(test.command)
    return test.kind != IO and bool(words) and _PYTEST.match(" ".join(words[-1] if words else ())) is not None


def _add_functions(
    test: GraderTest,
    reader: _Reader,
    programs: dict[str, Mapping[str, Writable]],
    names: UniqueNames,
    added: tuple[list[dict[str, Writable]], list[dict[str, Writable]]],
) -> None:
    """Add the functions that pytest would run, which share the points of the test."""
    for command in plain_commands(test.setup) or ():
        _installs(command, reader.packages)
    words = [word for word in test.command.split() if ".py" in word]
    named = [word.partition("::") for word in words if is_inside(reader.folder, word.partition("::")[0])]
    for word in words if len(words) > len(named) else ():
        reader.draft.note(f"{test.place}: of `{word}`, only a file in the repository is imported.")
    paths = [reader.folder / word[0] for word in named] or sorted(
        {*reader.folder.rglob("test_*.py"), *reader.folder.rglob("*_test.py")}
    )
    files = list(read_files(paths, reader.folder, reader.draft))
    program = reader.program or student_module(files, reader.folder, ())
    if program is None:
        reason = "its tests do not import the file that students hand in (--program)"
        reader.draft.leave_out(f"{test.place}: the test {test.name!r}", test.points or Decimal(0), reason)
        return
    only = {word[2].rpartition("::")[2] for word in named if word[2]}
    functions = [item for file in files for item in file.functions() if not only or item.node.name in only]
    if not functions:
        reason = "its files have no test functions"
        reader.draft.leave_out(f"{test.place}: the test {test.name!r}", test.points or Decimal(0), reason)
        return
    if programs.setdefault(program, {}):
        whole = _Command(program=program, keys={}, args=(), line=test.command, is_test=True)
        added[0].append(_entry(test, whole, programs, names, reader.draft))
        return
    for item, points in zip(functions, _shares(test.points or Decimal(0), len(functions)), strict=True):
        counted = Counted(function=item, title=item.title, points=points, whole={"command": item.command})
        counted.add(program, names, added, reader.draft)


def _shares(points: Decimal, count: int) -> list[Decimal]:
    """Return equal shares of points, with at most four decimal places; the last one takes the remainder."""
    share = (points / max(count, 1)).quantize(Decimal("0.0001"), ROUND_DOWN).normalize() + 0
    return [*[share] * (count - 1), points - share * (count - 1)][:count]


def _programs(commands: Iterable[_Command]) -> dict[str, Mapping[str, Writable]]:
    """Return the keys of each program; if a program is started in several ways, a shell starts it."""
    programs: dict[str, Mapping[str, Writable]] = {}
    for command in sorted(commands, key=lambda command: command.is_test):
        if command.is_test and command.program in programs:
            continue
        same = programs.setdefault(command.program, command.keys) == command.keys
        programs[command.program] = command.keys if same else _SHELL
    return programs


def _entry(
    test: GraderTest,
    command: _Command,
    programs: Mapping[str, Mapping[str, Writable]],
    names: UniqueNames,
    draft: CourseDraft,
) -> dict[str, Writable]:
    if programs[command.program] != command.keys and not command.is_test:
        command = command.in_shell()
    entry: dict[str, Writable] = {"id": names.of(test.name), "title": " ".join(test.name.split())}
    entry |= {"program": command.program, "points": f"{test.points:f}"}
    if command.is_test:
        return {**entry, "command": command.line}
    entry["stdin_text"] = test.input
    if any("\n" in word for word in command.args):
        script = f"{entry['id']}.sh"
        draft.add_own(f"files/{script}", f"{command.args[0]}\n")
        entry |= {"files": {script: script}, "args": [f". ./{script}"]}
    elif command.args:
        entry["args"] = list(command.args)
    return {**entry, **_expected(test)}


def _expected(test: GraderTest) -> Mapping[str, Writable]:
    if not test.output:
        return ANYTHING
    if test.comparison == "exact":
        return {"expected": f"{test.output}\n", "compare": {"ignore": ["trailing-whitespace", "blank-lines"]}}
    return {"expect": [{"matches" if test.comparison == "regex" else "contains": test.output}]}


def _add_extra_files(
    folder: Path, programs: Mapping[str, object], tests: Sequence[GraderTest], draft: CourseDraft
) -> Iterator[str]:
    """Add the files beside programs: data, and files named by a command. Yield their paths."""
    words = {word for test in tests for word in re.split(r"[\s;&|<>'\"]+", f"{test.setup} {test.command}")}
    named = {word.removeprefix("./") for word in words} | ({"Makefile", "makefile"} if "make" in words else set())
    is_command = any(test.kind != IO for test in tests)
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        if any(part.startswith(".") for part in path.parts) or not file.is_file() or path.as_posix() in programs:
            continue
        needed = is_command and (_is_of_tests(path.as_posix()) or path.suffix in _CONFIGURATION)
        if needed or path.as_posix() in named or (path.suffix in _DATA and PurePosixPath(path).stem != "requirements"):
            draft.add_own(f"files/{path.as_posix()}", file)
            yield path.as_posix()
