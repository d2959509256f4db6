"""Makes an assignment from checks of check50: each session of a check becomes a test."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any

from grader.config.yaml_writer import Writable
from grader.plugins.importing.check50.reader import EOF, Check, Session, SessionStep, read_checks
from grader.plugins.importing.command_lines import Start, plain_commands, started
from grader.plugins.importing.course_draft import (
    CourseDraft,
    ImportedAssignment,
    ImportingError,
    UniqueNames,
    files_in,
    is_inside,
)
from grader.plugins.importing.stated import ANYTHING, InexpressibleError, StatedAssignment

_CHECKS = "__init__.py"
_ANY_TEXT = r"[\s\S]*?"
_END = r"\Z"
_FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
_ESCAPED = re.compile(r"\\([^A-Za-z0-9])")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]|()\\]")
_SOURCES = (".c", ".h", ".cpp")
_LIBRARY = "-lcs50"


def import_check50(folder: Path, course: Path, *, name: str, due: date, solution: Path | None) -> ImportedAssignment:
    """Make an assignment from the folder of a problem. Raises ImportingError."""
    draft = CourseDraft(name, folder)
    try:
        checks = read_checks(folder / _CHECKS)
    except OSError:
        raise ImportingError(f"{folder} has no {_CHECKS}, which holds the checks.") from None
    except (SyntaxError, ValueError) as error:
        raise ImportingError(f"{folder / _CHECKS} is no Python: {error}") from None
    problem = _Problem(folder=folder, checks=checks, draft=draft)
    tests = list(problem.tests())
    draft.note("That a file is there and compiles is no test of its own: all tests fail where it is not so.")
    draft.note("A program that reads more than is typed gets the end of input; there it waits until its time is over.")
    steps = [step for check in checks for session in check.sessions for step in session.steps]
    if any(step.name == "stdin" and step.given.get("prompt", True) for step in steps):
        draft.note("A program that reads without printing a prompt passes; check50 fails it, except with prompt=False.")
    if any(step.name == "stdin" for step in steps):
        draft.note("A program that ends before it reads all lines can pass; check50 fails it.")
    if any(_reads_after_typing(session) for check in checks for session in check.sessions):
        draft.note("Text is looked for in all that a program prints, prompts too; check50 looks after the last input.")
    draft.note("Each check has 1 point; where it asks for a pattern, `^` and `$` are the ends of a line.")
    assignment = StatedAssignment(
        draft=draft,
        title=name,
        due=due,
        programs=problem.programs,
        tests=tests,
        groups=problem.groups,
        solution=solution,
        further_files=("*.py", "*.c", "*.h"),
        more=problem.files(),
        defaults={"visibility": "public"},
    )
    return assignment.write(course)


def _reads_after_typing(session: Session) -> bool:
    names = [step.name for step in session.steps]
    return "stdin" in names and "stdout" in names[names.index("stdin") :]


@dataclass(kw_only=True)
class _Problem:
    """A problem: its checks, and the programs, groups and files of the resulting assignment."""

    folder: Path
    checks: Sequence[Check]
    draft: CourseDraft
    programs: dict[str, Mapping[str, Writable]] = field(default_factory=dict)
    groups: list[dict[str, Writable]] = field(default_factory=list)
    beside: set[str] = field(default_factory=set)
    provided: dict[str, str] = field(default_factory=dict)
    """The sources that programs are built with, and their names in reference/."""
    names: UniqueNames = field(default_factory=UniqueNames)

    def tests(self) -> Iterator[dict[str, Writable]]:
        """Yield the tests of all checks; checks that cannot be expressed are noted."""
        made: dict[str, list[str]] = {}
        for check in self.checks:
            prepares = not check.sessions and not check.unsaid
            required = made.get(check.after or "", [])
            try:
                entries = [self._entry(session) for session in check.sessions]
            except InexpressibleError as reason:
                check.unsaid = check.unsaid or f"line {check.line}: {reason}"
            if check.unsaid is not None:
                self.draft.leave_out(f"{_CHECKS}: the check {check.name}", Decimal(1), check.unsaid)
                continue
            self._add_files(check)
            if prepares:
                made[check.name] = required
                continue
            tests = list(self._named(check, entries, required))
            made[check.name] = [str(test["id"]) for test in tests]
            yield from tests

    def files(self) -> dict[str, Writable]:
        """Return the keys for the files beside programs and for building them."""
        keys: dict[str, Writable] = {"files": sorted(self.beside)} if self.beside else {}
        provided: list[Writable] = [{"file": name, "source": source} for name, source in self.provided.items()]
        return {**keys, **({"provided": provided} if provided else {})}

    def _named(
        self, check: Check, entries: Sequence[Mapping[str, Writable]], required: Sequence[str]
    ) -> Iterator[dict[str, Writable]]:
        own_id = self.names.of(check.name)
        keys: dict[str, Writable] = {"title": " ".join(check.title.split())}
        if len(entries) > 1:
            self.groups.append({"id": own_id, **keys, "points": "1", "count": "all"})
        counts: dict[str, Writable] = {"points": "1"} if len(entries) == 1 else {"group": own_id}
        more: dict[str, Writable] = {"requires": list(required)} if required else {}
        if check.hint:
            more["hint"] = " ".join(check.hint.split())
        for number, entry in enumerate(entries, 1):
            test_id = own_id if len(entries) == 1 else self.names.of(f"{own_id}-{number}")
            yield {"id": test_id, **keys, **counts, **entry, **more}

    def _add_files(self, check: Check) -> None:
        """Add the files that a check includes."""
        for name in check.include:
            if not is_inside(self.folder, name):
                self.draft.note(f"{_CHECKS}: line {check.line}: {name} was not imported: it is outside the folder.")
            elif not (self.folder / name).exists():
                self.draft.note(f"{_CHECKS}: line {check.line}: {name} is not there, so it lies beside no program.")
            elif (self.folder / name).is_dir():
                for path, file in files_in(self.folder / name):
                    self.draft.add_own(f"files/{name}/{path}", file)
                self.beside.add(name)
            elif name.endswith(_SOURCES):
                self.draft.add(f"reference/{self.draft.id}-{name}", self.folder / name)
                self.provided[name] = f"{self.draft.id}-{name}"
            else:
                self.draft.add_own(f"files/{name}", self.folder / name)
                self.beside.add(name)

    def _entry(self, session: Session) -> dict[str, Writable]:
        """Return the keys of a test for a session. Raises InexpressibleError."""
        commands = plain_commands(session.command)
        start = started(commands[0]) if commands and len(commands) == 1 else None
        if start is None and all(step.name == "exit" and step.given.get("code") is not None for step in session.steps):
            return self._command(session)
        if start is None:
            raise InexpressibleError(f"`{session.command}` does not start a program that students hand in")
        if start.run and start.run[0].startswith("./"):
            program, args = self._built(start.file), [*start.args]
        else:
            program, args = self._script(start)
        entry: dict[str, Writable] = {"program": program, **_session_keys(session.steps)}
        return {**entry, "args": list(args)} if args else entry

    def _command(self, session: Session) -> dict[str, Writable]:
        """Return the keys of a test that only checks the exit status of a command. Raises InexpressibleError."""
        program = next((name for check in self.checks for name in check.exists), None)
        if program is None or not session.steps:
            raise InexpressibleError(f"`{session.command}` does not start a program that students hand in")
        self.programs.setdefault(program, {} if program.endswith(".py") else {"run": ["sh", "-c"]})
        code = str(session.steps[-1].given["code"])
        return {"program": program, "command": session.command, **({} if code == "0" else {"exit_status": code})}

    def _script(self, start: Start) -> tuple[str, list[str]]:
        """Return the submitted file and the arguments; a script of the course may start it."""
        scripts = [name for check in self.checks for name in check.exists if name.endswith(".py")]
        included = [name for check in self.checks for name in check.include if name.endswith(".py")]
        commands = [each.command for check in self.checks for each in check.sessions]
        by_course = any(f"python3 {name}" in command for name in included for command in commands)
        if not by_course or start.file not in (*scripts, *included):
            self.programs.setdefault(start.file, {"run": list(start.run)} if start.run else {})
            return start.file, list(start.args)
        if len(scripts) != 1:
            raise InexpressibleError(f"it starts {start.file}, which students do not hand in")
        self.programs[scripts[0]] = {"run": ["python3"]}
        return scripts[0], [start.file, *start.args]

    def _built(self, name: str) -> str:
        """Return the submitted file, and record how it is built. Raises InexpressibleError for other programs."""
        exists = [file for check in self.checks for file in check.exists]
        for sources, options in (compiled for check in self.checks for compiled in check.compiled):
            program = str(options.get("exe_name") or PurePosixPath(sources[0]).stem)
            if program == name and (sources[0] in exists or not exists):
                flags = [*sources[1:], *([_LIBRARY] if options.get("lcs50") else [])]
                if options.get("lcs50"):
                    self.draft.note(f"{sources[0]} is built with CS50's library ({_LIBRARY}), which must be installed.")
                self.programs.setdefault(sources[0], {"build": {"flags": flags}} if flags else {})
                return sources[0]
        raise InexpressibleError(f"`./{name}` is not built from one file that students hand in")


def _session_keys(steps: Sequence[SessionStep]) -> dict[str, Writable]:
    """Return the typed input, the expected output, and the expected ending. Raises InexpressibleError."""
    typed: list[Writable] = []
    patterns: list[tuple[str, bool]] = []
    ending: dict[str, Writable] = {"exit_status": "any"}
    for number, step in enumerate(steps):
        rest = {later.name for later in steps[number + 1 :]}
        match step.name:
            case "stdin":
                line = step.given.get("line")
                if line is not EOF:
                    typed += str(line).split("\n")
                elif "stdin" in rest:
                    raise InexpressibleError("it types more after the end of input")
            case "stdout":
                text, is_plain = _pattern(step)
                is_all = text == _END and not typed and not patterns
                patterns.append((rf"\A{_END}" if is_all else text, is_plain))
            case "exit":
                code = step.given.get("code")
                ending = {"exit_status": "any" if code is None else str(code)}
            case "reject" | "kill" if not rest & {"stdin", "exit"}:
                ending = {"asks_again": True} if typed else ending
            case "reject":
                pass
    return {"input": typed, **ending, **_expected(patterns)}


def _pattern(step: SessionStep) -> tuple[str, bool]:
    """Return a regular expression or a plain text, and whether it is plain. Raises InexpressibleError."""
    output: Any = step.given.get("output")
    if output is EOF:
        return _END, False
    if isinstance(output, int | float):
        return rf"(?<![\d\-]){re.escape(str(output))}(?!\.?\d)", False
    text = str(output)
    if step.given.get("regex", True) is False:
        return text, True
    inner = text.removeprefix("^.*").removesuffix(".*$") if text.startswith("^.*") and text.endswith(".*$") else text
    plain = _ESCAPED.sub("", inner)
    if not _SPECIAL.search(plain) and "\\" not in plain:
        return _ESCAPED.sub(r"\1", inner), True
    try:
        re.compile(text)
    except re.error as error:
        raise InexpressibleError(f"the pattern {text!r} cannot be read: {error}") from None
    return text, False


def _expected(patterns: Sequence[tuple[str, bool]]) -> Mapping[str, Writable]:
    wanted = [(text, is_plain) for text, is_plain in patterns if text]
    if not wanted:
        return ANYTHING
    if len(wanted) == 1:
        text, is_plain = wanted[0]
        return {"expect": [{"contains" if is_plain else "matches": text}]}
    parts = [_part(text, is_plain=is_plain) for text, is_plain in wanted]
    # Nothing may come between the end of the output and what precedes it.
    return {"expect": [{"matches": _ANY_TEXT.join(parts).replace(f"{_ANY_TEXT}{_END}", _END)}]}


def _part(text: str, *, is_plain: bool) -> str:
    """Return a regular expression that can be part of another one."""
    if is_plain:
        return re.escape(text)
    flags = _FLAGS.match(text)
    return f"(?{flags[1]}:{text[flags.end() :]})" if flags else f"(?:{text})" if "|" in text else text
