"""Starts a command in a shell, and keeps the end of its output.

Both output streams are merged, in the order of writing. A program from a required package, such as `pytest`, is run as
a module, because packages are installed without their programs.
"""

import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from grader.errors import SessionError
from grader.model.outcome import Outcome
from grader.model.test import Test
from grader.plugins.command_tests.interaction import CommandRun
from grader.plugins.command_tests.words import OF_SHELL, not_installed, programs_of
from grader.run.interface import Launch
from grader.run.interpreter import Interpreter
from grader.run.toolchain import SYSTEM_PATH

_MAX_KEPT = 20_000
_NOT_FOUND = 127
_FUNCTION = re.compile(r"[A-Za-z_]\w*")
_IS_PRESENT = "[present] "
_MODULE = re.compile(r"-m (?P<name>\w+)")
_NO_MODULE = re.compile(r"^\S*/python[\d.]*: No module named (?P<name>[\w.]+)\s*\Z", re.M)


@dataclass(frozen=True)
class StartedCommand:
    """A test's command, ready to be started."""

    command: CommandRun
    test: Test

    @property
    def files(self) -> Mapping[str, str]:
        """The texts of the files to add to the working folder, by name."""
        return {}

    def launch(self, interpreter: Interpreter, workdir: Path, variables: Mapping[str, str]) -> Launch:
        """Return the command to start."""
        before = " ".join(self._preparations(interpreter.packages))
        words = self.command.words_of_command
        # With `exec`, a signal that ends the program also ends the shell, which would turn it into an exit status.
        run = '"$@"' if words[0] in OF_SHELL else 'exec "$@"'
        argv = (f"{before} {words[0]}",) if self.command.is_line else (f"{before} {run}", "sh", *words)
        return interpreter.command(("sh", "-c", *argv), workdir, variables)

    def outcome(self, session: Outcome) -> Outcome:
        """Return the outcome with the end of the output. Raises SessionError if something is not installed here."""
        present, transcript = _split_found_programs(session.transcript)
        self._refuse_missing(replace(session, transcript=transcript), present)
        return replace(session, transcript=_end_of_output(transcript))

    @property
    def _programs(self) -> Sequence[str]:
        words = self.command.words_of_command
        return programs_of(words[0]) if self.command.is_line else words[:1]

    def _preparations(self, packages: Path) -> Iterator[str]:
        """Yield commands that prepare the shell, all on the first line so that line numbers stay the same."""
        yield "exec 2>&1;"
        if files := [shlex.quote(f"./{name}") for name in self._executables()]:
            yield f"chmod +x {' '.join(files)};"
        # A student's program cannot take back this output, and so cannot claim that something is missing.
        for name in dict.fromkeys(_MODULE.findall(self.command.text)):
            module = shlex.quote(str(packages / name))
            yield f"if [ -e {module} ] || [ -e {module}.py ]; then echo '{_IS_PRESENT}{name}'; fi;"
        if file := self._file:
            yield f"if [ -e {shlex.quote(file)} ]; then echo {shlex.quote(_IS_PRESENT + file)}; fi;"
        for name in filter(_FUNCTION.fullmatch, self._programs):
            module = shlex.quote(str(packages / name / "__main__.py"))
            as_list = f'shift; set -- python3 -m {name} "$@"'
            as_line = f'{name}() {{ python3 -m {name} "$@"; }}'
            yield f"if [ -e {module} ]; then {as_line if self.command.is_line else as_list}; fi;"

    def _executables(self) -> Iterator[str]:
        """Yield the course files that the command names. Files of the submission are executable anyway."""
        text = " ".join(self.command.words_of_command)
        yield from (file.name for file in self.test.start.files if PurePosixPath(file.name).name in text)

    @property
    def _file(self) -> str:
        """The file that the command itself runs, or an empty string."""
        file = next(iter(self._programs), "")
        return file if "/" in file else ""

    def _refuse_missing(self, session: Outcome, present: Sequence[str]) -> None:
        text = self.command.text
        if session.exit_code == _NOT_FOUND:
            if (program := not_installed(self._programs)) is not None:
                raise SessionError(f"`{program}` is not installed here (in {SYSTEM_PATH}), so `{text}` cannot be run")
            if self._file not in present and self._is_missing_file(session.transcript):
                raise SessionError(f"`{self._file}` is neither handed in nor among the `files` of the test")
        if session.exit_code == 1 and (match := _NO_MODULE.search(session.transcript)):
            name = match["name"]
            # Python never lacks its own standard modules.
            if f"-m {name}" in text and name.partition(".")[0] not in {*present, *sys.stdlib_module_names}:
                raise SessionError(
                    f"the Python of this assignment has no {name}, so `{text}` cannot be run: "
                    f"the instructor has to add `packages: [{name}]` to assignment.yaml"
                )

    def _is_missing_file(self, printed: str) -> bool:
        """Return whether the shell says that the command's file is missing, and it is not built by the student."""
        is_built = self.test.recipe is not None and self.test.recipe.build is not None
        message = rf"\S*sh: (?:line )?(?:\d+: )?(?:exec: )?{re.escape(self._file)}: (?:not found|No such file.*)\n"
        return bool(self._file) and not is_built and re.fullmatch(message, printed) is not None


def _split_found_programs(text: str) -> tuple[Sequence[str], str]:
    """Split the first lines, which list the programs found, from the rest; return the programs and the rest."""
    present = []
    while text.startswith(_IS_PRESENT):
        line, _, text = text.partition("\n")
        present.append(line.removeprefix(_IS_PRESENT))
    return present, text


def _end_of_output(text: str) -> str:
    """Return the end of a string, starting at the beginning of a line, and how much was omitted before it."""
    if len(text) <= _MAX_KEPT:
        return text
    start = len(text) - _MAX_KEPT
    start = text.find("\n", start, -1) + 1 or start
    return f"[... {start:,} characters left out ...]\n{text[start:]}"
